"""Scripts that complete the names of commands, and files after them, in three shells."""

from collections.abc import Iterable, Mapping

from config.commandline.catalogue import Entry

SHELLS = ("bash", "zsh", "fish")

_BASH = """\
_keywright() {{
  COMPREPLY=()
  [ "$COMP_CWORD" = 1 ] && COMPREPLY=($(compgen -W "{names}" -- "${{COMP_WORDS[1]}}"))
}}
complete -o bashdefault -o default -F _keywright keywright"""


def completion_script(shell: str, known: Mapping[str, Entry], others: Iterable[str]) -> str:
    """Return the script; `eval "$(keywright completion bash)"` in a shell's start file takes it."""
    if shell == "fish":
        lines = ["complete -c keywright -f -n __fish_use_subcommand"]
        lines += [_fish_line(entry.name, entry.summary) for entry in known.values()]
        lines += [_fish_line(name, "") for name in others]
        return "\n".join(lines)
    # "default" and "bashdefault" complete files after the command's name.
    script = _BASH.format(names=" ".join([*known, *others]))
    # zsh runs bash's completion functions once `bashcompinit` is loaded, so one script serves both.
    return script if shell == "bash" else f"autoload -U +X compinit bashcompinit\ncompinit\nbashcompinit\n{script}"


def _fish_line(name: str, summary: str) -> str:
    # Within single quotes, fish knows two escapes: \\ and \'.
    quoted = summary.replace("\\", "\\\\").replace("'", "\\'")
    described = f" -d '{quoted}'" if quoted else ""
    return f"complete -c keywright -n __fish_use_subcommand -a {name}{described}"
