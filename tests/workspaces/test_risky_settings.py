"""Which settings are worth stopping for. Those of whole repositories: see `test_mending`."""

import pytest

from teamlead.system.repository import Repository
from teamlead.workspaces.belongings import Values
from teamlead.workspaces.risky_settings import ORDINARY, Branches, risky

RUN_PROGRAMS = [
    "!touch x",
    "! touch x",
    "-c core.pager=x log",
    "--exec-path=/tmp/x status",
    "rebase -x 'touch x'",
    "rebase -ix 'touch x' main",
    "rebase -i --exec='touch x'",
    "rebase --exe 'touch x'",
    'reb"ase" \'-x\' "touch x"',
    "grep -Oevil x",
    "grep -nO x",
    "grep --open-files-in-pager=evil x",
    "grep --op=evil x",
    "filter-branch --tree-filter evil",
    '"filter-"branch --tree-filter evil',
    "difftool -x evil",
    "bisect run evil",
    "submodule foreach evil",
    "fetch --upload-pack=evil",
    "ls-remote --upl evil",
    "push --receive-pack=evil",
    "push --rece=evil",
    "clone -u evil",
    "clone --config core.pager=evil",
    "log 'unclosed",
]
DO_NOT = [
    "status --short",
    "log --graph --oneline --exclude=refs/stash --all",
    "log --extended-regexp --grep 'a b'",
    "rebase -i --autosquash",
    "rebase -Xours main",
    "commit --amend --no-edit",
    "grep -n -e x",
    "push --force-with-lease --recurse-submodules=check",
    "clone --depth 1",
    "diff --word-diff",
    "",
]


@pytest.mark.parametrize("alias", RUN_PROGRAMS)
def test_an_alias_that_runs_a_program_is_risky_however_it_is_spelled(alias: str) -> None:
    assert risky("alias.st", (), {"alias.st": (alias,)})


@pytest.mark.parametrize("alias", DO_NOT)
def test_any_other_alias_is_a_matter_of_taste(alias: str) -> None:
    assert not risky("alias.st", (), {"alias.st": (alias,)})


def test_where_a_branch_is_pushed_to_is_told_even_if_it_is_no_risk() -> None:
    assert ORDINARY.fullmatch("branch.main.remote")
    assert not ORDINARY.fullmatch("branch.main.pushremote")


def test_the_first_remote_of_a_branch_is_no_risk_where_nothing_is_known_of_branches() -> None:
    assert risky("branch.main.remote", (), {"branch.main.remote": ("https://evil.test/",)})
    assert not risky("branch.main.remote", (), {"branch.main.remote": ("fork",), "remote.fork.url": ("x",)})


def test_a_remote_whose_name_leads_out_of_its_place_is_not_taken_for_one_that_was_pushed_to(
    repository: Repository,
) -> None:
    after: Values = {"branch.main.remote": ("../heads",), "remote.../heads.url": ("x",)}
    branches = Branches(repository.common_dir, {"refs/heads/main": "x"})
    assert risky("branch.main.remote", (), after, branches)
