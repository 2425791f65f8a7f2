"""The waves that a tide is made of.

The moon circles the earth, the earth circles the sun, and none of the circles is round or
level. Each of these regularities pulls at the sea in its own rhythm. Lord Kelvin's idea,
still in use, is to give every rhythm a wave of its own and to add the waves up. He built a
brass machine for it; we have a loop.

Only the five strongest are here. They bring a table to within a hand's breadth, which is
less than the weather takes or gives.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Constituent:
    """One rhythm of the tide."""

    name: str
    speed: float  # degrees per hour
    phase: float  # degrees at minute zero, in Greenwich
    reason: str

    @property
    def period(self):
        """Hours from one crest to the next."""
        return 360 / self.speed

    def angle(self, minutes):
        """How far the wave has turned at that minute, in radians."""
        return math.radians(self.phase + self.speed * minutes / 60)


M2 = Constituent(
    name="M2",
    speed=28.9841042,
    phase=192.6,
    reason="The moon overhead, and again when it is underfoot: two high waters a day.",
)

S2 = Constituent(
    name="S2",
    speed=30.0,
    phase=0.0,
    reason="The sun, twice a day. In step with M2 it makes springs, against it neaps.",
)

N2 = Constituent(
    name="N2",
    speed=28.4397295,
    phase=51.3,
    reason="The moon comes nearer once a month, and pulls harder when it does.",
)

K1 = Constituent(
    name="K1",
    speed=15.0410686,
    phase=10.2,
    reason="Moon and sun stand north or south of the equator: the two high waters differ.",
)

O1 = Constituent(
    name="O1",
    speed=13.9430356,
    phase=181.9,
    reason="The moon's own share of that difference, which comes and goes in a fortnight.",
)

#: In the order of the columns of ``data/harbours.csv``.
ALL = (M2, S2, N2, K1, O1)


def by_name(name):
    """The constituent of that name, or ``None``."""
    for constituent in ALL:
        if constituent.name == name.upper():
            return constituent
    return None


def beat(one, other):
    """Days after which two waves are in step again.

    For M2 and S2 this is the fortnight from springs to springs:

    >>> round(beat(M2, S2), 2)
    14.77
    """
    difference = abs(one.speed - other.speed)
    if difference == 0:
        return math.inf
    return 360 / difference / 24


def explain():
    """A line for each constituent, for people who ask what the columns mean."""
    lines = []
    for constituent in ALL:
        lines.append(f"{constituent.name}  {constituent.period:6.2f} h  {constituent.reason}")
    return "\n".join(lines)
