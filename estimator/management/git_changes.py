"""Designs that differ from a revision of git: their names and contents, then and now."""

import glob
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.document.load import MAX_BYTES
from designer.management.base import CommandError
from estimator.management.commandline import UNUSABLE
from estimator.management.file_search import SUFFIXES


@dataclass(frozen=True)
class ChangedFile:
    """A file by its names relative to the current folder; None where it is not there."""

    before: str | None
    after: str | None


def fork_commit(revision: str) -> str:
    """Return where the checked-out commit and a revision part; the revision's own where the clone does not reach it.

    Raises
    ------
    CommandError
        If git does not know the revision.
    """
    # --end-of-options: a revision such as "--output=x" must not be read as an option. ^{commit}: a tag is followed to
    # its commit.
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", said=revision)
    try:
        return _git("merge-base", commit.strip(), "HEAD", said="").strip()
    except CommandError:
        # A shallow clone, which CI makes by default, has no common ancestor: the named commit itself is the best basis.
        return commit.strip()


def changed_designs(commit: str, names: Iterable[str]) -> list[ChangedFile]:
    """Return the designs among the given files, folders and patterns (all, if none) that changed since a commit.

    Files that git does not track yet are new, unless it ignores them and they are not named themselves.
    """
    name_list = list(names)
    # Without ":(literal)", git reads brackets and a leading ":" in a file's name as a pattern of its own.
    paths = [f":(glob){name}" if glob.has_magic(name) else f":(literal){name}" for name in name_list]
    # -z: names come as they are, without quotes, whatever characters they hold. --relative: as from the current folder.
    output = _git("diff", "--name-status", "-z", "--find-renames", "--relative", commit, "--", *paths)
    changes = _with_untracked(_changes(output), _untracked_files(name_list, paths))
    return [file for file in changes if any(_is_design(name, name_list) for name in (file.before, file.after))]


def read_before(commit: str, path: str) -> bytes:
    """Return a file's content in a commit, as far as a design may be long."""
    # "./" makes git look from the current folder; without it, the path would be one from the root of the repository.
    done = subprocess.run(["git", "show", f"{commit}:./{path}"], capture_output=True, check=False)
    if done.returncode:
        raise CommandError(_reason(done.stderr, path), returncode=UNUSABLE)
    return done.stdout[: MAX_BYTES + 1]


def read_after(path: str) -> bytes:
    """Return a file's present content; what is a link to another file is not read.

    Raises
    ------
    CommandError
        If it cannot be read.
    """
    file = Path(path)
    # CI checks branches of others: a link to a secret of the machine would be printed as a message about the file.
    if file.is_symlink():
        raise CommandError(f"{path} is a symbolic link", returncode=UNUSABLE)
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", returncode=UNUSABLE) from error


def _changes(output: str) -> Iterator[ChangedFile]:
    words = iter(output.split("\0"))
    for status in words:
        # A rename is "R" and a similarity such as "R096", and is followed by two names instead of one.
        if status[:1] in ("R", "C"):
            yield ChangedFile(next(words), next(words))
        elif status:
            path = next(words)
            yield ChangedFile(None if status == "A" else path, None if status == "D" else path)


def _untracked_files(names: Sequence[str], paths: Sequence[str]) -> set[str]:
    """Return the files that git does not track: none that it ignores, unless it is named."""
    output = _git("ls-files", "--others", "--exclude-standard", "-z", "--", *paths)
    if files := [path for name, path in zip(names, paths, strict=True) if Path(name).is_file()]:
        output += _git("ls-files", "--others", "-z", "--", *files)
    return {name for name in output.split("\0") if name}


def _with_untracked(changes: Iterable[ChangedFile], untracked: set[str]) -> list[ChangedFile]:
    """Return all changes by name; what git no longer tracks but is there still is not deleted."""
    all_changes = {name: ChangedFile(None, name) for name in untracked}
    for file in changes:
        is_there = file.after is None and file.before in untracked
        name = file.after or file.before or ""
        all_changes[name] = ChangedFile(name, name) if is_there else file
    return [all_changes[name] for name in sorted(all_changes)]


def _is_design(name: str | None, names: list[str]) -> bool:
    return name is not None and (name.endswith(SUFFIXES) or name in names)


def _git(*arguments: str, said: str = "") -> str:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)
    except FileNotFoundError as error:
        raise CommandError("git is not installed", returncode=UNUSABLE) from error
    if done.returncode:
        raise CommandError(_reason(done.stderr, said), returncode=UNUSABLE)
    # A name in a repository can be any bytes; so it is passed on to the file system unchanged.
    return done.stdout.decode(errors="surrogateescape")


def _reason(stderr: bytes, about: str) -> str:
    first = next(iter(stderr.decode(errors="replace").strip().splitlines()), "")
    return f"git: {first}" if first else f"git has no revision {about!r}"
