"""The teams that come with the program can be used as they are."""

import pytest

from teamlead.teams.library import ORDER, library, read_preset
from teamlead.teams.load import load
from teamlead.teams.wishes import wishes

WORDS = {
    "bugfix": "error exception NPE bug 에러 버그 장애",
    "devops": "k8s resource deploy helm 리소스 배포",
    "dev-backend": "api endpoint service controller backend",
    "dev-frontend": "component UI 컴포넌트 페이지 responsive frontend",
}


@pytest.mark.parametrize("name", ORDER)
def test_a_team_of_ours_has_no_problem_and_asks_for_nothing(name: str) -> None:
    found = library(None).named(name)
    assert found is not None
    loaded = load(read_preset(found, None), name)
    assert loaded.problems == []
    assert wishes(loaded.preset) == ()
    assert set(WORDS[name].split()) <= set(found.head.keywords)
    assert all(part.instructions for stage in loaded.preset.stages for part in stage.parts)
    assert {card.name for card in loaded.preset.cards} == {"analysis", "design", "implementation", "review"}
