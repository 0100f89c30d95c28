import re
import tomllib
from pathlib import Path

from teamlead.settings.loading import load
from teamlead.settings.schema import KEYS, TABLES
from teamlead.settings.template import config_template

THEIRS = [key for key in KEYS if not key.own_only]


def test_the_template_explains_every_setting_of_a_repository_and_sets_none() -> None:
    text = config_template()
    assert tomllib.loads(text) == {}
    assert "expose" not in text
    for key in (*THEIRS, *(key for table in TABLES for key in table.keys)):
        assert f"# {key.description}\n# {key.name} = " in text


def test_every_line_of_the_template_can_be_uncommented(root: Path) -> None:
    uncommented = re.sub(r"^# (\w+ = |\[)", r"\1", config_template(), flags=re.MULTILINE)
    (root / ".teamlead" / "config.toml").write_text(uncommented)
    settings = load(root)
    assert {settings.origin(key.name).kind for key in THEIRS} == {"repository"}
    for key in THEIRS:
        assert not key.default or settings.value(key.name) == key.default
    for table in TABLES:
        assert set(settings.entries(table.name)[table.entry]) == {key.name for key in table.keys}
