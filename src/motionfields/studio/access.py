"""Who may talk to the server: those who know the token, under a name that is its own, from its own page.

The token is part of the address, so a page that a stranger's site opens in the same browser does not have it. The
`Host` is checked so that no other name can be made to point here (DNS rebinding), the `Origin` so that no other site's
script can connect, even one that got hold of the token. Both are checked for plain requests and for upgrades alike.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
HTTP_PORT = 80
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")


@dataclass(frozen=True)
class Access:
    """The rules of a server that listens on the address `host`, a number or `localhost`, and on `port`.

    `names` are further names under which its page may be opened.
    """

    host: str
    port: int
    token: str
    names: tuple[str, ...] = ()

    @classmethod
    def on(cls, host: str, port: int, *, token: str | None = None, names: Sequence[str] = ()) -> Access:
        """The rules for an address; ValueError if they cannot be kept.

        A token that is not given is made up, but only where no other machine can reach the server: to open it to others
        takes one that was chosen for it.
        """
        address = _address(host)
        if token is None and not address.is_loopback:
            raise ValueError(f"host: {host} can be reached from other machines; choose a token, which they will need")
        if address.is_unspecified and not names:
            raise ValueError(f"host: {host} stands for every address; say by which name or address the page is opened")
        if token is not None and not TOKEN.fullmatch(token):
            raise ValueError("token: expected at least 8 letters, digits, - and _")
        return cls(host, port, secrets.token_urlsafe(16) if token is None else token, tuple(names))

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self.hosts[0]}{self.path}"

    @property
    def path(self) -> str:
        """What all paths begin with."""
        return f"/{self.token}/"

    @property
    def hosts(self) -> Sequence[str]:
        """What a `Host` may be."""
        address = _address(self.host)
        own = f"[{address}]" if address.version == 6 else str(address)
        names = LOOPBACK_NAMES if address.is_loopback else () if address.is_unspecified else (own,)
        names = (*((own,) if address.is_loopback else ()), *names, *self.names)
        port = "" if self.port == HTTP_PORT else f":{self.port}"  # as browsers say it
        return tuple(dict.fromkeys(f"{name.lower()}{port}" for name in names))

    def refusal(self, path: str, headers: Mapping[str, Sequence[str]]) -> str | None:
        """Why a request for `path` with `headers` (lower-case names) is refused, or None if it is not."""
        hosts, origins = headers.get("host", ()), headers.get("origin", ())
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "wrong Host"
        if len(origins) > 1 or (origins and origins[0].lower() not in {f"http://{host}" for host in self.hosts}):
            return "wrong Origin"
        given = path.split("/", 2)[1] if path.count("/") >= 2 else ""
        return None if secrets.compare_digest(given.encode(), self.token.encode()) else "wrong token"


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise ValueError(f"host: expected an address such as 127.0.0.1, or localhost, got {host!r}") from None
