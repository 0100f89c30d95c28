from tests.sessions.conftest import home, repository

__all__ = ["home", "repository"]
