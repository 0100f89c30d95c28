"""The small resident program under which all that is supervised runs: a nursery, and a warden a program.

It runs without site packages, and imports a little of the standard library and its own folder, nothing else.

- A warden adopts what its program abandons (it is a subreaper), so nothing below it can leave its tree:
  neither by a session of its own, nor by forking twice.
- Its control socket is its lifeline. The leader holds the only other end: whatever happens to the leader, the
  warden reads an end of file. It then kills the tree, as it does when the program ends, until it has no child
  left. Only then does it report the end.
- The nursery adopts what a killed warden leaves, and does the same in its place. It wakes a warden that was
  stopped. The system itself wakes a stopped nursery when the leader dies: its process group is orphaned then.
- Where both were killed, the leader finds their tree by the mark in its environment, as a later leader does.
- A program in a room is started by one that holds the room: see `warden`. What has to be done before, in its
  own process, is in `steps`.
- Nothing foreign is signalled: see `tree` and `marks`.
- One warden is forked ahead of its program, because a fork of Python costs more than most starts.
"""
