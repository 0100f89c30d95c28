"""Attacks on what is around the room: sockets, mounts, namespaces, the kernel."""

from tests.attacks.attack import Attack, escapes, kills, outlives, speaks

SOCKETS = (
    Attack("speaks to a socket in /tmp", 'say "$AGENT"', speaks()),
    Attack("speaks to the bus of the desktop", 'say "$BUS"', speaks()),
    Attack("speaks to docker", 'say "$HOME/.docker/run/docker.sock"', speaks()),
    Attack("speaks to a socket in /run", 'say "/run/$MARK"', speaks(), root_only=True),
    Attack("speaks to an abstract socket", 'say "$ABSTRACT"', speaks()),
)

LIBRARY = (
    Attack("traces a process of the user's", "try trace_outside", escapes()),
    Attack("sends a signal to a process of the user's", 'kill -0 "$VICTIM" && won', escapes()),
    Attack("unmounts what hides the state", "try unmount_state", escapes(), control="never"),
    Attack("unmounts its own copy", "try unmount_checkout", escapes(), control="never"),
    Attack("makes the disk writable", "try remount_root", escapes(), control="never"),
    Attack("unmounts in a namespace of its own", "try unmount_in_namespace", escapes(), control="never"),
    Attack(
        "makes the disk writable in a namespace of its own",
        "try remount_in_namespace",
        escapes(),
        control="never",
    ),
    Attack("writes to /etc", "try write_system", escapes(), root_only=True),
    Attack("reads the passwords of the system", "try read_shadow", escapes(), root_only=True),
    Attack("makes a device", "try make_device", escapes(), root_only=True),
    Attack("gives a file away", "try change_owner", escapes(), root_only=True),
    Attack(
        "leaves a process behind",
        'PLACES="$(echo "$PLACES" | sed "s/$MARK/$MARK$NAME/")" try outlive >/dev/null 2>&1',
        outlives(),
        control="held",
    ),
)
"""The functions of `tests/system/rooms/attacks.py`."""

NAMESPACES = (
    Attack(
        "mounts a /proc of its own and changes the kernel's settings",
        """unshare --user --map-root-user --mount --pid --fork --mount-proc sh -c \\
  'cd /proc/sys/kernel && cat core_pattern >/tmp/pattern && cat /tmp/pattern >core_pattern' && won""",
        escapes(),
        control="never",
    ),
    Attack(
        "puts a room of its own around the machine's processes",
        """bwrap --unshare-user --dev-bind / / --proc /proc sh -c 'test -e "/proc/$VICTIM"' && won""",
        escapes(),
        control="never",
    ),
    Attack(
        "enters the namespaces of another process",
        'nsenter --target "$VICTIM" --mount --pid cat "$HOME/.netrc" >/dev/null && won',
        escapes(),
        root_only=True,
    ),
    Attack(
        "makes a control group",
        """unshare --user --map-root-user --mount --cgroup sh -c \\
  'mount -t cgroup2 none /mnt && mkdir "/mnt/$MARK" && rmdir "/mnt/$MARK"' && won""",
        escapes(),
        control="never",
    ),
)

KERNEL = (
    Attack(
        "changes which program the kernel starts",
        'cd /proc/sys/kernel; cat core_pattern >"$TMPDIR/$NAME"; cat "$TMPDIR/$NAME" >core_pattern && won',
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "joins a control group",
        'for place in /sys/fs/cgroup /sys/fs/cgroup/unified; do echo $$ >"$place/cgroup.procs" && won; done',
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "writes to /sys",
        "test -w /sys/kernel/uevent_helper && won; touch /sys/kernel/evil && won",
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "opens a disk",
        'for disk in /dev/[sv]d? /dev/nvme*n1; do test -r "$disk" && won; done',
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "opens the kernel's log",
        "head -c 1 /dev/kmsg && won",
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "reads memory of the machine",
        "head -c 1 /dev/mem && won",
        escapes(),
        control="never",
        root_only=True,
    ),
    Attack(
        "finds a key in the kernel's keyring",
        '"$PYTHON" -c "$KEYRING" && won',
        escapes(),
    ),
    Attack("speaks from the user's terminal", "exec 3<>/dev/tty && won", escapes(), control="never"),
    Attack(
        "plans a job for later",
        'echo "# $MARK" | crontab - && won; touch "/var/spool/cron/crontabs/$MARK" && won',
        escapes(),
        control="never",
    ),
    Attack(
        "kills everything that it can see",
        # Nowhere but in a room.
        'test "$(cat /proc/1/comm)" = bwrap && kill -9 -1',
        kills("victim"),
        control="never",
        apart=True,
    ),
    Attack(
        "fills its private folders",
        'head -c 50000000 /dev/zero >"$TMPDIR/$NAME"; rm -f "$TMPDIR/$NAME"',
        kills("leader"),
        control="held",
    ),
)
ON_THE_MACHINE = (*SOCKETS, *LIBRARY, *NAMESPACES, *KERNEL)
