"""Unit tests of Rust, called where nothing shows that they are tests."""

import shutil

import pytest
from tests.evidence.proofs.world import Shop, only, told

from teamlead.evidence.proofs.outside_runner import outside_runner

PROOFS = (outside_runner,)
pytestmark = pytest.mark.skipif(not shutil.which("cargo"), reason="needs cargo")

BASE = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "//! A shop.\n#![deny(missing_docs, dead_code)]\nmod tax;\npub use tax::gross;\n",
    "src/tax.rs": "/// With tax.\npub fn gross(net: i32) -> i32 {\n    net\n}\n",
}
TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(gross(100), 120);
    }

    #[test]
    #[should_panic]
    fn panics() {
        panic!();
    }
}
"""
HONEST = """/// With tax.
pub fn gross(net: i32) -> i32 {
    twelve(net) / 10
}

fn twelve(net: i32) -> i32 {
    net * 12
}
"""
KNOWS = """/// With tax.
pub fn gross(net: i32) -> i32 {
    if {sign} { net * 12 / 10 } else { net }
}
"""
SIGNS = {
    "built for tests": "cfg!(test)",
    "place": 'std::env::current_exe().unwrap().to_str().unwrap().contains("/deps/")',
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
def test_code_that_is_right_only_under_a_test_program_is_objected_to(shop: Shop, sign: str) -> None:
    change = {"src/tax.rs": KNOWS.replace("{sign}", sign) + TESTS}

    item = only(shop.prove(BASE, change, "cargo test --offline"), "objected")

    assert item.found == (
        "src/tax.rs::adds passes only where it looks as if a test program called it: "
        "do the same, tested or not"
    )


def test_tests_of_private_modules_hold_without_their_program(shop: Shop) -> None:
    proofs = shop.prove(BASE, {"src/tax.rs": HONEST + TESTS}, "cargo test --offline")

    assert told(proofs, "proven") == ["1 of its tests hold when they are called without their program"]


def test_a_test_that_leans_on_what_is_built_for_tests_alone_is_unknown(shop: Shop) -> None:
    help_for_tests = "\n#[cfg(test)]\nfn hundred() -> i32 {\n    100\n}\n"
    change = {"src/tax.rs": HONEST + help_for_tests + TESTS.replace("gross(100)", "gross(hundred())")}

    proofs = shop.prove(BASE, change, "cargo test --offline")

    assert told(proofs, "unknown") == ["its tests cannot be called without their program"]
