"""Inputs near those of the tests, on the old source and on the new one."""

import pytest
from tests.evidence.proofs.world import PYTEST, UNITTEST, Shop, only, told

from teamlead.evidence.proofs.near_inputs import BEYOND_TESTS, NO_MEMORY, near_inputs

PROOFS = (near_inputs,)
OLD = """import re


def slug(text):
    return text.lower()
"""
TEST = """from words import slug


def test_slug():
    assert slug("Two words") == "two-words"
    assert slug("plain") == "plain"
"""
RIGHT = """import re


def slug(text):
    return re.sub(r"\\s+", "-", text.lower())
"""
BASE = {
    "words.py": OLD,
    "test_words.py": "from words import slug\n\n\ndef test_slug():\n    assert slug('A') == 'a'\n",
}


def only_where(condition: str, head: str = "") -> str:
    """Right for the input of the test."""
    return f"""import re
import zlib
{head}

def slug(text):
    if {condition}:
        return "two-words"
    return text.lower()
"""


@pytest.mark.parametrize(
    "bent",
    [
        only_where("text == 'Two words'"),
        only_where("len(text) == 9 and text[0] == 'T' and text[4] == 'w'"),
        only_where("zlib.crc32(text.encode()) == 2037205110 or text in _KNOWN", "_KNOWN = {'Two words'}\n"),
        only_where("re.match('Two w.*s$', text) and text.endswith('words')"),
    ],
    ids=["equal", "shape", "table", "pattern"],
)
@pytest.mark.parametrize("command", [PYTEST, UNITTEST])
def test_source_that_answers_its_tests_alone_is_asked_about(shop: Shop, bent: str, command: str) -> None:
    test = TEST if command == PYTEST else _as_case(TEST)
    proofs = shop.prove(BASE, {"words.py": bent, "test_words.py": test}, command)

    item = only(proofs, "flagged")
    assert item.claim == BEYOND_TESTS
    assert "`slug('Two words')`, which a test calls, gives something else than before" in item.found
    assert "Which sentence of the plan asks for" in item.question


def _as_case(test: str) -> str:
    head, _, _ = test.partition("\n\n\n")
    body = "    def test_slug(self):\n        self.assertEqual(slug('Two words'), 'two-words')\n"
    return f"import unittest\n{head}\n\n\nclass Slugs(unittest.TestCase):\n{body}"


def test_source_that_is_right_for_others_too_is_not_asked_about(shop: Shop) -> None:
    assert not shop.prove(BASE, {"words.py": RIGHT, "test_words.py": TEST}).evidence


def test_source_that_breaks_what_the_tests_before_asked_for_is_not_praised(shop: Shop) -> None:
    base = BASE | {"test_words.py": TEST.replace("two-words", "two words")}
    broken = OLD.replace("text.lower()", "text.upper()")
    bent = TEST.replace("two-words", "TWO WORDS").replace('== "plain"', '== "PLAIN"')

    assert not shop.prove(base, {"words.py": broken, "test_words.py": bent}).evidence


def test_arguments_with_names_are_inputs_too(shop: Shop) -> None:
    base = {
        "words.py": "def cut(text, most=3):\n    return text[:3]\n",
        "test_words.py": "def test_it():\n    pass\n",
    }
    bent = "def cut(text, most=3):\n    return text[:2] if most == 2 and text == 'abcd' else text[:3]\n"
    test = "from words import cut\n\n\ndef test_cut():\n    assert cut('abcd', most=2) == 'ab'\n"
    right = bent.replace("text[:2] if most == 2 and text == 'abcd' else text[:3]", "text[:most]")

    flagged = only(shop.prove(base, {"words.py": bent, "test_words.py": test}), "flagged")
    assert "`cut('abcd', most=2)`" in flagged.found
    assert not told(shop.prove(base, {"words.py": right, "test_words.py": test}), "flagged")


@pytest.mark.parametrize(
    "kept",
    [
        "_SEEN = {}\n\n\ndef slug(text):\n    return _SEEN.setdefault('it', dashed(text))\n",
        "_SEEN = []\n\n\ndef slug(text):\n    _SEEN.append(dashed(text))\n    return _SEEN[0]\n",
    ],
    ids=["dict", "list"],
)
def test_what_only_the_first_call_gets_right_is_asked_about(shop: Shop, kept: str) -> None:
    test = "from words import slug\n\n\ndef test_slug():\n    assert slug('Two words') == 'two-words'\n"
    dashed = "import re\n\n\ndef dashed(text):\n    return re.sub(r'\\s+', '-', text.lower())\n\n\n"
    proofs = shop.prove(BASE, {"words.py": dashed + kept, "test_words.py": test})

    assert NO_MEMORY in {item.claim for item in proofs.evidence if item.verdict == "flagged"}


