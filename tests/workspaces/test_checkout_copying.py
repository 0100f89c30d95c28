import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

import pytest
from tests.workspaces.test_preparing import Opener, git, run

from teamlead.errors import Failed
from teamlead.workspaces.checkout_copying import copy_into, named
from teamlead.workspaces.provisions import Provisions, passed_over


@pytest.fixture
def furnished(tmp_path: Path) -> Path:
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
    furnished: Path, pattern: str, paths: list[str]
) -> None:
    assert named(furnished, pattern).paths == tuple(PurePosixPath(path) for path in paths)


@pytest.mark.parametrize("pattern", ["data/set.bin", "data/*", "*/set.bin", "data/**"])
def test_a_link_on_the_way_is_told_and_not_followed(furnished: Path, pattern: str) -> None:
    assert named(furnished, pattern) == ((), (PurePosixPath("data"),))


def test_a_link_that_leads_to_no_folder_hides_nothing(furnished: Path) -> None:
    (furnished / "file").symlink_to(furnished / ".env")
    (furnished / "nowhere").symlink_to("nowhere")
    assert named(furnished, "file/x") == named(furnished, "nowhere/x") == ((), ())


AS_ANOTHER = """
import os, sys
from pathlib import Path
from teamlead.workspaces.checkout_copying import named
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


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    return folder


def put(checkout: Path, copy: Path, path: str) -> None:
    copy_into(checkout, copy, PurePosixPath(path))


def test_a_file_comes_with_its_mode_and_times_in_the_place_of_what_was_there(
    checkout: Path, copy: Path
) -> None:
    (checkout / "a").mkdir()
    (checkout / "a/run.sh").write_text("new")
    (checkout / "a/run.sh").chmod(0o751)
    os.utime(checkout / "a/run.sh", ns=(10**18, 10**18))
    (copy / "a").mkdir()
    (copy / "a/run.sh").write_text("old and longer")

    put(checkout, copy, "a/run.sh")

    found = (copy / "a/run.sh").stat()
    assert (copy / "a/run.sh").read_text() == "new"
    assert (stat.S_IMODE(found.st_mode), found.st_mtime_ns) == (0o751, 10**18)
    assert [path.name for path in (copy / "a").iterdir()] == ["run.sh"]


def test_a_folder_comes_whole_with_its_links_as_links_into_what_was_there(checkout: Path, copy: Path) -> None:
    (checkout / "node_modules/.bin").mkdir(parents=True)
    (checkout / "node_modules/tool").mkdir()
    (checkout / "node_modules/tool/main.js").write_text("js")
    (checkout / "node_modules/.bin/tool").symlink_to("../tool/main.js")
    (checkout / "node_modules/up").symlink_to("/")
    os.mkfifo(checkout / "node_modules/pipe")
    (copy / "node_modules").mkdir()
    (copy / "node_modules/kept").write_text("kept")
    (copy / "node_modules/up").write_text("a file")

    put(checkout, copy, "node_modules")

    assert (copy / "node_modules/.bin/tool").readlink() == Path("../tool/main.js")
    assert (copy / "node_modules/.bin/tool").read_text() == "js"
    assert (copy / "node_modules/up").readlink() == Path("/")
    assert (copy / "node_modules/kept").read_text() == "kept"
    assert sorted(path.name for path in (copy / "node_modules").iterdir()) == [".bin", "kept", "tool", "up"]


def test_no_copy_runs_with_the_privileges_of_its_owner(checkout: Path, copy: Path) -> None:
    (checkout / "tools").mkdir()
    (checkout / "tools/mount").touch()
    for path in ("tools/mount", "tools"):
        (checkout / path).chmod(0o6751)

    put(checkout, copy, "tools")

    modes = [stat.S_IMODE((copy / path).stat().st_mode) for path in ("tools/mount", "tools")]
    assert modes == [0o751, 0o751]


def test_a_folder_that_may_only_be_read_is_filled_first(checkout: Path, copy: Path) -> None:
    (checkout / "folder").mkdir()
    (checkout / "folder/file").write_text("x")
    (checkout / "folder").chmod(0o500)

    put(checkout, copy, "folder")

    assert stat.S_IMODE((copy / "folder").stat().st_mode) == 0o500
    assert (copy / "folder/file").read_text() == "x"
    for folder in (checkout / "folder", copy / "folder"):
        folder.chmod(0o700)


@pytest.mark.parametrize("path", ["data/notes.txt", "data/deep/er.txt", "data"])
def test_nothing_is_written_or_removed_where_a_link_of_the_copy_leads(
    checkout: Path, copy: Path, tmp_path: Path, path: str
) -> None:
    """The commit has a link where the user's checkout has a folder."""
    theirs = tmp_path / "theirs"
    (theirs / "deep").mkdir(parents=True)
    (theirs / "notes.txt").write_text("the only one")
    (copy / "data").symlink_to(theirs)
    (checkout / "data/deep").mkdir(parents=True)
    for name in ("notes.txt", "deep/er.txt"):
        (checkout / "data" / name).write_text("from the checkout")

    with pytest.raises(Failed, match=r"copy/data' is a symbolic link"):
        put(checkout, copy, path)

    assert (theirs / "notes.txt").read_text() == "the only one"
    assert sorted(path.name for path in theirs.rglob("*")) == ["deep", "notes.txt"]


