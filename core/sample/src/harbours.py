"""The harbours of the book, read from ``data/harbours.csv``."""

import csv
from dataclasses import dataclass
from pathlib import Path

from constituents import ALL

DATA = Path(__file__).resolve().parent.parent / "data" / "harbours.csv"


@dataclass(frozen=True)
class Wave:
    """One constituent, as it arrives in one harbour."""

    constituent: object
    amplitude: float  # metres
    lag: float  # degrees


@dataclass(frozen=True)
class Harbour:
    """A place where boats wait for water."""

    name: str
    mean_level: float  # metres above chart datum
    sill: float  # height of the doorstep, metres above chart datum
    facing: float  # where the open sea lies, degrees from north
    waves: tuple

    def water_over_sill(self, height):
        """How deep the entrance is at a tide of that height, never less than nothing."""
        return max(0.0, height - self.sill)


class UnknownHarbour(Exception):
    """No harbour has that name. The message says which ones there are."""

    def __init__(self, name, known):
        listed = ", ".join(sorted(known))
        super().__init__(f"There is no harbour called {name!r}. There are: {listed}.")


def load(path=DATA):
    """Every harbour by its name, in the order of the file."""
    with open(path, newline="", encoding="utf-8") as file:
        return {row["name"]: from_row(row) for row in csv.DictReader(file)}


def from_row(row):
    """A harbour from a line of the file."""
    waves = []
    for constituent in ALL:
        column = constituent.name.lower()
        waves.append(
            Wave(
                constituent=constituent,
                amplitude=float(row[column]),
                lag=float(row[column + "_lag"]),
            )
        )
    return Harbour(
        name=row["name"],
        mean_level=float(row["mean_level"]),
        sill=float(row["sill"]),
        facing=float(row["facing"]),
        waves=tuple(waves),
    )


def find(name, harbours):
    """The harbour of that name, whatever the capitals; the start of a name will do."""
    wanted = name.strip().casefold()
    for harbour in harbours.values():
        if harbour.name.casefold() == wanted:
            return harbour
    starting = [it for it in harbours.values() if it.name.casefold().startswith(wanted)]
    if wanted and len(starting) == 1:
        return starting[0]
    raise UnknownHarbour(name, harbours)
