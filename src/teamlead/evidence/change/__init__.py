"""What a change is made of, by its source alone: nothing here is run.

looks.py           asks all others
asked.py           what the task's words and scope ask for
asked_form.py      whether they ask for another form alone
changed_code.py    whether code was changed at all
form_only.py       what a program does, dropped or added where the form alone was to change
taken_back.py      what another task of the session had brought in, and is gone
gone_names.py      public names that are gone
named_things.py    what the task names, and the work has nowhere
searching.py       where a text stands in the program
left_out.py        functions that the task wants changed, too
twins.py           what is the same elsewhere, and was changed in one place
documented_names.py  calls that new pages show, and that no source has
unfinished.py      parameters that are never read, and stubs
unused_names.py    new names that nothing reads, or only tests do
outside_reads.py   code that newly looks at who calls it, and when
python_reads.py    what a module of Python reads of that
own_place.py       what of it is only its own name and place
kept_state.py      functions that do something else from some call on
first_calls.py     what only the first call is asked for
foreign_parts.py   code in the place of what others bring
foreign_scripts.py the same in JavaScript
known_answers.py   code that knows what tests give and expect
comparison_hooks.py  code that answers when others compare
silenced.py        marks that keep a tool from saying something
swallowed.py       errors that are thrown away
dropped_errors.py  where that is
switched_on.py     tests that set what they test
idle_tests.py      new tests that assert nothing
words_that_assert.py what counts as an assertion
leftovers.py       large files, backups, logs, caches
generated_files.py files that a program makes, changed without it
"""
