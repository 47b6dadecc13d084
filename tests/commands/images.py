"""The Dockerfile, step by step in a bare Debian root: what `docker build` would do, where there is no daemon.

Debian's Python stands in the place of the image's, and what pip would fetch is fetched before. The rest is as written.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from packaging.requirements import Requirement

PACKAGES = "python3,python3-venv,python3-pip,python-is-python3,ca-certificates"


@dataclass
class Stage:
    """A stage of the Dockerfile as it was built: its root, and how its processes run."""

    root: Path
    environment: dict[str, str]
    folder: str = "/"
    user: str = "0"
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def run(self, *arguments: str, mounted: dict[Path, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a process in it as the image's user, with a read-only root and nothing of the machine's environment."""
        binds = {"/proc": f"{self.root}/proc", "/dev": f"{self.root}/dev"}
        for source, target in (mounted or {}).items():
            (self.root / target.lstrip("/")).mkdir(parents=True, exist_ok=True)
            binds[str(source)] = f"{self.root}{target}"
        steps = [f"mount --bind {shlex.quote(str(self.root))} {shlex.quote(str(self.root))}"]
        steps += [f"mount -o remount,ro,bind {shlex.quote(str(self.root))}"]
        steps += [f"mount --rbind {shlex.quote(source)} {shlex.quote(target)}" for source, target in binds.items()]
        steps += [f"mount -t tmpfs tmpfs {shlex.quote(str(self.root / 'tmp'))}"]
        user = f"{self.user}:{self.user}"
        steps += [
            f"exec chroot --userspec={user} {shlex.quote(str(self.root))} /bin/sh -c "
            + shlex.quote(f'cd {self.folder} && exec "$@"')
            + ' sh "$@"'
        ]
        command = ["unshare", "--mount", "sh", "-ec", "\n".join(steps), "sh", *arguments]
        return subprocess.run(command, env=self.environment, text=True, capture_output=True, timeout=300, check=False)


def bare_root(folder: Path, mirror: str, suite: str) -> Path:
    """Return a Debian root with Python and pip, and nothing else."""
    root = folder / "bare"
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(root), mirror]
    subprocess.run(command, capture_output=True, check=True, timeout=1200)
    shutil.rmtree(root / "var/cache/apt", ignore_errors=True)
    return root


def python_version(root: Path) -> str:
    """Return the version of a root's Python."""
    code = "import platform; print(platform.python_version())"
    command = ["chroot", str(root), "python3", "-c", code]
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout.strip()


def requirements_of(file: Path, version: str) -> str:
    """Return what a requirement file asks for with this Python, without conditions."""
    entries = re.split(r"\n(?=[a-z0-9])", file.read_text(encoding="utf-8").strip(), flags=re.IGNORECASE)
    wanted = []
    for entry in entries:
        line, _, hashes = entry.partition("\\\n")
        requirement = Requirement(line.strip())
        where = {"python_full_version": version, "python_version": version.rpartition(".")[0]}
        if not requirement.marker or requirement.marker.evaluate(where):
            wanted.append(f"{line.partition(';')[0].strip()} \\\n{hashes}")
    return "\n".join(wanted) + "\n"


def build_stages(dockerfile: Path, bare: Path, folder: Path, wheels: Path) -> dict[str, Stage]:
    """Build every stage of a Dockerfile, in its order."""
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for line in re.sub(r"\\\n", " ", text).splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            name = rest.split(" AS ")[1]
            root = folder / name
            subprocess.run(["cp", "-a", "--reflink=auto", str(bare), str(root)], check=True)
            path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
            stage = stages[name] = Stage(root, {"PATH": path, "LANG": "C.UTF-8"})
        elif word and stage:
            _step(stage, word, rest, stages, dockerfile.parent, wheels)
    return stages


def _step(stage: Stage, word: str, rest: str, stages: dict[str, Stage], context: Path, wheels: Path) -> None:
    match word:
        case "ENV":
            for pair in shlex.split(rest):
                name, _, value = pair.partition("=")
                stage.environment[name] = value.replace("$PATH", stage.environment["PATH"])
        case "WORKDIR":
            stage.folder = rest
            (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "COPY":
            _copy(stage, rest.split(), stages, context)
        case "RUN":
            _run(stage, rest, wheels)
        case "USER":
            names = (stage.root / "etc/passwd").read_text().splitlines()
            stage.user = next(line.split(":")[2] for line in names if line.startswith(f"{rest}:"))
        case "ENTRYPOINT":
            stage.entry = json.loads(rest)
        case "CMD":
            stage.command = json.loads(rest)
        case "EXPOSE" | "HEALTHCHECK":
            pass
        case _:
            raise ValueError(f"a step that is not replayed: {word}")


def _copy(stage: Stage, words: list[str], stages: dict[str, Stage], context: Path) -> None:
    *sources, target = [word for word in words if not word.startswith("--")]
    origin = next((stages[word.partition("=")[2]].root for word in words if word.startswith("--from=")), None)
    into = stage.root / os.path.join(stage.folder, target).lstrip("/")
    if origin:
        into.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-aT", str(origin / sources[0].lstrip("/")), str(into)], check=True)
        return
    for name in _context_files(context):
        if "." in sources or name in sources:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(context / name, into / name)


def _context_files(context: Path) -> list[str]:
    """Return what git has of the folder, without what .dockerignore leaves out."""
    ignored = [line for line in (context / ".dockerignore").read_text().splitlines() if line]
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=context, text=True, capture_output=True, check=True
    )
    names = [name for name in listed.stdout.splitlines() if (context / name).is_file()]
    return [name for name in names if not any(fnmatch(name.split("/")[0], pattern) for pattern in ignored)]


def _run(stage: Stage, command: str, wheels: Path) -> None:
    """Run a step as Docker does, in the stage as it is so far; pip finds its packages in a folder."""
    root = shlex.quote(str(stage.root))
    steps = f"mount --rbind /dev {root}/dev\nmount --rbind /proc {root}/proc\nmkdir -p {root}/mnt\n"
    steps += f"mount --bind {shlex.quote(str(wheels))} {root}/mnt\n"
    steps += f"exec chroot {root} /bin/sh -c " + shlex.quote(f"cd {stage.folder} && {command}")
    environment = {**stage.environment, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/mnt"}
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", steps],
        env=environment,
        text=True,
        capture_output=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"RUN {command}\n{done.stdout}\n{done.stderr}"
