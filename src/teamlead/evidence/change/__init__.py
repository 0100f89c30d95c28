"""What a change is made of, by its source alone: nothing here is run.

asked.py           what the task's words and scope ask for
changed_code.py    whether code was changed at all
taken_back.py      what another task of the session had brought in, and is gone
unfinished.py      parameters that are never read, and stubs
named_things.py    what the task names, and no file has; left_out.py functions that it wants changed, too
unused_names.py    new names that nothing reads, or only tests do
outside_reads.py   code that newly looks at who calls it, and when
kept_state.py      what is counted from call to call; first_calls.py what only the first call is asked for
known_answers.py   code and data that hold what tests expect
comparison_hooks.py  code that answers when others compare
swallowed.py       errors that are thrown away; dropped_errors.py where
switched_on.py     tests that set what they test
idle_tests.py      new tests that assert nothing; words_that_assert.py what counts as an assertion
leftovers.py       large files, backups, logs, caches
generated_files.py files that a program makes, changed without it
"""
