"""Scripts that complete the names of commands, their options and files after them, in three shells.

Options, and the values of those that have a choice, are read in the command's own `--help`, when they are asked for.
"""

from collections.abc import Iterable, Mapping

from config.commandline.catalogue import Entry

SHELLS = ("bash", "zsh", "fish")

PARTS: Mapping[str, tuple[str, ...]] = {
    "completion": SHELLS,
    "prices": ("import", "fetch", "list", "show", "diff", "reprice"),
}
"""By command, the words of which the first after it is one."""

# The command and its part, but no options; in single quotes fish leaves \$ and \{ as they are.
_FISH_HELP = (
    r"""env COLUMNS=1000 keywright (string match -r -- "^[a-z_]+\$" (commandline -opc)[2..3]) --help 2>/dev/null"""
)
_FISH_OPTIONS = (
    r"""complete -c keywright -n 'string match -q -- "-*" (commandline -ct)' """
    rf"""-a '({_FISH_HELP} | string match -r -a -- "--[a-z][a-z-]*" | sort -u)'"""
)
_FISH_VALUES = (
    r"""complete -c keywright -n 'string match -q -- "--*" (commandline -opc)[-1]' """
    rf"""-a '({_FISH_HELP} | string replace -rf -- "^ *"(commandline -opc)[-1]" \{{([^}}]*)\}}.*" "\$1" """
    r"""| string split ,)'"""
)
_BASH = """\
_keywright() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" of=("${{COMP_WORDS[1]}}")
  COMPREPLY=()
  [[ "$COMP_CWORD" -gt 2 && "${{COMP_WORDS[2]}}" =~ ^[a-z]+$ ]] && of+=("${{COMP_WORDS[2]}}")
  if [ "$COMP_CWORD" = 1 ]; then
    words="{names}"
  elif [[ "$COMP_CWORD" = 2 && "$word" != -* ]]; then
    case "$before" in
{parts}
    esac
  elif [[ "$word" == -* ]]; then
    words=$(COLUMNS=1000 keywright "${{of[@]}}" --help 2> /dev/null | grep -oE -e '--[a-z][a-z-]*' | sort -u)
  elif [[ "$before" == --* ]]; then
    words=$(COLUMNS=1000 keywright "${{of[@]}}" --help 2> /dev/null \\
      | sed -nE "s/^ *$before \\{{([^}}]*)\\}}.*/\\1/p" | tr , ' ')
  fi
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o bashdefault -o default -F _keywright keywright"""


def completion_script(shell: str, entries: Mapping[str, Entry], others: Iterable[str]) -> str:
    """Return the script; `eval "$(keywright completion bash)"` in a shell's start file takes it."""
    if shell == "fish":
        lines = ["complete -c keywright -f -n __fish_use_subcommand"]
        lines += [_fish_line(entry.name, entry.summary) for entry in entries.values()]
        lines += [_fish_line(name, "") for name in others]
        lines += [_fish_parts(name, parts) for name, parts in PARTS.items()]
        return "\n".join([*lines, _FISH_OPTIONS, _FISH_VALUES])
    # "default" and "bashdefault" complete files after the command's name.
    parts_text = "\n".join(f'      {name}) words="{" ".join(parts)}" ;;' for name, parts in PARTS.items())
    script = _BASH.format(names=" ".join([*entries, *others]), parts=parts_text)
    # zsh runs bash's completion functions once `bashcompinit` is loaded, so one script serves both.
    return script if shell == "bash" else f"autoload -U +X compinit bashcompinit\ncompinit\nbashcompinit\n{script}"


def _fish_line(name: str, summary: str) -> str:
    # Within single quotes, fish knows two escapes: \\ and \'.
    quoted = summary.replace("\\", "\\\\").replace("'", "\\'")
    described = f" -d '{quoted}'" if quoted else ""
    return f"complete -c keywright -n __fish_use_subcommand -a {name}{described}"


def _fish_parts(name: str, parts: Iterable[str]) -> str:
    is_next = f"test (count (commandline -opc)) -eq 2; and string match -q -- {name} (commandline -opc)[2]"
    return f"complete -c keywright -f -n '{is_next}' -a '{' '.join(parts)}'"
