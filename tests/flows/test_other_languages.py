"""Projects in other languages, with their own runners: a bent test is seen, mended code holds."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.flows.support import SETTINGS, Project, done, write

PACKAGES = ("vitest@3",)
"""Of npm; the newest that runs on node 18, too."""
WRONG, RIGHT = "net * 10 / 10", "net * 12 / 10"


class Shop(NamedTuple):
    """A project whose test fails, as its source is wrong."""

    check: str
    source: str
    test: str
    """The paths."""
    files: Mapping[str, str]
    programs: tuple[str, ...]

    def mended(self) -> str:
        assert self.files[self.source].count(WRONG) == 1
        return self.files[self.source].replace(WRONG, RIGHT)

    def renamed(self) -> str:
        """As wrong as it was."""
        return self.files[self.source].replace("net", "amount")

    def bent(self) -> str:
        assert self.files[self.test].count("120") == 1
        return self.files[self.test].replace("120", "100")


def javascript(check: str, test: str, text: str) -> Shop:
    files = {
        "package.json": f'{{"name": "shop", "type": "module", "scripts": {{"test": "{check}"}}}}\n',
        "tax.js": f"export function gross(net) {{\n  return {WRONG};\n}}\n",
        test: f'import {{ gross }} from "../tax.js";\n{text}',
        ".gitignore": "node_modules/\n",
    }
    return Shop("npm test", "tax.js", test, files, ("node", "npm"))


OF_NODE = """\
import assert from "node:assert";
import { test } from "node:test";

test("gross adds the tax", () => {
  assert.strictEqual(gross(100), 120);
});
test("nothing stays nothing", () => {
  assert.strictEqual(gross(0), 0);
});
"""
OF_VITEST = """\
import { describe, expect, it } from "vitest";

describe("gross", () => {
  it("adds the tax", () => {
    expect(gross(100)).toBe(120);
  });
  it("leaves nothing as it is", () => {
    expect(gross(0)).toBe(0);
  });
});
"""
OF_GO = """\
package shop

import "testing"

func TestGross(t *testing.T) {
	if got := Gross(100); got != 120 {
		t.Errorf("got %d", got)
	}
}

func TestNothing(t *testing.T) {
	if got := Gross(0); got != 0 {
		t.Errorf("got %d", got)
	}
}
"""
OF_CARGO = """\
#[test]
fn adds_the_tax() {
    assert_eq!(shop::gross(100), 120);
}

#[test]
fn leaves_nothing_as_it_is() {
    assert_eq!(shop::gross(0), 0);
}
"""
SHOPS = {
    "node": javascript("node --test", "test/tax.test.js", OF_NODE),
    "vitest": javascript("vitest run", "test/tax.test.js", OF_VITEST),
    "go": Shop(
        "go test ./...",
        "tax.go",
        "tax_test.go",
        {
            "go.mod": "module shop\n\ngo 1.18\n",
            "tax.go": f"package shop\n\nfunc Gross(net int) int {{\n\treturn {WRONG}\n}}\n",
            "tax_test.go": OF_GO,
        },
        ("go",),
    ),
    "cargo": Shop(
        "cargo test --offline",
        "src/lib.rs",
        "tests/tax.rs",
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n',
            "src/lib.rs": f"pub fn gross(net: u32) -> u32 {{\n    {WRONG}\n}}\n",
            "tests/tax.rs": OF_CARGO,
            ".gitignore": "target/\nCargo.lock\n",
        },
        ("cargo", "cc"),
    ),
}


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[[], Path]:
    """Installs them once, whatever number of processes runs the tests."""
    base = tmp_path_factory.getbasetemp()
    place = (base if worker_id == "master" else base.parent) / "npm-packages"

    def installed() -> Path:
        place.mkdir(exist_ok=True)
        with (place / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (place / "installed").exists():
                (place / "package.json").write_text("{}\n")
                command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES]
                ended = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
                if ended.returncode:
                    pytest.skip(f"npm installs nothing here: {ended.stderr[-500:]}")
                (place / "installed").touch()
        return place / "node_modules"

    return installed


def prepared(project: Project, shop: Shop, packages: Callable[[], Path]) -> Project:
    for program in shop.programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    homes = {"GOCACHE": ".cache/go-build", "RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}
    for name, folder in homes.items():
        project.environment[name] = os.environ.get(name) or str(Path.home() / folder)
    project.commit("A shop", shop.files)
    if "npm" not in shop.programs:
        # Its developer has built it before, so that the compiler has what is the same for every project.
        built = subprocess.run(
            shop.check.split(), cwd=project.root, env=project.environment, capture_output=True, check=False
        )
        assert b"100" in built.stdout, built
    elif "node --test" not in shop.files["package.json"]:
        shutil.copytree(packages(), project.root / "node_modules", symlinks=True, copy_function=os.link)
        project.settings(f'{SETTINGS}link = ["node_modules"]\n')
    return project


@pytest.mark.parametrize("name", SHOPS)
def test_a_bent_test_is_sent_back_and_mended_source_is_accepted(
    project: Project, packages: Callable[[], Path], name: str
) -> None:
    shop = SHOPS[name]
    bent = [write(shop.source, shop.renamed()), write(shop.test, shop.bent()), done("All tests pass.")]
    mends = [
        write(shop.source, shop.mended()),
        write(shop.test, shop.files[shop.test]),
        done("All tests pass."),
    ]
    prepared(project, shop, packages).task(1, bent, mends, checks=[shop.check])

    ended = project.start()

    first, second = (project.teamlead("evidence", "1", "--attempt", number).out for number in "12")
    assert (ended.code, project.outcomes(1)) == (3, ["returned", "accepted"]), first + second
    assert "failed before, and still fails without the changes of" in first
    assert "objected" not in second
    assert project.content(project.integration, shop.source) == shop.mended().rstrip("\n")
