"""The command line: what the harbour office types, and what it gets."""

import argparse
import sys
from datetime import datetime, timezone
from pathlib import Path

import constituents
import harbours
import predict
import report
import weather as skies
from units import MINUTES_PER_DAY, day_start, time_of_day

#: Where `--cache` keeps the heights that it worked out.
CACHE = Path(__file__).resolve().parent.parent / "build"

#: Water that is left under the keel, in metres, unless somebody asks for another margin.
UNDER_KEEL = 0.3


def arguments():
    """Everything that can be asked for."""
    parser = argparse.ArgumentParser(
        prog="tidebook",
        description="When is there enough water for my boat?",
        epilog="All harbours are invented. Do not sail by this.",
    )
    parser.add_argument("harbour", nargs="?", help="the harbour, or the start of its name")
    parser.add_argument("--date", default=today(), help="the day, like 2026-06-14 (today)")
    parser.add_argument("--days", type=int, default=1, help="how many days (1)")
    parser.add_argument("--at", help="only say what the sea does at a time, like 14:30")
    parser.add_argument("--short", action="store_true", help="a line a day, for the card")
    parser.add_argument("--draught", type=float, help="how deep the boat goes, in metres")
    parser.add_argument(
        "--margin",
        type=float,
        default=UNDER_KEEL,
        help=f"water to leave under the keel, in metres ({UNDER_KEEL})",
    )
    parser.add_argument("--weather", default="", help='from the slate, like "998 SW 14"')
    parser.add_argument("--cache", action="store_true", help="keep the heights in build/")
    parser.add_argument("--list", action="store_true", help="name the harbours and stop")
    parser.add_argument("--explain", action="store_true", help="explain the waves and stop")
    return parser


def today():
    """The day it is in Greenwich."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%d")


def print_moment(harbour, start, options, weather):
    """Says what the sea does at one time of the day, and what comes next."""
    surge = skies.surge(weather, harbour.facing)
    minutes = start + time_of_day(options.at)
    state = predict.state(harbour, minutes, surge)
    print(report.now_line(state, predict.next_turn(harbour, minutes, surge)))
    if options.draught is not None:
        wait = predict.wait_for(harbour, minutes, needed_for(harbour, options), surge)
        print(report.wait_line(wait))


def print_card(harbour, start, options, weather):
    """Prints a line a day: what fits on the small card."""
    surge = skies.surge(weather, harbour.facing)
    print(harbour.name)
    for number in range(options.days):
        midnight = start + number * MINUTES_PER_DAY
        turns = predict.turns(harbour, midnight, midnight + MINUTES_PER_DAY, surge)
        print(report.short_line(midnight, turns))


def print_days(harbour, start, options, weather):
    """Prints a page a day."""
    for number in range(options.days):
        print_day(harbour, start + number * MINUTES_PER_DAY, options, weather)


def print_day(harbour, start, options, weather):
    """Works out one day and prints its page."""
    surge = skies.surge(weather, harbour.facing)
    end = start + MINUTES_PER_DAY
    turns = predict.turns(harbour, start, end, surge)
    samples = predict.samples(harbour, start, end, surge)
    boat, windows = None, []
    if options.draught is not None:
        needed = needed_for(harbour, options)
        boat = f"a boat of {options.draught:.1f} m"
        windows = predict.windows(harbour, start, end, needed, surge)
    print(report.page(harbour, start, turns, windows, boat, samples, weather))
    if options.cache:
        keep(harbour, options.date, samples)


def needed_for(harbour, options):
    """How high the tide must be for the boat that was asked about."""
    return harbour.sill + options.draught + options.margin


def keep(harbour, date, samples):
    """Writes every tenth height into the cache folder, one line each."""
    CACHE.mkdir(exist_ok=True)
    name = harbour.name.lower().replace(" ", "-").replace("'", "")
    lines = ["# tidebook cache v1: minute height"]
    lines += [f"{minutes:.0f} {height:.3f}" for minutes, height in samples[::10]]
    path = CACHE / f"{name}-{date[:7]}.cache"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def way_to_show(options):
    """Which of the three kinds of answer was asked for."""
    if options.at and options.short:
        raise ValueError("Ask for --at or for --short, not for both.")
    if options.at:
        time_of_day(options.at)
        return print_moment
    if options.short:
        return print_card
    return print_days


def complain(problem):
    """Says what is wrong in one line, and ends as a command does that failed."""
    print(f"tidebook: {problem}", file=sys.stderr)
    return 2


def main(words=None):
    """Runs the command, and returns what the shell should be told."""
    options = arguments().parse_args(words)
    known = harbours.load()
    if options.list:
        print("\n".join(known))
        return 0
    if options.explain:
        print(constituents.explain())
        return 0
    if options.harbour is None:
        return complain("Which harbour? Try --list.")
    if options.days < 1:
        return complain("A table needs at least one day.")
    try:
        harbour = harbours.find(options.harbour, known)
        weather = skies.parse(options.weather) if options.weather else skies.CALM
        start = day_start(options.date)
        show = way_to_show(options)
    except (harbours.UnknownHarbour, ValueError) as problem:
        return complain(problem)
    show(harbour, start, options, weather)
    return 0


if __name__ == "__main__":
    sys.exit(main())
