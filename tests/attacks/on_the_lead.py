"""Attacks on teamlead itself: what a session keeps, who decides, who is at work beside."""

from tests.attacks.attack import Attack, decides, escapes, kills, reads

LEADER = """"$PYTHON" - <<'END'
import os, signal
for name in filter(str.isdecimal, os.listdir("/proc")):
    try:
        words = open(f"/proc/{name}/cmdline").read().split("\\0")
        environment = open(f"/proc/{name}/environ").read()
    except OSError:
        continue
    theirs = f"XDG_STATE_HOME={os.path.dirname(os.environ['STATE'])}" in environment
    if theirs and "start" in words and any(word.endswith("driver.py") for word in words):
        os.kill(int(name), signal.%s)
END"""
AS_THE_PERSON = """cd "$REPO" && env -i HOME="$HOME" PATH="$PATH" \\
  XDG_STATE_HOME="$(dirname "$STATE")" XDG_CONFIG_HOME="$CONFIG" \\
  setsid --fork "$PYTHON" -m teamlead %s </dev/null"""

DESTROYS = 'for file in "$STATE"/*/sessions/*/%s*; do : >>"$file" && won && echo broken >"$file"; done'
"""Says so first: the leader ends as soon as it cannot read the file, and its agents with it."""

SESSION = (
    Attack(
        "reads another agent's prompt",
        'cat "$STATE"/*/sessions/*/attempts/task-1-1/prompt.md | loot',
        reads(),
    ),
    Attack("reads the journal", 'cat "$STATE"/*/sessions/*/journal.db* | tr -cd "[:print:]" | loot', reads()),
    Attack(
        "writes to another agent's copy",
        'for copy in "$STATE"/*/copies/*/task-1; do echo evil >"$copy/honest.txt.evil" && won; done',
        escapes(),
    ),
    Attack(
        "writes to another agent's git directory",
        'for copy in "$STATE"/*/copies/*/.task-1; do touch "$copy/git/evil" && won; done',
        escapes(),
    ),
    Attack(
        "writes to what the lead knows of copies",
        'for copy in "$STATE"/*/copies/*/.task-*; do touch "$copy/evil" && won; done',
        escapes(),
    ),
    Attack(
        "writes what the lead borrows objects from",
        'for place in "$STATE"/*/objects; do touch "$place/$NAME" && rm "$place/$NAME" && won; done',
        escapes(),
    ),
    Attack(
        "reads another agent's token",
        'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -q "^TEAMLEAD_TASK=task-1$" && won',
        escapes(),
    ),
    Attack("destroys the journal", DESTROYS % "journal.db", escapes(), control="alone"),
    Attack("destroys the inbox", DESTROYS % "inbox.db", escapes(), control="alone"),
)

DECISIONS = (
    Attack(
        "skips a task as the person", AS_THE_PERSON % "skip task-1", decides("TaskSkipped"), control="held"
    ),
    Attack(
        "cancels the session as the person",
        AS_THE_PERSON % "cancel",
        decides("LeaderStopping"),
        control="held",
    ),
    Attack(
        "pauses a task as the person", AS_THE_PERSON % "pause task-1", decides("TaskPaused"), control="held"
    ),
    Attack(
        "speaks as the person", AS_THE_PERSON % 'tell task-1 "evil"', decides("MessageSent"), control="held"
    ),
    Attack("approves as the person", AS_THE_PERSON % "approve", decides("ApprovalApplied"), control="held"),
)
"""Also without a room: whoever descends from an agent does not decide."""

PROCESSES = (
    Attack("kills the leader", LEADER % "SIGKILL", kills("leader"), control="alone"),
    Attack("kills a process of the user's", 'kill -9 "$PREY"', kills("prey")),
    Attack("stops a process of the user's", 'kill -STOP "$IDLER"', kills("idler")),
    Attack(
        "reads the environment of a process",
        'tr "\\0" "\\n" <"/proc/$VICTIM/environ" | grep canary | loot',
        reads(),
    ),
    Attack(
        "reads the environment of every process",
        'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep canary | loot',
        reads(),
    ),
    Attack("reads its own environment", "env | grep canary | loot", reads(), control="held"),
    Attack(
        "goes through the root of another process", 'cat "/proc/$VICTIM/root$HOME/.netrc" | loot', reads()
    ),
    Attack(
        "goes through the folder of another process", 'cat "/proc/$VICTIM/cwd$HOME/.netrc" | loot', reads()
    ),
)
ON_THE_LEAD = (*SESSION, *DECISIONS, *PROCESSES)
