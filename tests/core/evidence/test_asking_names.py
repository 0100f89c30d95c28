from teamlead.core.evidence.asking_names import Asking, asking, tells_all
from teamlead.core.evidence.values import SuiteRun


def numbers(runner: str) -> SuiteRun:
    return SuiteRun(runner, 3, 0, 0)


def test_whoever_told_all_names_is_not_asked() -> None:
    assert asking("pytest -v", SuiteRun("pytest", 1, 0, 0, {"a.py::x": "passed"})) is None
    assert asking("make", None) is None


def test_pytest_is_asked_through_its_environment_whatever_hides_it() -> None:
    asked = asking("make test", numbers("pytest"))
    assert asked is not None
    assert asked.command == "make test"
    assert asked.environment["PYTEST_ADDOPTS"].startswith("-vvv")


def test_go_that_tells_packages_is_asked_for_their_tests_and_keeps_the_users_flags() -> None:
    packages = SuiteRun("go", 2, 0, 0, {"m/a": "passed", "m/b": "passed"})
    assert packages.complete
    assert not tells_all(packages)
    assert asking("go test ./...", packages) == Asking('export GOFLAGS="$(go env GOFLAGS) -v"\ngo test ./...')
    assert tells_all(SuiteRun("go", 1, 1, 0, {"m/a::TestA": "passed", "m/b": "failed"}))


def test_unittest_is_asked_only_where_the_command_plainly_calls_it() -> None:
    told = numbers("unittest")
    assert asking("cd x && python -m unittest a.B", told) == Asking("cd x && python -m unittest -v a.B")
    # Before `discover` it knows no option.
    assert asking("python -m unittest discover -s a", told) == Asking("python -m unittest discover -v -s a")
    assert asking("./manage.py test app", told) == Asking("./manage.py test -v 2 app")
    assert asking("make test", told) is None


def test_several_programs_of_one_command_are_asked_together() -> None:
    asked = asking("make", numbers("pytest+jest+node"))
    assert asked is not None
    assert set(asked.environment) == {"PYTEST_ADDOPTS", "TOX_OVERRIDE", "NODE_OPTIONS"}
    first, second = asked.environment["NODE_OPTIONS"].split()
    assert first.startswith("--import=data:text/javascript,")
    assert second == "--test-reporter=tap"


def test_programs_that_share_a_way_are_asked_once() -> None:
    asked = asking("npm test", numbers("jest+vitest"))
    assert asked is not None
    assert len(asked.environment["NODE_OPTIONS"].split()) == 1


def test_there_is_no_way_to_ask_what_prints_reports() -> None:
    assert asking("make", numbers("junit")) is None
