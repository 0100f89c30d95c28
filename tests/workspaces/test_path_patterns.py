import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

import pytest

from teamlead.workspaces.path_patterns import named


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name in (".env", "a/.env", "a/b/.env", "a/b/c.txt", ".git/config", "a/.git/config"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "set.bin").write_text("data")
    (root / "data").symlink_to(elsewhere)
    (root / "a" / "round").symlink_to(root)
    return root


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        (".env", [".env"]),
        ("./a/.env", ["a/.env"]),
        ("a/", ["a"]),
        ("absent", []),
        (".env/below", []),
        ("**/.env", [".env", "a/.env", "a/b/.env"]),
        ("a/*/.env", ["a/b/.env"]),
        ("a/**/c.txt", ["a/b/c.txt"]),
        ("a/**/b/c.*", ["a/b/c.txt"]),
        ("a/**", ["a/.env", "a/b", "a/round"]),
        ("*", [".env", "a", "data"]),
        ("**/*", [".env", "a", "data"]),
        ("[.]e?v", [".env"]),
        ("data", ["data"]),
        ("a/b*", ["a/b"]),
    ],
)
def test_a_pattern_names_what_is_there_but_gits_own_folders(
    checkout: Path, pattern: str, paths: list[str]
) -> None:
    assert named(checkout, pattern).paths == tuple(PurePosixPath(path) for path in paths)


@pytest.mark.parametrize("pattern", ["data/set.bin", "data/*", "*/set.bin", "data/**"])
def test_a_link_on_the_way_is_told_and_not_followed(checkout: Path, pattern: str) -> None:
    assert named(checkout, pattern) == ((), (PurePosixPath("data"),))


def test_a_link_that_leads_to_no_folder_hides_nothing(checkout: Path) -> None:
    (checkout / "file").symlink_to(checkout / ".env")
    (checkout / "nowhere").symlink_to("nowhere")
    assert named(checkout, "file/x") == named(checkout, "nowhere/x") == ((), ())


AS_ANOTHER = """
import os, sys
from pathlib import Path
from teamlead.workspaces.path_patterns import named
if os.getuid() == 0:
    # Root may read every folder.
    os.setgid(65534)
    os.setuid(65534)
print(*(named(Path(sys.argv[1]), pattern).paths for pattern in ("*", "closed/*")))
"""


def test_a_folder_that_cannot_be_read_names_nothing() -> None:
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name, "closed")
        closed.mkdir()
        (closed / "file").touch()
        Path(name).chmod(0o755)
        closed.chmod(0)
        command = [sys.executable, "-c", AS_ANOTHER, name]
        output = subprocess.run(command, capture_output=True, text=True, check=False)
        closed.chmod(0o700)
    assert output.stderr == ""
    assert output.stdout == "(PurePosixPath('closed'),) ()\n"