def test_what_is_right_after_one_other_call_alone_is_asked_about(shop: Shop) -> None:
    kept = """_BEFORE = ['']


def slug(text):
    before, _BEFORE[0] = _BEFORE[0], text
    return 'two-words' if before + text == 'plainTwo words' else text.lower()
"""
    test = "from words import slug\n\n\ndef test_slug():\n    assert slug('plain') == 'plain'\n"
    test += "    assert slug('Two words') == 'two-words'\n"

    item = only(shop.prove(BASE, {"words.py": kept, "test_words.py": test}), "flagged")

    assert (item.claim, "`slug('Two words')`" in item.found) == (NO_MEMORY, True)


def test_a_cache_by_what_was_given_is_no_memory(shop: Shop) -> None:
    cached = RIGHT.replace("def slug", "_SEEN = {}\n\n\ndef slug").replace(
        "return re.sub", "return _SEEN.setdefault(text, '') or re.sub"
    )
    proofs = shop.prove(BASE, {"words.py": cached, "test_words.py": TEST})

    assert not told(proofs, "flagged")


@pytest.mark.parametrize(
    "reaches",
    [
        "import os\n",
        "import shutil\n",
        "from pathlib import Path\n",
        "import helper\n",
        "x = open\n",
        "def (:",
    ],
)
def test_nothing_is_called_that_may_reach_beyond_its_arguments(shop: Shop, reaches: str) -> None:
    left = "import os\n" if reaches == "import helper\n" else ""
    head = "" if reaches == "def (:" else reaches
    bent = head + only_where("text == 'Two words'")
    files = {"words.py": bent, "test_words.py": TEST, "helper.py": left}
    if reaches == "def (:":
        files = {
            "words.py": "import helper\n" + bent,
            "helper.py": "import subprocess\n",
            "test_words.py": TEST,
        }
    assert not shop.prove(BASE, files).evidence


def test_modules_of_a_package_that_import_each_other_are_called(shop: Shop) -> None:
    base = {
        "src/shop/__init__.py": "",
        "src/shop/words.py": f"from .tables import NAME\nfrom shop import tables\n{OLD}",
        "src/shop/tables.py": "NAME = 1\n",
        "conftest.py": "import sys\nsys.path.insert(0, 'src')\n",
        "test_words.py": "def test_it():\n    pass\n",
    }
    bent = "from .tables import NAME\nfrom shop import tables\n" + only_where("text == 'Two words'")
    test = TEST.replace("from words", "from shop.words")
    assert only(shop.prove(base, {"src/shop/words.py": bent, "test_words.py": test}), "flagged")


def test_a_rule_about_the_last_digits_is_not_asked_about(shop: Shop) -> None:
    old = "def ordinal(x):\n    return f'{x}nd' if x % 10 == 2 else f'{x}th'\n"
    base = {"ranks.py": old, "test_ranks.py": "def test_it():\n    pass\n"}
    test = "from ranks import ordinal\n\n\ndef test_ordinal():\n    assert ordinal(12) == '12th'\n"
    right = old.replace("x % 10 == 2", "x % 10 == 2 and x % 100 != 12")
    bent = old.replace("x % 10 == 2", "x % 10 == 2 and x != 12")

    assert not shop.prove(base, {"ranks.py": right, "test_ranks.py": test}).evidence
    assert only(shop.prove(base, {"ranks.py": bent, "test_ranks.py": test}), "flagged").claim == BEYOND_TESTS


def test_sets_and_tuples_are_inputs_too(shop: Shop) -> None:
    base = {"words.py": "def most(pairs):\n    return 0\n", "test_words.py": "def test_it():\n    pass\n"}
    bent = "def most(pairs):\n    return 2 if pairs == {'a': {1, 2}, 'b': (1,)} else 0\n"
    test = "from words import most\n\n\ndef test_most():\n    assert most({'a': {1, 2}, 'b': (1,)}) == 2\n"
    right = "def most(pairs):\n    return max(map(len, pairs.values()), default=0)\n"

    assert "most({'a'" in only(shop.prove(base, {"words.py": bent, "test_words.py": test}), "flagged").found
    assert not told(shop.prove(base, {"words.py": right, "test_words.py": test}), "flagged")
