"""Tests made weaker by a change: by text, in the languages of `files_of_tests.py`.

What is told is likely, not proven: it decides only where the tests of the base could not be run on the new
source, each told by its name. A refactoring that asserts as much as before passes: an assertion that was
moved, merged or put into a table is found among what was added.

weakened_tests.py        all that was found, as evidence
changed_tests.py         test by test: does each still assert as much?
disabled_tests.py        what keeps a test from running, or from failing
skipped_groups.py        which tests a skip outside of them reaches
suite_configuration.py   tests that are left out by configuration
paired_tests.py          which test of before is which one now
single_tests.py          the single tests of a file
groups_of_tests.py       the classes and `describe` blocks that they stand in
same_assertions.py       assertions that say the same in other words
expected_errors.py       which errors an assertion lets pass
assertions.py            what a test asserts, and how much
files_of_tests.py        which files hold tests, their texts before and after, what is found there
"""
