"""Which ports of the network a strict room leaves open: those that its environment sends programs to."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

SECURE = 443
DEFAULTS = {"http": 80, "https": SECURE, "socks5": 1080, "socks5h": 1080}


def open_ports(environment: Mapping[str, str], *addresses: str) -> tuple[int, ...]:
    """Lists ports of services and proxies that variables name, those of `addresses`, and that of HTTPS."""
    named = (_port(address) for address in (*_addresses(environment.values()), *addresses))
    return tuple(sorted({SECURE, *(port for port in named if port)}))


def _addresses(values: Iterable[str]) -> Iterable[str]:
    return (value for value in values if "://" in value)


def _port(address: str) -> int | None:
    try:
        parts = urlsplit(address)
        return parts.port or DEFAULTS.get(parts.scheme)
    except ValueError:
        return None
