from __future__ import annotations

import pytest

from motionfields.studio.access import Access

TOKEN = "a-token-of-tests"
OWN = Access("127.0.0.1", 8017, TOKEN)
PATH = f"/{TOKEN}/"


def refusal(access: Access = OWN, path: str = PATH, **headers: str) -> str | None:
    given = {"host": "127.0.0.1:8017", **headers}
    return access.refusal(path, {name.replace("_", "-"): [value] for name, value in given.items()})


@pytest.mark.parametrize("host", ["127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017"])
def test_the_page_may_be_opened_by_any_name_of_this_machine(host: str) -> None:
    assert refusal(host=host) is None
    assert refusal(host=host, origin=f"http://{host}") is None


def test_without_an_origin_the_token_is_enough() -> None:
    assert refusal() is None
    assert refusal(path="/") == "wrong token"
    assert refusal(path=f"/{TOKEN}") == "wrong token"
    assert refusal(path=f"/{TOKEN}x/") == "wrong token"
    assert refusal(path=f"/{TOKEN.upper()}/") == "wrong token"
    assert refusal(path="/gr\u00fcn/") == "wrong token"


def test_no_host_and_two_hosts_are_refused() -> None:
    assert OWN.refusal(PATH, {}) == "wrong Host"
    assert OWN.refusal(PATH, {"host": ["127.0.0.1:8017"] * 2}) == "wrong Host"
    assert OWN.refusal(PATH, {"host": ["127.0.0.1:8017"], "origin": ["http://127.0.0.1:8017"] * 2}) == "wrong Origin"


def test_a_token_is_made_up_for_this_machine_alone() -> None:
    made = Access.on("127.0.0.1", 8017)
    assert len(made.token) >= 20
    assert made.token != Access.on("127.0.0.1", 8017).token
    assert made.url == f"http://127.0.0.1:8017/{made.token}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "2001:db8::1"])
def test_an_address_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(ValueError, match="set a token"):
        Access.on(host, 8017, names=["studio.local"])
    opened = Access.on(host, 8017, token=TOKEN, names=["studio.local"])
    assert refusal(opened, host="studio.local:8017", origin="http://studio.local:8017") is None
    assert refusal(opened, host="localhost:8017") == "wrong Host"


def test_an_address_that_stands_for_all_needs_a_name() -> None:
    with pytest.raises(ValueError, match="with --name"):
        Access.on("0.0.0.0", 8017, token=TOKEN)
    assert Access.on("192.168.1.5", 8017, token=TOKEN).url == f"http://192.168.1.5:8017/{TOKEN}/"
    assert Access.on("2001:db8::1", 8017, token=TOKEN).url == f"http://[2001:db8::1]:8017/{TOKEN}/"


@pytest.mark.parametrize("token", ["", "short", "with a space", "slash/slash", "ümläute-und-so", "x" * 129])
def test_a_token_that_is_short_or_no_part_of_an_address_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="token"):
        Access.on("127.0.0.1", 8017, token=token)


def test_a_name_is_no_address_to_listen_on() -> None:
    with pytest.raises(ValueError, match="expected an address"):
        Access.on("example.org", 8017)


def test_the_address_of_this_machine_is_one_or_its_absence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import contextlib
    import ipaddress
    import socket

    from motionfields.studio.access import own_address

    def unreachable(*_: object) -> None:
        raise OSError("no route")

    with contextlib.suppress(ValueError):  # the machine may be in no network
        assert ipaddress.ip_address(own_address()).version == 4
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    with pytest.raises(ValueError, match="--name"):
        own_address()