def test_a_link_that_comes_on_the_way_to_the_source_is_not_followed(
    checkout: Path, copy: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (checkout / "data").symlink_to(tmp_path)
    with pytest.raises(Failed, match=r"checkout/data' is a symbolic link"):
        put(checkout, copy, "data/secret")
    assert not (copy / "data/secret").exists()


def test_a_link_in_the_copy_is_replaced_and_not_written_through(
    checkout: Path, copy: Path, tmp_path: Path
) -> None:
    (tmp_path / "theirs").write_text("theirs")
    (copy / ".env").symlink_to(tmp_path / "theirs")
    (checkout / ".env").write_text("mine")

    put(checkout, copy, ".env")

    assert (tmp_path / "theirs").read_text() == "theirs"
    assert not (copy / ".env").is_symlink()
    assert (copy / ".env").read_text() == "mine"


def test_a_file_in_the_place_of_a_folder_is_told_and_so_is_a_folder_in_that_of_a_file(
    checkout: Path, copy: Path
) -> None:
    for folder, other in ((checkout, copy), (copy, checkout)):
        name = "one" if folder is checkout else "two"
        (folder / name).mkdir()
        (other / name).write_text("x")
    with pytest.raises(Failed, match=r"copy/one' is no folder"):
        put(checkout, copy, "one")
    with pytest.raises(Failed, match=r"copy/two' is a folder"):
        put(checkout, copy, "two")


@pytest.mark.parametrize("setting", ["copy", "link"])
def test_files_behind_a_tracked_link_stay_as_they_are_and_the_user_is_told_that_they_are_passed_over(
    open_workspace: Opener, root: Path, tmp_path: Path, setting: str
) -> None:
    theirs = tmp_path / "mnt"
    theirs.mkdir()
    (theirs / "set.bin").write_text("the only one")
    (root / "data").symlink_to(theirs)
    (root / ".env").write_text("KEY=1")
    git(root, "add", "data")
    git(root, "commit", "-qm", "a link")
    provisions = Provisions(**{setting: ("data/set.bin", "data/*", ".env")})  # type: ignore[arg-type]
    workspace = open_workspace(provisions=provisions)

    copy = run(workspace.prepare("task-1", 1, [git(root, "rev-parse", "HEAD")], "", fresh=True))

    assert (theirs / "set.bin").read_text() == "the only one"
    assert not (theirs / "set.bin").is_symlink()
    assert sorted(path.name for path in theirs.iterdir()) == ["set.bin"]
    assert (copy.path / "data/set.bin").read_text() == "the only one"
    assert (copy.path / ".env").read_text() == "KEY=1"
    told = list(passed_over(root, provisions))
    assert [line.partition(":")[0] for line in told] == [
        f"`{setting}` passes over 'data/set.bin'",
        f"`{setting}` passes over 'data/*'",
    ]
    assert all("'data' is a symbolic link" in line for line in told)


def test_a_link_is_not_placed_where_a_link_of_the_commit_leads(
    open_workspace: Opener, root: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (root / "vendor").symlink_to(theirs)
    git(root, "add", "vendor")
    git(root, "commit", "-qm", "a link")
    commit = git(root, "rev-parse", "HEAD")
    (root / "vendor").unlink()
    (root / "vendor/lib").mkdir(parents=True)

    with pytest.raises(Failed, match="is a symbolic link"):
        run(
            open_workspace(provisions=Provisions(link=("vendor/lib",))).prepare(
                "task-1", 1, [commit], "", fresh=True
            )
        )

    assert list(theirs.iterdir()) == []
