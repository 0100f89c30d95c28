from teamlead.settings.source import line_of, lines_of


def test_every_spelling_of_a_key_is_found_on_its_line() -> None:
    text = "# jobs = 1\njobs = 2\n\n'agent' = 'a'\n  \"checks\" = []\n[table]\nx = 1\n[[list]]\ny.z = 2\n"
    assert lines_of(text) == {
        ("jobs",): 2,
        ("agent",): 4,
        ("checks",): 5,
        ("table",): 6,
        ("table", "x"): 7,
        ("list",): 8,
        ("list", "y"): 9,
        ("list", "y", "z"): 9,
    }


def test_keys_of_tables_inside_tables_are_found_however_they_are_written() -> None:
    text = "roles.one.model = 'a'\n[roles.two]\nmodel = 'b'\n[ roles . 'three' ]\n\neffort = 'low'\n"
    lines = lines_of(text)
    assert lines["roles", "one", "model"] == 1
    assert lines["roles", "two", "model"] == 3
    assert lines["roles", "three", "effort"] == 6


def test_what_stands_inside_braces_has_the_line_of_its_table() -> None:
    lines = lines_of("jobs = 1\nroles = {one = {model = 'a'}}\n")
    assert line_of(lines, ("roles", "one", "model")) == 2
    assert line_of(lines, ("other",)) == 0


def test_a_line_inside_a_long_string_or_a_list_is_not_taken_for_a_key() -> None:
    text = 'agent = """\njobs = 1\n"""\nchecks = [\n  "x", # ]\n  "copy = 1",\n]\njobs = 2\n'
    assert lines_of(text) == {("agent",): 1, ("checks",): 4, ("jobs",): 8}


def test_quotes_and_brackets_inside_strings_do_not_mislead() -> None:
    text = "a = '''\n[\"\nb = 1\n''''\nc = \"[\\\"{\"\nd = '''x'''\ne = 1\n"
    assert lines_of(text) == {("a",): 1, ("c",): 5, ("d",): 6, ("e",): 7}


def test_a_key_inside_a_table_is_not_one_of_the_top() -> None:
    assert lines_of("[other]\njobs = 2\n") == {("other",): 1, ("other", "jobs"): 2}
