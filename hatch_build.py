"""What the wheel needs beside the files as they are: compiled translations, which are in no commit."""

import tempfile
from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface):
    """Puts a .mo file into the wheel for every .po file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all catalogues of the project."""
        self.compiled = tempfile.TemporaryDirectory(prefix="keywright-")  # gone when the build ends
        folder, root = Path(self.compiled.name), Path(self.root)
        for po in sorted(root.glob("locale/*/LC_MESSAGES/*.po")):
            inside = po.relative_to(root).with_suffix(".mo")
            (folder / inside).parent.mkdir(parents=True)
            polib.pofile(str(po)).save_as_mofile(str(folder / inside))
            build_data["force_include"][str(folder / inside)] = f"keywright/app/{inside.as_posix()}"
