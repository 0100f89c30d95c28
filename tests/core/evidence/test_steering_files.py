from teamlead.core.evidence.steering_files import changed_machinery


def test_a_file_that_a_command_names_is_part_of_its_machinery() -> None:
    changed = ("tools/run.sh", "src/a.py", "b.py")
    assert changed_machinery(["./tools/run.sh --all && python b.py"], changed) == ("tools/run.sh", "b.py")


def test_files_that_steer_test_programs_are_part_of_it_in_any_folder() -> None:
    changed = ("Makefile", "tests/unit/conftest.py", "web/package.json", "docs/a.md")
    assert changed_machinery(["make test"], changed) == changed[:3]


def test_without_commands_there_is_no_machinery() -> None:
    assert changed_machinery([], ("Makefile",)) == ()
