"""``python -m engine.simulate``: hold the referee against open tables, game after game."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from engine.rules import preset, preset_names
from engine.simulate.house_mix import random_rules, random_setup
from engine.simulate.trial import Disagreement, Trial

RANDOM = "random"


def main(arguments: list[str] | None = None) -> int:
    """0; 1 if the referee and an open table disagreed; 2 for arguments that are none."""
    names = (*preset_names(), RANDOM)
    parser = argparse.ArgumentParser(
        prog="python -m engine.simulate",
        description="Play games with all cards known and hold the referee against them.",
    )
    parser.add_argument("--rules", choices=("all", *names), default="all")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first game (1)")
    args = parser.parse_args(arguments)
    failed = 0
    for name in names if args.rules == "all" else (args.rules,):
        failed += _run(name, range(args.seed, args.seed + args.games))
    return 1 if failed else 0


def play(name: str, seed: int, tally: Counter[str]) -> None:
    """One game by that preset, or by random house rules; Disagreement names its seed."""
    chance = random.Random(f"{name}/{seed}")
    rules = random_rules(chance) if name == RANDOM else preset(name)
    trial = Trial(random_setup(rules, chance), chance, tally)
    try:
        trial.run()
    except Disagreement as found:
        raise Disagreement(f"--rules {name} --seed {seed}: {found}") from None


def _run(name: str, seeds: range) -> int:
    tally: Counter[str] = Counter()
    failed = 0
    for seed in seeds:
        try:
            play(name, seed, tally)
        except Disagreement as found:
            failed += 1
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
    told = ", ".join(f"{count} {what}" for what, count in sorted(tally.items()))
    sys.stdout.write(f"{name}: {failed} disagreements; {told}\n")
    sys.stdout.flush()
    return failed


if __name__ == "__main__":
    sys.exit(main())
