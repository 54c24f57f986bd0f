"""Strict reader of zip archives, in place and by their directory; an archive that could be read in two ways is refused.

Members lie one after the other and share no bytes, so unpacking takes time and memory bounded by the archive's size.
"""

from __future__ import annotations

import bz2
import lzma
import os
import stat
import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO, Final, NamedTuple, NoReturn

from motionfields.base.errors import FormatError
from motionfields.motion.formats._names import member_name_fault, shown

MOST_MEMBERS: Final = 100_000
"""Largest number of files and folders in an archive."""

_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_END: Final = struct.Struct("<4s4H2IH")
_LARGE_END: Final = struct.Struct("<4sQ2H2I4Q")
_LARGE_END_PLACE: Final = struct.Struct("<4sIQI")
_ENTRY: Final = struct.Struct("<4s6H3I5H2I")
_HEADER: Final = struct.Struct("<4s5H3I2H")
_LONGEST_COMMENT: Final = 0xFFFF
_IN_EXTRA: Final = 0xFFFF_FFFF  # marks a number of more than 32 bits, stored in the extra field
_LZMA_SETTINGS: Final = 9  # bytes before the LZMA stream
_ENCRYPTED, _PATCH, _UTF8_NAME = 0x2041, 0x20, 0x800


class Member(NamedTuple):
    """Directory entry of a file in the archive, and the byte at which its data must end."""

    name: str
    raw_name: bytes
    fault: str | None  # reason why it cannot be read
    method: int
    crc: int
    packed_size: int  # bytes
    size: int  # bytes, unpacked
    start: int  # the byte of its header
    end: int  # the byte where the next member, or the directory, starts


class _Directory(NamedTuple):
    start: int
    size: int
    member_count: int


