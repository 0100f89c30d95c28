"""Commands by which a person decides or steers: nothing that their team has started may call them."""

from pathlib import Path
from typing import Any

import click

from teamlead.system.process_owner import require_person, require_person_in
from teamlead.system.user_folders import state_home


class Decision(click.Command):
    def invoke(self, ctx: click.Context) -> Any:
        require_person(state_home())
        require_person_in(Path.cwd())
        return super().invoke(ctx)
