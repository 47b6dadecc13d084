"""Writes the cells of `shapes.py` into real LevelDB and RocksDB files and records what those weigh.

Not a test and not a dependency; run once, from the root, in an environment of its own, after a shape has changed:

    python3 -m venv /tmp/recorder && /tmp/recorder/bin/pip install plyvel rocksdict
    /tmp/recorder/bin/python -m tests.core.kernels.compression.record_sizes YYYY-MM-DD

LevelDB's files are compacted; its blocks keep the sequence numbers of the writes. RocksDB's are made by its own
writer of single files, where the sequence number is 0, as after the last compaction.
"""

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tests.core.kernels.compression.shapes import ALL, cells

BLOCK_BYTES = 64 << 10


def cell_key(row: bytes, family: bytes, qualifier: bytes, timestamp_us: int) -> bytes:
    """As `estimator.kernels.compression.layout.cell_key`."""
    return b"%b\0%b\0%b\0%b" % (row, family, qualifier, (2**64 - 1 - timestamp_us).to_bytes(8, "big"))


def leveldb_bytes(items: Sequence[tuple[bytes, bytes]], compression: str | None) -> int:
    """Size of all table files of a compacted database."""
    import plyvel

    with tempfile.TemporaryDirectory() as folder:
        db = plyvel.DB(
            folder, create_if_missing=True, compression=compression, block_size=BLOCK_BYTES,
            write_buffer_size=64 << 20, max_file_size=256 << 20,
        )  # fmt: skip
        for key, value in items:
            db.put(key, value)
        db.compact_range()
        db.close()
        return sum(file.stat().st_size for file in Path(folder).glob("*.ldb"))


def rocksdb_bytes(items: Sequence[tuple[bytes, bytes]], compression: str) -> int:
    """Size of one table file."""
    import rocksdict

    with tempfile.TemporaryDirectory() as folder:
        options, table = rocksdict.Options(raw_mode=True), rocksdict.BlockBasedOptions()
        table.set_block_size(BLOCK_BYTES)
        options.set_block_based_table_factory(table)
        options.set_compression_type(getattr(rocksdict.DBCompressionType, compression)())
        writer = rocksdict.SstFileWriter(options=options)
        writer.open(f"{folder}/file.sst")
        for key, value in items:
            writer[key] = value
        writer.finish()
        return Path(folder, "file.sst").stat().st_size


def engines() -> dict[str, str]:
    """Versions of the engines inside the packages."""
    import plyvel
    import rocksdict

    with tempfile.TemporaryDirectory() as folder:
        rocksdict.Rdict(folder, rocksdict.Options(raw_mode=True)).close()
        found = re.search(r"RocksDB version: ([\d.]+)", Path(folder, "LOG").read_text(encoding="utf-8"))
    return {"LevelDB": plyvel.__leveldb_version__, "RocksDB": found[1] if found else "unknown"}


def main(day: str) -> None:
    """Records every shape."""
    shapes = {}
    for name in ALL:
        items = [(cell_key(*cell[:4]), cell[4]) for cell in cells(name)]
        shapes[name] = {
            "cells": len(items),
            "leveldb_none": leveldb_bytes(items, None),
            "leveldb_snappy": leveldb_bytes(items, "snappy"),
            "rocksdb_none": rocksdb_bytes(items, "none"),
            "rocksdb_snappy": rocksdb_bytes(items, "snappy"),
            "rocksdb_zstd": rocksdb_bytes(items, "zstd"),
        }
    made = {
        "recorded": day,
        "with": {**engines(), **{name: version(name) for name in ("plyvel", "rocksdict")}},
        "unit": "bytes of the whole file",
        "shapes": shapes,
    }
    Path(__file__).with_name("recorded_sizes.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
