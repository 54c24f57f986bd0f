"""Zip archives made byte by byte, so that every field can lie."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property

STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14
UTF8_NAME = 0x800


@dataclass(frozen=True)
class Member:
    """A member and what its headers say; None is the truth."""

    name: bytes
    data: bytes = b""
    method: int = DEFLATED
    flags: int = UTF8_NAME
    packed: bytes | None = None
    size: int | None = None
    packed_size: int | None = None
    crc: int | None = None
    offset: int | None = None
    mode: int = 0o100644
    disk: int = 0
    local_name: bytes | None = None
    local_extra: bytes = b""
    extra: bytes = b""
    after: bytes = b""  # follows the packed bytes: a data descriptor

    @cached_property
    def packed_bytes(self) -> bytes:
        return pack(self.data, self.method) if self.packed is None else self.packed

    def local(self) -> bytes:
        """The header before the bytes, and the bytes."""
        name = self.name if self.local_name is None else self.local_name
        head = struct.pack(
            *("<4s5H3I2H", b"PK\3\4", 20, self.flags, self.method, 0, 33, self._crc(), self._packed_size() % 2**32),
            *(self._size() % 2**32, len(name), len(self.local_extra)),
        )
        return head + name + self.local_extra + self.packed_bytes + self.after

    def entry(self, offset: int) -> bytes:
        """What the directory says; `offset` is where the member is."""
        where = offset if self.offset is None else self.offset
        sizes = (self._crc(), self._packed_size(), self._size())
        lengths = (len(self.name), len(self.extra), 0)
        head = struct.pack(
            *("<4s6H3I5H2I", b"PK\1\2", 3 << 8 | 20, 20, self.flags, self.method, 0, 33, *sizes, *lengths),
            *(self.disk, 0, self.mode << 16, where),
        )
        return head + self.name + self.extra

    def _crc(self) -> int:
        return zlib.crc32(self.data) if self.crc is None else self.crc

    def _size(self) -> int:
        return len(self.data) if self.size is None else self.size

    def _packed_size(self) -> int:
        return len(self.packed_bytes) if self.packed_size is None else self.packed_size


def pack(data: bytes, method: int) -> bytes:
    if method == DEFLATED:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(data) + packer.flush()
    if method == BZIP2:
        return bz2.compress(data)
    if method == LZMA:
        return lzma_packed(data)
    return data


def lzma_packed(data: bytes, *, claimed_dictionary: int = 1 << 23) -> bytes:
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 23, "lc": 3, "lp": 0, "pb": 2}]
    raw = lzma.compress(data, lzma.FORMAT_RAW, filters=filters)
    return struct.pack("<2BHBI", 9, 4, 5, 0x5D, claimed_dictionary) + raw


def archive(
    *members: Member,
    before: bytes = b"",
    comment: bytes = b"",
    count: int | None = None,
    directory_offset: int | None = None,
    directory_size: int | None = None,
    disk: int = 0,
    comment_size: int | None = None,
    zip64: bytes = b"",
) -> bytes:
    """An archive of `members` whose end record says what is given, else the truth; `zip64` goes before that record."""
    body, entries = before, b""
    for member in members:
        entries += member.entry(len(body))
        body += member.local()
    total = len(members) if count is None else count
    size = len(entries) if directory_size is None else directory_size
    offset = len(body) if directory_offset is None else directory_offset
    length = len(comment) if comment_size is None else comment_size
    end = struct.pack("<4s4H2IH", b"PK\5\6", disk, disk, total, total, size, offset, length)
    return body + entries + zip64 + end + comment


def zip64_end(*, at: int, count: int, size: int, offset: int) -> bytes:
    """The end record of large archives and the record that says it is at byte `at`."""
    end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
    return end + struct.pack("<4sIQI", b"PK\6\7", 0, at, 1)
