from pathlib import Path

import pytest
from tests.workspaces.conftest import write
from tests.workspaces.test_preparing import git

from teamlead.errors import ConfigError
from teamlead.system.repository import Repository
from teamlead.workspaces.provisions import Provisions, refuse_obstacles


@pytest.fixture
def commit(root: Path) -> str:
    """In it `data` and `deep/data` are links, `one` is a file and `two` a folder; here they are not."""
    (root / "data").symlink_to("src")
    (root / "deep").mkdir()
    (root / "deep/data").symlink_to("../src")
    write(root, {"one": "x", "two/file": "x", "deep/kept/file": "x", "deep0": "x"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "links")
    for path in ("data", "deep/data", "one", "two/file"):
        (root / path).unlink()
    (root / "two").rmdir()
    write(root, {"data/set.bin": "x", "deep/data/set.bin": "x", "one/file": "x", "two": "x"})
    write(root, {"deep/kept/own": "x", "new/file": "x", ".env": "x"})
    return git(root, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Provisions(copy=("data",)), "`copy` cannot put 'data' .* 'data' is a symbolic link"),
        (Provisions(copy=("data/*.bin",)), "'data' is a symbolic link"),
        (Provisions(copy=(".env", "deep")), "cannot put 'deep' .* 'deep/data' is a symbolic link"),
        (Provisions(copy=("one",)), "'one' is a file"),
        (Provisions(copy=("two",)), "'two' is a folder"),
        (Provisions(link=("data/set.bin",)), "`link` cannot put .* 'data' is a symbolic link"),
    ],
)
def test_what_a_commit_has_in_the_way_is_the_configurations_fault(
    repository: Repository, commit: str, wanted: Provisions, said: str
) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        refuse_obstacles(repository, commit, wanted)
    assert "make the two agree" in refused.value.remedy


def test_what_agrees_or_is_replaced_in_one_step_is_not_in_the_way(
    repository: Repository, commit: str
) -> None:
    (repository.root / "README.md").unlink()
    (repository.root / "README.md").symlink_to("src/app.py")
    refuse_obstacles(
        repository,
        commit,
        Provisions(
            copy=(".env", "new", "deep/kept", "src", "README.md", "absent"), link=("new/file", "data")
        ),
    )
