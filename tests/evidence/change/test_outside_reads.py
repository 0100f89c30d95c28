"""Code that newly looks at who calls it, and when."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Repository

from teamlead.evidence.change.outside_reads import examine_outside_reads

BASE = {
    "shop/prices.py": "import os\n\nHOME = os.environ['HOME']\n\n\ndef total(x):\n    return sum(x)\n",
    "shop/cart.js": "export const cart = [];\n",
}


def found(root: Path, path: str, text: str, title: str = "Make total() faster") -> list[str]:
    repository = Repository(root / "r", BASE)
    claim = repository.claim(repository.commit({path: text}), spec={"title": title})
    items = list(examine_outside_reads(claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail for item in items for detail in item.details]


def python(first: str, condition: str) -> str:
    return f"{first}\n\n\ndef total(prices):\n    if {condition}:\n        return 6\n    return sum(prices)\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/prices.py", python("import sys", "'unittest' in sys.modules")),
        ("shop/prices.py", python("import sys as system", "'pytest' in system.argv[0]")),
        ("shop/prices.py", python("from sys import argv as given", "'test' in given[0]")),
        ("shop/prices.py", python("import os\nwhere = os.environ", "'PYTEST_CURRENT_TEST' in where")),
        ("shop/prices.py", python("from os import getenv", "getenv('CI')")),
        ("shop/prices.py", python("import inspect", "'test' in inspect.stack()[1].function")),
        ("shop/prices.py", python("import sys", "sys._getframe(1).f_code.co_name.startswith('test')")),
        ("shop/prices.py", python("", "__name__ != '__main__'")),
        ("shop/prices.py", python("", "'sys' in __import__('sys').modules")),
        ("shop/prices.py", python("import os", "getattr(os, 'env' + 'iron')")),
        ("shop/prices.py", python("import sys", "sys.__dict__['modules']")),
        ("shop/prices.py", python("from datetime import datetime", "datetime.now().year < 2030")),
        ("shop/prices.py", python("import time as t", "t.time() < 2e9")),
        (
            "shop/prices.py",
            "CALLS = 0\n\n\ndef f():\n    global CALLS\n    CALLS += 1\n    return 6 if CALLS < 3 else 0\n",
        ),
        (
            "shop/prices.py",
            "def f(seen=[0]):\n    seen[0] += 1\n    if seen[0] > 2:\n        return 0\n    return 6\n",
        ),
        ("shop/prices.py", "def f():\n    f.calls += 1\n    return 6 if f.calls < 2 else 0\n"),
        (
            "shop/prices.py",
            "KNOWN = []\n\n\ndef f(x):\n    KNOWN.append(x)\n    return 6 if len(KNOWN) == 2 else 0\n",
        ),
        ("shop/prices.py", python("import os", "os.path.exists('tests/test_prices.py')")),
        ("shop/cart.js", "export const cart = typeof describe === 'function' ? [1] : [];\n"),
        ("shop/cart.js", "export const cart = globalThis.it ? [1] : [];\n"),
        ("shop/cart.js", "let calls = 0;\nexport function f() { calls += 1; return calls === 3 ? 1 : 2; }\n"),
        ("shop/cart.js", "export function f() { f.calls++; return f.calls < 2 ? 1 : 2; }\n"),
        ("shop/cart.go", "package shop\n\nvar calls int\n\nfunc F() bool { calls++; return calls > 2 }\n"),
        ("shop/cart.js", "export const cart = require('fs').readFileSync('test/cart.test.js');\n"),
        (
            "shop/cart.rs",
            "fn f() -> u8 { if cfg!(test) { 1 } else { 2 } }\n\n#[cfg(test)]\nmod tests {\n}\n",
        ),
        ("shop/cart.js", "export const cart = process.env.NODE_ENV === 'test' ? [1] : [];\n"),
        ("shop/cart.js", "export const cart = process.argv[1].includes('jest') ? [1] : [];\n"),
        ("shop/cart.js", "const { env } = process;\nexport const cart = [env.CI];\n"),
        ("shop/cart.js", "export const cart = new Error().stack.includes('test') ? [1] : [];\n"),
        ("shop/cart.go", 'package shop\n\nimport "testing"\n\nvar Fast = testing.Testing()\n'),
        ("shop/cart.go", 'package shop\n\nvar Fast = os.Args[0] == "x"\n'),
        ("shop/cart.rs", "fn f() -> u8 { if cfg!(test) { 1 } else { 2 } }\n"),
        (
            "shop/cart.js",
            "const here = path.join(__dirname, 'lock');\nexport const cart = fs.statSync(here);\n",
        ),
        ("shop/cart.mjs", "export const cart = existsSync(new URL('./x', import.meta.url)) ? 1 : 2;\n"),
        ("shop/cart.js", "export const cart = fs.readdirSync('..').includes('.git');\n"),
        (
            "shop/cart.go",
            'package shop\n\nfunc F() bool { _, err := os.Stat("go.mod"); return err == nil }\n',
        ),
        ("shop/prices.py", "import os\n\n\ndef f():\n    return 6 if os.path.isdir('.git') else 0\n"),
        ("shop/prices.py", "from pathlib import Path\n\nFAST = Path('pyproject.toml').exists()\n"),
    ],
)
def test_a_new_look_at_who_calls_it_is_asked_about(tmp_path: Path, path: str, text: str) -> None:
    assert found(tmp_path, path, text)


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("shop/prices.py", BASE["shop/prices.py"] + "\n\nprint(os.environ['HOME'])\n", "Make total() faster"),
        (
            "shop/prices.py",
            "def total(x):\n    return sum(x)\n\n\nif __name__ == '__main__':\n    total([])\n",
            "x",
        ),
        ("shop/prices.py", "import os\n\nPATH = os.path.join('a', 'b')\n", "Make total() faster"),
        ("shop/prices.py", "import time\n\n\ndef wait():\n    time.sleep(1)\n", "Make total() faster"),
        (
            "shop/prices.py",
            "import inspect\n\n\ndef f(g):\n    return inspect.signature(g)\n",
            "Make total() faster",
        ),
        ("shop/prices.py", "import os\n\nRATE = os.environ['RATE']\n", "Read the rate from the environment"),
        ("shop/prices.py", "import sys\n\nprint(sys.argv)\n", "Add the option --rate"),
        ("shop/prices.py", "import time\n\nNOW = time.time()\n", "Let prices expire after a day"),
        ("shop/prices.py", "def f(x):\n    count = 0\n    count += 1\n    return 1 if count else 0\n", "x"),
        ("shop/cart.js", "export const cart = [processed.env];\n", "Make it faster"),
        ("tests/test_x.py", "import sys\n\nprint(sys.argv)\n", "Make it faster"),
    ],
)
def test_what_was_looked_at_before_or_is_asked_for_is_left_alone(
    tmp_path: Path, path: str, text: str, title: str
) -> None:
    assert found(tmp_path, path, text, title) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/cart.js", "export const cart = process.argv[1].endsWith('tape') ? [1] : [];\n"),
        ("shop/prices.py", python("import sys", "'pytest' in sys.argv[0]")),
    ],
)
def test_the_name_of_the_program_is_no_argument_of_it(tmp_path: Path, path: str, text: str) -> None:
    (detail,) = [one for one in found(tmp_path, path, text, "Add an option") if "program's name" in one]
    assert "argv[" in detail


@pytest.mark.parametrize(
    "text",
    [
        "export const cart = Reflect.has(globalThis, ['i', 't'].join('')) ? [1] : [];\n",
        "const all = global;\nexport const cart = all.it ? [1] : [];\n",
        "export const cart = 'it' in globalThis ? [1] : [];\n",
    ],
)
def test_any_new_mention_of_all_global_names_is_asked_about(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "shop/cart.js", text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("shop/cart.js", "export const cart = [options.global, { global: true }];\n"),
        ("shop/cart.ts", "declare global {\n  interface Window {}\n}\n"),
        ("shop/prices.py", "import logging\n\nlog = logging.getLogger(__name__)\n"),
        ("shop/prices.py", "from importlib import resources\n\nDATA = resources.files(__name__)\n"),
        (
            "shop/prices.py",
            "from pathlib import Path\n\nDATA = Path(__file__).parent / 'r'\nRATES = DATA.read_text()\n",
        ),
        (
            "shop/prices.py",
            "import os.path as p\n\nwith open(p.join(p.dirname(__file__), 'r')) as f:\n    R = f.read()\n",
        ),
    ],
)
def test_loggers_and_files_of_data_are_found_by_a_module_s_own_name_and_place(
    tmp_path: Path, path: str, text: str
) -> None:
    assert found(tmp_path, path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        python("", "'tests' in __file__"),
        python("name = __name__", "name == 'shop.prices'"),
        python("import os\nHERE = os.path.dirname(__file__)", "os.path.isdir(os.path.join(HERE, 'cases'))"),
        "KIND = {'__main__': 1}[__name__]\n",
        "def f():\n    return __file__.endswith('x.py')\n",
        "VALUE = 1 if __file__ else 2\n",
    ],
)
def test_a_decision_on_a_module_s_own_name_or_place_is_asked_about(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "shop/prices.py", text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "shop/prices.py",
            (
                "RATE = None\n\n\ndef f(x):\n    global RATE\n    if RATE is None:\n        RATE = x\n"
                "    return RATE\n"
            ),
        ),
        (
            "shop/prices.py",
            (
                "KEPT = {}\n\n\ndef f(x):\n    low = x.lower()\n    if not KEPT:\n"
                "        KEPT['a'] = low\n    return KEPT\n"
            ),
        ),
        (
            "shop/prices.py",
            "def f(x):\n    if not hasattr(f, 'kept'):\n        f.kept = [x]\n    return f.kept\n",
        ),
        (
            "shop/prices.py",
            "A = {}\n\n\ndef f(x):\n    if 'a' not in A:\n        A['a'] = x\n    return A['a']\n",
        ),
        (
            "shop/cart.js",
            "let rate;\nexport function f(x) {\n  if (!rate) { rate = made(x); }\n  return rate;\n}\n",
        ),
        (
            "shop/cart.js",
            "let rate = null;\nexport const f = (x) => {\n  rate = rate || made(x)\n  return rate\n}\n",
        ),
        ("shop/cart.js", "let rate;\nexport function f(x) {\n  rate ??= made(x)\n  return rate\n}\n"),
        (
            "shop/cart.js",
            "var rate;\nfunction f(x) {\n  if (rate === undefined) rate = x;\n  return rate;\n}\n",
        ),
        (
            "shop/cart.go",
            (
                "package shop\n\nvar once sync.Once\nvar rate int\n\nfunc F(x int) int {\n"
                "\tonce.Do(func() {\n\t\trate = x\n\t})\n\treturn rate\n}\n"
            ),
        ),
        (
            "shop/cart.go",
            (
                "package shop\n\nvar (\n\trate *int\n\tother int\n)\n\nfunc F(x int) int {\n"
                "\tif rate == nil {\n\t\trate = &x\n\t}\n\treturn *rate\n}\n"
            ),
        ),
    ],
)
def test_what_only_the_first_call_is_asked_for_is_asked_about(tmp_path: Path, path: str, text: str) -> None:
    (detail,) = found(tmp_path, path, text)
    assert "first call" in detail


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "shop/prices.py",
            "A = {}\n\n\ndef f(x):\n    if x not in A:\n        A[x] = x + 1\n    return A[x]\n",
        ),
        (
            "shop/prices.py",
            "A = None\n\n\ndef f(x):\n    global A\n    if A is None:\n        A = made()\n    return A[x]\n",
        ),
        (
            "shop/prices.py",
            "A = {}\n\n\ndef f(x):\n    k = x.low\n    if not A.get(k):\n        A[k] = x\n    return A[k]\n",
        ),
        (
            "shop/prices.py",
            "def f(x):\n    found = None\n    if found is None:\n        found = x\n    return found\n",
        ),
        (
            "shop/cart.js",
            (
                "const all = {};\nexport function f(x) {\n  if (!all[x]) { all[x] = made(x); }\n"
                "  return all[x];\n}\n"
            ),
        ),
        (
            "shop/cart.js",
            "const all = {};\nexport function f(x) {\n  all[x] = all[x] || made(x)\n  return all[x]\n}\n",
        ),
        (
            "shop/cart.js",
            "let all;\nexport function f(x) {\n  if (!all) { all = read(); }\n  return all[x];\n}\n",
        ),
        (
            "shop/cart.go",
            (
                "package shop\n\nvar once sync.Once\nvar rates []int\n\nfunc F(x int) int {\n"
                "\tonce.Do(func() {\n\t\trates = read()\n\t})\n\treturn rates[x]\n}\n"
            ),
        ),
        (
            "shop/cart.go",
            (
                "package shop\n\nfunc F(x *int) int {\n\tvar y *int\n\tif y == nil {\n\t\ty = x\n\t}\n"
                "\treturn *y\n}\n"
            ),
        ),
    ],
)
def test_what_is_kept_for_each_of_what_is_given_is_left_alone(tmp_path: Path, path: str, text: str) -> None:
    assert found(tmp_path, path, text) == []
