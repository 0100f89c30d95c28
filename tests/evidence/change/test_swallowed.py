"""Errors that are thrown away, in source and in tests."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.swallowed import examine_swallowed

PYTHON = "def load(path):\n    text = read(path)\n    return parsed(text)\n"
SCRIPT = "export function load(path) {\n  const text = read(path);\n  return parsed(text);\n}\n"
GO = (
    "package a\n\nfunc Load(w Writer, b []byte) (n int, err error) {\n\tn, err = w.Write(b)\n"
    "\tif err != nil {\n\t\treturn n, err\n\t}\n\treturn n, w.Flush()\n}\n"
)
CHECK = "\tif err != nil {\n\t\treturn n, err\n\t}\n"
MORE = "\nfunc F(w Writer) {\n\tdefer w.Flush()\n}\n"
UNREAD = GO.replace("return n, w.", "w.").replace(CHECK, "")


def found(root: Path, base: Files, files: Files, title: str = "Load faster") -> list[str]:
    repository = Repository(root / "r", {"README.md": "", **base})
    claim = repository.claim(repository.commit(files), spec={"title": title})
    items = list(examine_swallowed(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


def tried(handler: str, header: str = "try:") -> str:
    return f"def load(path):\n    {header}\n        text = read(path)\n{handler}    return parsed(text)\n"


def script(code: str) -> str:
    return SCRIPT.replace("return parsed(text);", code)


@pytest.mark.parametrize(
    ("name", "base", "after"),
    [
        ("a.py", PYTHON, tried("    except:\n        pass\n")),
        ("a.py", PYTHON, tried("    except Exception:\n        return None\n")),
        ("a.py", PYTHON, tried("    except (OSError, Exception):\n        return []\n")),
        ("a.py", PYTHON, tried("", "with contextlib.suppress(Exception):")),
        ("a.js", SCRIPT, script("try { return parsed(text) } catch {}")),
        ("a.js", SCRIPT, script("try { return parsed(text) } catch (e) { return null }")),
        ("a.js", SCRIPT, script("return parsed(text).catch(() => {})")),
        (
            "a.go",
            GO,
            GO.replace(CHECK, "").replace("n, err = w.", "w.").replace("return n,", "return len(b),"),
        ),
        ("a.go", GO, GO.replace(CHECK, "").replace("n, err = w.", "n, _ = w.")),
        ("a.go", GO, GO.replace("return n, w.Flush()", "w.Flush()\n\treturn n, nil")),
        ("a.go", GO, GO.replace("return n, w.Flush()", "_ = w.Flush()\n\treturn n, nil")),
    ],
)
def test_errors_of_which_somebody_heard_before_are_asked_about(
    tmp_path: Path, name: str, base: str, after: str
) -> None:
    assert found(tmp_path, {name: base}, {name: after})


@pytest.mark.parametrize(
    ("name", "base", "after"),
    [
        ("a.py", PYTHON, tried("    except OSError:\n        return None\n")),
        ("a.py", PYTHON, tried("    except Exception as error:\n        raise Odd(path) from error\n")),
        ("a.py", PYTHON, tried("    except Exception:\n        return default(path)\n")),
        ("a.py", tried("    except:\n        pass\n"), tried("    except:\n        pass\n") + "\nX = 1\n"),
        ("a.js", SCRIPT, script("try { return parsed(text) } catch (e) { log(e) }")),
        ("a.go", GO, GO.replace("w.Write(b)", "w.Write(b[:9])") + MORE),
        ("a.go", UNREAD, UNREAD.replace("w.Write(b)", "w.Write(b[:9])")),
    ],
)
def test_what_is_heard_of_or_never_was_is_left_alone(
    tmp_path: Path, name: str, base: str, after: str
) -> None:
    assert found(tmp_path, {name: base}, {name: after}) == []


def test_a_task_may_ask_for_it(tmp_path: Path) -> None:
    after = tried("    except Exception:\n        return None\n")

    assert found(tmp_path, {"a.py": PYTHON}, {"a.py": after}, "Ignore files that cannot be read") == []


def go_test(body: str) -> str:
    deferred = f"\tdefer func() {{\n\t\t{body}\n\t}}()\n"
    return f"package a\n\nfunc TestIt(t *testing.T) {{\n{deferred}\tt.Error(1)\n}}\n"


def python_test(first: str, body: str, last: str) -> str:
    return f"def test_a(case):\n    {first}\n        {body}\n    {last}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a_test.go", go_test("_ = recover()")),
        ("a_test.go", go_test("recover()")),
        ("a_test.go", go_test("if r := recover(); r != nil {\n\t\t\treturn\n\t\t}")),
        ("tests/a.test.js", "test('a', () => {\n  try {\n    expect(f()).toBe(1)\n  } catch {}\n})\n"),
        ("tests/a.test.js", "test('a', (t) => {\n  try { t.equal(f(), 1) } catch (e) { return }\n})\n"),
        ("tests/test_a.py", python_test("try:", "assert f() == 1", "except Exception: pass")),
        ("tests/test_a.py", python_test("with suppress(Exception):", "assert f() == 1", "f()")),
        ("tests/test_a.py", python_test("try:", "case.assertTrue(f())", "except: return")),
    ],
)
def test_a_new_test_that_hides_what_fails_in_it_is_asked_about(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path, {}, {name: text})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a_test.go", go_test('if r := recover(); r == nil {\n\t\t\tt.Error("no panic")\n\t\t}')),
        ("a_test.go", go_test("got = recover()")),
        ("tests/a.test.js", "test('a', () => {\n  try { close() } catch {}\n  expect(f()).toBe(1)\n})\n"),
        ("tests/a.test.js", "test('a', () => {\n  try { f() } catch (e) { expect(e).toBe(1) }\n})\n"),
        ("tests/test_a.py", python_test("with suppress(OSError):", "close()", "assert f() == 1")),
        ("tests/test_a.py", python_test("try:", "close()", "except Exception: pass") + "    assert f()\n"),
    ],
)
def test_a_test_that_looks_at_what_it_catches_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    assert found(tmp_path, {}, {name: text}) == []
