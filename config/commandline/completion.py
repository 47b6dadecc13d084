"""Scripts that complete the names of commands, their options and files after them, in three shells.

Options, and the values of those that have a choice, are read in the command's own `--help`, when a dash asks for them.
"""

from collections.abc import Iterable, Mapping

from config.commandline.catalogue import Entry

SHELLS = ("bash", "zsh", "fish")

_FISH_OPTIONS = (
    """complete -c keywright -n 'string match -q -- "-*" (commandline -ct)' -a '(keywright (commandline -opc)[2] """
    """--help 2>/dev/null | string match -r -a -- "--[a-z][a-z-]*" | sort -u)'"""
)
_BASH = """\
_keywright() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" of=("${{COMP_WORDS[1]}}")
  COMPREPLY=()
  [[ "$COMP_CWORD" -gt 2 && "${{COMP_WORDS[2]}}" =~ ^[a-z]+$ ]] && of+=("${{COMP_WORDS[2]}}")
  if [ "$COMP_CWORD" = 1 ]; then
    words="{names}"
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
        return "\n".join([*lines, _FISH_OPTIONS])
    # "default" and "bashdefault" complete files after the command's name.
    script = _BASH.format(names=" ".join([*entries, *others]))
    # zsh runs bash's completion functions once `bashcompinit` is loaded, so one script serves both.
    return script if shell == "bash" else f"autoload -U +X compinit bashcompinit\ncompinit\nbashcompinit\n{script}"


def _fish_line(name: str, summary: str) -> str:
    # Within single quotes, fish knows two escapes: \\ and \'.
    quoted = summary.replace("\\", "\\\\").replace("'", "\\'")
    described = f" -d '{quoted}'" if quoted else ""
    return f"complete -c keywright -n __fish_use_subcommand -a {name}{described}"
