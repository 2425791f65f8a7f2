"""How old the moon is, and what that does to the tide.

Nothing here is used to predict heights: the constituents know all about the moon already.
It is for people, who like to see *why* next week's tides are so large.
"""

from units import MINUTES_PER_DAY

#: From one new moon to the next, on average, in days.
SYNODIC_MONTH = 29.530588

#: A new moon: 18 January 2026, 19:52 UTC, in minutes from the epoch.
KNOWN_NEW_MOON = 17 * MINUTES_PER_DAY + 19 * 60 + 52

#: Springs come this many days after new and full moon: the sea is slow to answer.
AGE_OF_TIDE = 1.6

NAMES = [
    "new moon",
    "waxing crescent",
    "first quarter",
    "waxing gibbous",
    "full moon",
    "waning gibbous",
    "last quarter",
    "waning crescent",
]


def age(minutes):
    """Days since the last new moon, from 0 up to 29.53."""
    days = (minutes - KNOWN_NEW_MOON) / MINUTES_PER_DAY
    return days % SYNODIC_MONTH


def name(minutes):
    """The moon's phase in words."""
    eighth = SYNODIC_MONTH / 8
    return NAMES[int((age(minutes) + eighth / 2) / eighth) % 8]


def spring_or_neap(minutes):
    """``S`` within two days of springs, ``N`` within two days of neaps, else a blank."""
    half = SYNODIC_MONTH / 2
    since_springs = (age(minutes) - AGE_OF_TIDE) % half
    if min(since_springs, half - since_springs) < 2:
        return "S"
    if abs(since_springs - half / 2) < 2:
        return "N"
    return " "
