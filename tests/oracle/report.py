"""Where estimate and drawing differ: `python -m tests.oracle.report [--designs N] [--seed S] [--show SEED]`."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable

from .comparison import Compared, compare
from .designs import FEATURES, Design, design


def main(arguments: list[str] | None = None) -> None:
    """Compare designs and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=100, help="how many designs (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="the first of them (default 0)")
    parser.add_argument("--show", type=int, metavar="SEED", help="print one design and all its figures")
    parser.add_argument(
        "--only", action="append", default=[], metavar="FEATURE=CHOICE", help="designs with this choice"
    )
    parser.add_argument("--events", type=int, nargs=2, default=(120, 600), metavar=("LEAST", "MOST"))
    chosen = parser.parse_args(arguments)
    if chosen.show is not None:
        show(design(chosen.show, events=tuple(chosen.events)))
        return
    wanted = dict(each.split("=", 1) for each in chosen.only)
    made = (design(seed, events=tuple(chosen.events)) for seed in range(chosen.seed, chosen.seed + chosen.designs))
    results = [(each, compare(each)) for each in made if wanted.items() <= each.features.items()]
    say(summary(results))


def say(text: str) -> None:
    """Print."""
    sys.stdout.write(text + "\n")


def show(made: Design) -> None:
    """Print one design in readable form, with all that is compared."""
    crossed = (f"{name} {choice}" for name, choice in made.features.items() if choice != "none")
    say(f"design {made.seed}: " + ", ".join(crossed))
    say(json.dumps({name: made.data[name] for name in ("fields", "activities", "tables")}, indent=1))
    for each in compare(made):
        mark = "      " if each.agrees else "DIFFER"
        drawn = f"drawn {each.drawn:>12.5g} ± {each.error:<10.3g} [{each.low:.5g} … {each.high:.5g}]"
        say(f"{mark} {each.name:<28} estimated {each.estimated:>12.5g}   {drawn}")


def summary(results: Iterable[tuple[Design, tuple[Compared, ...]]]) -> str:
    """Return two tables: each quantity with its worst design, and the share that agrees by quantity and feature."""
    results = list(results)
    by_quantity: dict[str, list[tuple[Design, Compared]]] = defaultdict(list)
    for made, compared in results:
        for each in compared:
            by_quantity[each.name].append((made, each))
    lines = [f"{'quantity':<28}{'designs':>8}{'agree':>7}   worst: factor, seed"]
    for name, pairs in by_quantity.items():
        differing = sorted((pair for pair in pairs if not pair[1].agrees), key=lambda pair: -pair[1].deviation)
        share = 1 - len(differing) / len(pairs)
        worst = ", ".join(f"×{10**each.deviation:.3g} ({made.seed})" for made, each in differing[:4])
        lines.append(f"{name:<28}{len(pairs):>8}{share:>7.0%}   {worst}")
    whole = [all(each.agrees for each in compared) for _, compared in results]
    lines += ["", f"{sum(whole)} of {len(whole)} designs agree in everything", "", "share of designs that agree, %"]
    names = [name for name in by_quantity if "returned" not in name]
    lines.append(f"{'':<32}" + "".join(f"{number:>5}" for number in range(1, len(names) + 1)) + "  all")
    for feature, choices in FEATURES.items():
        for choice in dict.fromkeys(choices):
            lines.append(_row(feature, choice, names, by_quantity, results))
    lines += ["", ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))]
    return "\n".join(lines)


def _row(feature: str, choice: str, names: list[str], by_quantity: dict, results: list) -> str:
    text = f"{feature + ': ' + choice:<32}"
    for name in names:
        mine = [each.agrees for made, each in by_quantity[name] if made.features[feature] == choice]
        text += f"{100 * sum(mine) / len(mine):>5.0f}" if mine else "    ·"
    whole = [all(each.agrees for each in compared) for made, compared in results if made.features[feature] == choice]
    return text + (f"{100 * sum(whole) / len(whole):>5.0f}" if whole else "    ·")


if __name__ == "__main__":
    main()
