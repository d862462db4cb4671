#!/usr/bin/env python3
"""Packs wheels again with zopfli, whose deflate is the smallest that every unzip reads.

scripts/repack-wheel.py WHEEL...
"""
import os
import sys
import zipfile

import zopfli.zlib


class Deflate:
    """What zipfile asks of a compressor. zopfli wants a file whole, so all comes at the end."""

    def __init__(self, *_options: object) -> None:
        self.held = b""

    def compress(self, piece: bytes) -> bytes:
        self.held += piece
        return b""

    def flush(self) -> bytes:
        return zopfli.zlib.compress(self.held, numiterations=15)[2:-4]  # without zlib's header and checksum


def repack(wheel: str) -> None:
    packed = wheel + ".packed"
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in (one for one in old.infolist() if not one.is_dir()):
            new.writestr(entry, old.read(entry))
    with zipfile.ZipFile(packed) as new:
        assert new.testzip() is None, f"{packed} does not unpack"
    os.replace(packed, wheel)


zipfile._get_compressor = Deflate  # zipfile has no door for another compressor
for name in sys.argv[1:]:
    repack(name)
