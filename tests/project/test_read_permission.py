"""Resolving links and `..` within the readable folders, without touching anything outside."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from openclsp.project.read_permission import MAXIMUM_LINKS, ReadPermission


class Links:
    """A file system that contains only symbolic links and records the lookups."""

    def __init__(self, links: Mapping[str, str]) -> None:
        self.links = links
        self.asked: list[str] = []

    def target(self, path: str) -> str | None:
        """The target of the link."""
        self.asked.append(path)
        return self.links.get(path)


LINKS = {
    "/ws/inside": "sub/a.h",
    "/ws/up": "..",
    "/ws/top": "/",
    "/ws/away": "/outside/link",
    "/ws/back": "/ws/sub",
    "/ws/chain": "inside",
    "/ws/a": "b",
    "/ws/b": "a",
    "/sdk/inc": "v2",
    "/outside/link": "/ws/sub",
}
PERMISSION = ReadPermission(("/ws", "/sdk"), ("/single.h",), (("/home/me/ws", "/ws"),))


@pytest.mark.parametrize(
    ("path", "located"),
    [
        ("/ws/k.cl", "/ws/k.cl"),
        ("/ws/./sub//k.cl", "/ws/sub/k.cl"),
        ("/ws/sub/../k.cl", "/ws/k.cl"),
        ("/ws/../ws/k.cl", "/ws/k.cl"),
        ("/other/../ws/k.cl", "/ws/k.cl"),
        ("/home/me/ws/k.cl", "/ws/k.cl"),
        ("/home/me/sdk/../ws/k.cl", "/ws/k.cl"),
        ("/ws/inside", "/ws/sub/a.h"),
        ("/ws/chain", "/ws/sub/a.h"),
        ("/ws/back/b.h", "/ws/sub/b.h"),
        ("/ws/up/ws/k.cl", "/ws/k.cl"),
        ("/ws/up/sdk/inc/a.h", "/sdk/v2/a.h"),
        ("/single.h", "/single.h"),
        ("/ws/../k.cl", None),
        ("/ws2/k.cl", None),
        ("/etc/passwd", None),
        ("/ws/up/etc/passwd", None),
        ("/ws/top/etc/passwd", None),
        ("/ws/away/a.h", None),
        ("//server/share/a.h", None),
        ("k.cl", None),
        ("", None),
    ],
)
def test_where_a_path_leads(path: str, located: str | None) -> None:
    links = Links(LINKS)
    assert PERMISSION.locate(path, links.target) == located
    assert all(PERMISSION.allows(each) for each in links.asked), "something outside was looked up"


def test_a_circle_of_links_ends() -> None:
    links = Links(LINKS)
    assert PERMISSION.locate("/ws/a/k.cl", links.target) in ("/ws/a", "/ws/b")
    assert len(links.asked) == MAXIMUM_LINKS + 1


@pytest.mark.parametrize(
    ("path", "hidden"),
    [
        ("/ws/.env", True),
        ("/ws/.git/config", True),
        ("/ws/sub/.x/a.h", True),
        ("/ws/a.h", False),
        ("/ws/.open/a.h", False),
        ("/ws/.open/.b.h", True),
        ("/single.h", False),
    ],
)
def test_only_files_below_a_readable_folder_count_as_hidden(path: str, hidden: bool) -> None:
    permission = ReadPermission(("/ws", "/ws/.open"), ("/single.h",))
    assert permission.is_hidden(path) is hidden


def test_folders_are_named_with_links_in_them() -> None:
    permission = ReadPermission.for_named_paths(["/home/me/ws/"], resolve=lambda path: "/data/ws")
    assert permission == ReadPermission(("/data/ws",), (), (("/home/me/ws", "/data/ws"),))
