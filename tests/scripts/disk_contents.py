"""What is on disks that come from elsewhere, byte by byte: signatures whose programs a machine may lack."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECTOR = 512


def put(disk: Path, offset: int, content: bytes) -> None:
    """Write bytes onto a disk."""
    with disk.open("r+b") as file:
        file.seek(offset)
        file.write(content)


def put_partition_table(disk: Path) -> None:
    """A DOS partition table with one Linux partition from the first MiB on."""
    entry = bytes([0, 0, 2, 0, 0x83, 0, 0, 0]) + struct.pack("<II", 2048, 600_000)
    put(disk, 446, entry)
    put(disk, 510, b"\x55\xaa")


def put_lvm_volume(disk: Path) -> None:
    """The label of an LVM physical volume, as pvcreate writes it into the second sector."""
    body = struct.pack("<I8s", 32, b"LVM2 001") + b"uuid" * 8
    body = body.ljust(SECTOR - 20, b"\0")
    put(disk, SECTOR, b"LABELONE" + struct.pack("<QI", 1, _lvm_checksum(body)) + body)


def _lvm_checksum(content: bytes) -> int:
    """CRC-32 without its final inversion, from LVM's own start (lvm2, lib/misc/crc.c)."""
    value = 0xF597A6CF
    for byte in content:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
    return value


def put_stripe_member(disk: Path, *, name: str, number: int = 0) -> None:
    """The superblock of a striped volume's member, version 1.2 (Linux, include/uapi/linux/raid/md_p.h)."""
    with disk.open("rb") as file:
        sectors = file.seek(0, os.SEEK_END) // SECTOR - 2048
    head = struct.pack("<IIII16s32s", 0xA92B4EFC, 1, 0, 0, b"a stripe of ours", name.encode())
    head += struct.pack("<QIIQIIIIQIIII", 0, 0, 0, 0, 1024, 2, 0, 0, 0, 0, 0, 0, 0)
    head += struct.pack("<QQQQII16s", 2048, sectors, 8, 0, number, 0, f"disk number {number:4}".encode())
    head = head.ljust(192, b"\0") + struct.pack("<QQQ", 0, 1, 0)
    roles = struct.pack("<HH", 0, 1)

    def close(checksum: int) -> bytes:
        return head + struct.pack("<II32s", checksum, 2, b"") + roles

    words = sum(struct.unpack("<65I", close(0)))
    put(disk, 4096, close(((words & 0xFFFFFFFF) + (words >> 32)) & 0xFFFFFFFF))
