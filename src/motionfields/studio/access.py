"""Access rules of the server: a request needs the token, an allowed `Host` and, if it has one, an allowed `Origin`.

The token is part of the address, so another site open in the same browser does not know it. The `Host` check prevents
DNS rebinding, where another name is made to resolve to this server. The `Origin` check stops scripts of other sites
from connecting, even if they have the token. Both checks apply to plain requests and to WebSocket upgrades.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
HTTP_PORT = 80
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,128}")


@dataclass(frozen=True)
class Access:
    """Access rules of a server that listens on `port` of `host`, which is an IP address or `localhost`.

    `names` are further host names under which its page may be opened.
    """

    host: str
    port: int
    token: str
    names: tuple[str, ...] = ()

    @classmethod
    def on(cls, host: str, port: int, *, token: str | None = None, names: Sequence[str] = ()) -> Access:
        """Return the rules for an address; raise ValueError if the arguments do not allow safe access.

        Without a `token`, a random one is generated, but only on a loopback address. An address that other machines can
        reach needs an explicit token, and an unspecified address (such as 0.0.0.0) also needs `names`.
        """
        address = _address(host)
        if token is None and not address.is_loopback:
            raise ValueError(f"host: {host} can be reached from other machines; set a token with --token")
        if address.is_unspecified and not names:
            raise ValueError(f"host: {host} means every address; set the name or address of the page with --name")
        if token is not None and not TOKEN.fullmatch(token):
            raise ValueError("token: expected at least 8 letters, digits, - or _")
        return cls(host, port, secrets.token_urlsafe(16) if token is None else token, tuple(names))

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return _address(self.host).is_loopback

    @property
    def url(self) -> str:
        """URL of the page."""
        return f"http://{self.hosts[0]}{self.path}"

    @property
    def path(self) -> str:
        """Prefix of all request paths: the token between slashes."""
        return f"/{self.token}/"

    @property
    def hosts(self) -> Sequence[str]:
        """Allowed values of the `Host` header, in lower case."""
        address = _address(self.host)
        own = f"[{address}]" if address.version == 6 else str(address)
        names = LOOPBACK_NAMES if address.is_loopback else () if address.is_unspecified else (own,)
        names = (*((own,) if address.is_loopback else ()), *names, *self.names)
        port = "" if self.port == HTTP_PORT else f":{self.port}"  # browsers leave out the default port
        return tuple(dict.fromkeys(f"{name.lower()}{port}" for name in names))

    def refusal(self, path: str, headers: Mapping[str, Sequence[str]]) -> str | None:
        """Return the reason to refuse a request for `path` with `headers` (lower-case names), or None to allow it."""
        hosts, origins = headers.get("host", ()), headers.get("origin", ())
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "wrong Host"
        if len(origins) > 1 or (origins and origins[0].lower() not in {f"http://{host}" for host in self.hosts}):
            return "wrong Origin"
        given = path.split("/", 2)[1] if path.count("/") >= 2 else ""
        return None if secrets.compare_digest(given.encode(), self.token.encode()) else "wrong token"


def is_any_address(host: str) -> bool:
    """Return whether `host` stands for all addresses of this machine."""
    return _address(host).is_unspecified


def own_address() -> str:
    """Return the address of this machine in the local network; raise ValueError if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: this chooses a route and sends nothing
        except OSError:
            raise ValueError("host: this machine is in no network; set the address of the page with --name") from None
        return str(probe.getsockname()[0])


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise ValueError(f"host: expected an address such as 127.0.0.1, or localhost, got {host!r}") from None