@dataclass(frozen=True)
class ZipArchive:
    """An archive open for reading; `path` is only for messages."""

    file: BinaryIO
    path: str

    def size(self) -> int:
        """Return the size of the archive in bytes."""
        return os.fstat(self.file.fileno()).st_size

    def members(self) -> list[Member]:
        """Return all files and folders, in the order of the directory."""
        directory = self._directory()
        data = self._bytes(directory.start, directory.size)
        members, position = list[Member](), 0
        try:
            for _ in range(directory.member_count):
                member, position = self._entry(data, position)
                members.append(member)
        except struct.error:
            self._fail("its directory is truncated")
        if position != len(data):
            self._fail("its directory has more members than it declares")
        return self._apart(_each_name_once(members), directory.start)

    def read(self, member: Member, *, limit: int) -> bytes:
        """Return the bytes of a member that unpacks to at most `limit` bytes."""
        path = f"{self.path}/{shown(member.name)}"
        if member.fault:
            raise FormatError(member.fault, path=path)
        if member.size > limit:
            raise FormatError(f"unpacks to {member.size} bytes, too many for the size of the archive", path=path)
        try:
            return _unpacked(self._packed(member), member)
        except (ValueError, struct.error, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
            raise FormatError(f"cannot be unpacked: {error}", path=path) from None

    def _directory(self) -> _Directory:
        size = self.size()
        tail_start = max(0, size - _END.size - _LONGEST_COMMENT)
        tail = self._bytes(tail_start, size - tail_start)
        ends, place = list[int](), tail.find(b"PK\5\6")
        while 0 <= place <= len(tail) - _END.size:
            if place + _END.size + int.from_bytes(tail[place + 20 : place + 22], "little") == len(tail):
                ends.append(place)
            place = tail.find(b"PK\5\6", place + 1)
        if len(ends) != 1:
            self._fail(f"expected one end record, with nothing after it, got {len(ends)}")
        _, *disks, here, count, length, start, _ = _END.unpack_from(tail, ends[0])
        end = tail_start + ends[0]
        if end >= _LARGE_END_PLACE.size and self._bytes(end - _LARGE_END_PLACE.size, 4) == b"PK\6\7":
            end, disks, here, count, length, start = self._large_end(end - _LARGE_END_PLACE.size)
        if any(disks) or here != count:
            self._fail("it is one of several parts")
        if count > MOST_MEMBERS and count * _ENTRY.size <= length:
            self._fail(f"expected at most {MOST_MEMBERS} members, got {count}")
        if start + length != end or count * _ENTRY.size > length:
            self._fail("its directory does not match its end record")
        return _Directory(start, length, count)

    def _large_end(self, place: int) -> tuple[int, list[int], int, int, int, int]:
        """Return the position and content of the zip64 end record, from its locator at byte `place`."""
        _, disk, at, disk_count = _LARGE_END_PLACE.unpack(self._bytes(place, _LARGE_END_PLACE.size))
        record = self._bytes(at, _LARGE_END.size) if at <= place - _LARGE_END.size else b""
        if record[:4] != b"PK\6\6" or at + 12 + int.from_bytes(record[4:12], "little") != place:
            self._fail("its zip64 end record is not at the position in its locator")
        _, _, _, _, *disks, here, count, length, start = _LARGE_END.unpack(record)
        return at, [disk, *disks, max(disk_count - 1, 0)], here, count, length, start

    def _entry(self, data: bytes, position: int) -> tuple[Member, int]:
        """Return the member whose entry is at `position` of the directory, and the position of the next entry."""
        fields = _ENTRY.unpack_from(data, position)
        mark, _, _, flags, method, _, _, crc, packed_size, size, *lengths, disk, _, attributes, start = fields
        name_end = position + _ENTRY.size + lengths[0]
        end = name_end + lengths[1] + lengths[2]
        if mark != b"PK\1\2" or end > len(data):
            self._fail("its directory is damaged")
        raw_name = data[position + _ENTRY.size : name_end]
        if _IN_EXTRA in (size, packed_size, start):
            extra = data[name_end : name_end + lengths[1]]
            size, packed_size, start = self._large_numbers(extra, (size, packed_size, start))
        if disk:
            self._fail("it is one of several parts")
        name = raw_name.decode("utf-8" if flags & _UTF8_NAME else "cp437", "surrogateescape")
        fault = member_name_fault(name) or _kind_fault(flags, method, attributes >> 16)
        return Member(name, raw_name, fault, method, crc, packed_size, size, start, end=0), end

    def _large_numbers(self, extra: bytes, numbers: tuple[int, ...]) -> list[int]:
        """Return `numbers`, with those of more than 32 bits taken from the zip64 extra field."""
        while len(extra) >= 4:
            kind, length = struct.unpack_from("<2H", extra)
            field, extra = extra[4 : 4 + length], extra[4 + length :]
            if kind == 1:
                if len(field) < 8 * numbers.count(_IN_EXTRA):
                    self._fail("its directory lacks a size or position of more than 32 bits")
                large = iter(struct.unpack_from(f"<{numbers.count(_IN_EXTRA)}Q", field))
                return [next(large) if number == _IN_EXTRA else number for number in numbers]
        return list(numbers)

    def _apart(self, members: list[Member], directory_start: int) -> list[Member]:
        """Return `members` with their ends; refuse shared bytes, which let a small archive unpack to a huge one."""
        starts = [*sorted(member.start for member in members), directory_start]
        following = dict(reversed(list(pairwise(starts))))  # of members at one position, the first has no room
        for number, member in enumerate(members):
            end = following[member.start]
            if member.start + _HEADER.size + len(member.raw_name) + member.packed_size > end:
                self._fail(f"{shown(member.name)} overlaps the next member; members must not share bytes")
            members[number] = member._replace(end=end)
        return members

    def _packed(self, member: Member) -> bytes:
        """Return the compressed bytes of a member."""
        mark, _, _, method, *_, name_length, extra_length = _HEADER.unpack(self._bytes(member.start, _HEADER.size))
        start = member.start + _HEADER.size + name_length + extra_length
        name = self._bytes(member.start + _HEADER.size, name_length)
        if (mark, method, name) != (b"PK\3\4", member.method, member.raw_name):
            raise ValueError("its name or method differs between its own header and the directory")
        if start + member.packed_size > member.end:
            raise ValueError("it overlaps the next member; members must not share bytes")
        return self._bytes(start, member.packed_size)

    def _bytes(self, start: int, size: int) -> bytes:
        self.file.seek(start)
        return self.file.read(size)

    def _fail(self, reason: str) -> NoReturn:
        raise FormatError(f"is not a readable zip archive: {reason}", path=shown(self.path))


def _each_name_once(members: list[Member]) -> list[Member]:
    """Return `members` with a fault in those that share a name, because it is unclear which one is meant."""
    counts = Counter(member.name for member in members)
    again = "its name occurs in the archive more than once"
    return [member._replace(fault=member.fault or again) if counts[member.name] > 1 else member for member in members]


def _kind_fault(flags: int, method: int, mode: int) -> str | None:
    """Return why a member is of a kind that is not read; `mode` is its Unix file mode, or 0."""
    if flags & _ENCRYPTED:
        return "is encrypted"
    if flags & _PATCH:
        return "is a patch, not a file"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "expected a regular file, got a link, folder or device"
    if method not in (_STORED, _DEFLATED, _BZIP2, _LZMA):
        return f"is compressed with method {method}; expected deflate, bzip2, LZMA or none"
    return None


def _unpacked(packed: bytes, member: Member) -> bytes:
    """Return the content of `packed`, checked, and never more than one byte longer than the directory declares."""
    if member.method == _STORED:
        data = packed
    else:
        unpacker = _unpacker(member, packed)
        # One call with a limit: fed in pieces, LZMA and bzip2 would unpack each to up to a million times its size.
        data = unpacker.decompress(packed[_LZMA_SETTINGS:] if member.method == _LZMA else packed, member.size + 1)
        if len(data) > member.size:
            raise ValueError(f"it holds more than the {member.size} bytes declared in the directory")
        if not unpacker.eof and member.method != _LZMA:  # LZMA may omit its end mark
            raise ValueError("its compressed data is truncated")
        if unpacker.unused_data:
            raise ValueError("its compressed data continues after its end")
    if len(data) != member.size:
        raise ValueError(f"expected the {member.size} bytes declared in the directory, got {len(data)}")
    if zlib.crc32(data) != member.crc:
        raise ValueError("its checksum is wrong")
    return data


def _unpacker(member: Member, packed: bytes) -> zlib._Decompress | bz2.BZ2Decompressor | lzma.LZMADecompressor:
    if member.method == _DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS)
    if member.method == _BZIP2:
        return bz2.BZ2Decompressor()
    _, settings_size, settings, window = struct.unpack_from("<2HBI", packed.ljust(_LZMA_SETTINGS))
    if len(packed) < _LZMA_SETTINGS or settings_size != 5 or settings >= 225:
        raise ValueError("its LZMA settings are damaged")
    # The window is allocated at once, so it is limited to the size that the data can refer back to.
    window = max(4096, min(window, member.size))
    bits = {"lc": settings % 9, "lp": settings // 9 % 5, "pb": settings // 45}
    chain = [{"id": lzma.FILTER_LZMA1, "dict_size": window, **bits}]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=chain)
