"""`python crowd.py PORT COUNT`: opens that many connections, for 0 without end, and says nothing on them.

Once all are open, it prints how many of them the server keeps, each time that this number changes.
"""

import itertools
import resource
import select
import socket
import sys

HELD = 500
"""Of a crowd without end."""


def main(port: int, count: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd: list[socket.socket] = []
    for number in range(count) if count else itertools.count():
        crowd.append(socket.create_connection(("127.0.0.1", port)))
        if not count:
            print(number, flush=True)
            for late in crowd[:-HELD]:
                late.close()
            del crowd[:-HELD]
    poll = select.poll()
    for wire in crowd:
        poll.register(wire, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll(0):
            poll.unregister(descriptor)
            count -= 1
        print(count, flush=True)
        poll.poll()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
