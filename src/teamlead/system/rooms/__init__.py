"""A room: what a program that runs in a working copy sees of the machine.

- The copy lies at the path of the user's checkout, with a git directory of its own. The rest of the disk is
  read-only, and what a program has no business with is not there: secrets, the state of sessions, other
  copies, the user's git directory, other people's processes and sockets.
- `users_home` says what lies in a home, `mounts` what is seen where.
- `bubblewrap`, `landlock` and `seatbelt` are the ways to make one. `availability` finds out which of them
  works here, by trying. `entering` puts a program into a room; the last steps are its warden's.
"""
