"""The tables of the two files, and how each file is told apart from any other SQLite database."""

from typing import NamedTuple


class Schema(NamedTuple):
    name: str
    application: int
    """SQLite's `application_id`: a file without it is not ours, and is left alone."""
    version: int
    script: str


JOURNAL = Schema(
    "journal",
    0x746C6A6C,
    3,
    """
    create table meta(
      one integer primary key check (one = 1),
      epoch integer not null
    ) strict;
    insert into meta values (1, 0);
    create table events(
      seq integer primary key,
      at real not null,
      kind text not null,
      version integer not null,
      body blob not null,
      seal integer not null
    ) strict;
    create table view_session(
      one integer primary key check (one = 1),
      body blob not null,
      seal integer not null
    ) strict;
    create table view_task(
      ord integer primary key,
      id text not null unique,
      state text not null,
      waiting integer not null,
      body blob not null,
      seal integer not null
    ) strict;
    create index view_task_waiting on view_task(ord) where waiting;
    create index view_task_state on view_task(state);
    create table outcomes(
      command text primary key,
      accepted integer not null,
      message text not null,
      exit_code integer not null
    ) strict, without rowid;
    """,
)

INBOX = Schema(
    "inbox",
    0x746C6962,
    1,
    """
    create table meta(
      one integer primary key check (one = 1),
      protocol integer not null
    ) strict;
    insert into meta values (1, 0);
    create table commands(
      number integer primary key autoincrement,
      id text not null unique,
      body blob not null
    ) strict;
    """,
)
