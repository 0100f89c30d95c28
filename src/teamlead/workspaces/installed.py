"""What was installed for a project in the user's checkout: virtual environments, `node_modules`."""

import os
from functools import lru_cache
from pathlib import Path, PurePosixPath

from teamlead.system.git import Git, UserSettings
from teamlead.system.repository import Repository


@lru_cache(maxsize=8)
def environments(repository: Repository, settings: UserSettings) -> tuple[PurePosixPath, ...]:
    """Ignored folders of the checkout that commands run from: what was installed for the project.

    Asked once: what is installed later is there for the next leader.
    """
    question = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    listed = Git(repository.git_dir, repository.root, settings).run(*question).fields
    folders = (PurePosixPath(os.fsdecode(field)) for field in listed if field.endswith(b"/"))
    return tuple(sorted(path for path in folders if _is_environment(repository.root / path)))


def _is_environment(folder: Path) -> bool:
    return not folder.is_symlink() and (
        folder.name == "node_modules"
        or any((folder / name).exists() for name in ("pyvenv.cfg", "conda-meta"))
    )
