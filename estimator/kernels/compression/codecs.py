"""Two public codecs as a bracket around the one that Bigtable uses, which is not public. Loaded when first used."""

from dataclasses import dataclass

LEAST_SAVED = 1 / 8
"""A block that gets smaller by less is stored as it is: what LevelDB and RocksDB do (read 2026-11-21)."""

ZSTD_LEVEL = 3
"""What RocksDB takes unless told otherwise."""


@dataclass(frozen=True)
class CompressedSizes:
    """Sizes of one block on disk under each codec, without its trailer, in bytes."""

    snappy: int
    zstd: int


def compress_block(raw: bytes) -> CompressedSizes:
    """One block compressed by both codecs."""
    import cramjam

    return CompressedSizes(
        snappy=_stored_size(raw, len(cramjam.snappy.compress_raw(raw))),
        zstd=_stored_size(raw, len(cramjam.zstd.compress(raw, ZSTD_LEVEL))),
    )


def _stored_size(raw: bytes, size_bytes: int) -> int:
    return size_bytes if size_bytes < len(raw) * (1 - LEAST_SAVED) else len(raw)


def codec_versions() -> str:
    """Return a readable list of the codecs used: `snappy and zstd 3 of cramjam 2.14.0`."""
    import cramjam

    return f"snappy, zstd {ZSTD_LEVEL} (cramjam {cramjam.__version__})"
