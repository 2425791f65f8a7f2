"""What the weather adds to a tide, or takes away.

Two effects are worth a harbour master's attention, and both are simple enough for the back
of an envelope:

*Pressure.* The sea is a barometer. Every hectopascal below normal lets it rise by about a
centimetre, every hectopascal above presses it down by as much.

*Wind.* A wind from the open sea piles water up against the shore. It does so with the square
of its speed, and hardly at all when it blows along the coast.
"""

import math
from dataclasses import dataclass

#: The pressure for which tide tables are made, in hectopascals.
NORMAL_PRESSURE = 1013.0

#: Metres of water for each hectopascal below normal.
METRES_PER_HECTOPASCAL = 0.01

#: Metres of water for a wind of 1 m/s straight from the sea. It grows with the square.
SETUP = 0.0011

#: No sum of weather is believed beyond this, in metres: then it is a storm, not a table.
MOST_SURGE = 1.5

#: The Beaufort scale: force n starts at this many metres a second.
BEAUFORT = (0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7)

#: What the radio calls each force.
WIND_NAMES = (
    "calm",
    "light air",
    "light breeze",
    "gentle breeze",
    "moderate breeze",
    "fresh breeze",
    "strong breeze",
    "near gale",
    "gale",
    "strong gale",
    "storm",
    "violent storm",
    "hurricane",
)

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True)
class Weather:
    """An hour's weather, as it is written on the slate by the door."""

    pressure: float = NORMAL_PRESSURE  # hectopascals
    wind_speed: float = 0.0  # metres a second
    wind_from: float = 0.0  # degrees from north

    @property
    def beaufort(self):
        """The wind's force, from 0 to 12."""
        reached = [force for force, start in enumerate(BEAUFORT) if self.wind_speed >= start]
        return reached[-1] if reached else 0

    @property
    def wind_name(self):
        """Where the wind comes from, as a letter or two."""
        return COMPASS[round(self.wind_from / 45) % 8]


CALM = Weather()


def pressure_effect(weather):
    """Metres by which the sea stands higher because the air weighs less."""
    return (NORMAL_PRESSURE - weather.pressure) * METRES_PER_HECTOPASCAL


def wind_effect(weather, facing):
    """Metres by which the wind raises the sea at a shore that faces that way."""
    onshore = math.cos(math.radians(weather.wind_from - facing))
    return SETUP * weather.wind_speed**2 * onshore


def surge(weather, facing):
    """Metres that the weather adds to the table. Negative where it takes some away."""
    total = pressure_effect(weather) + wind_effect(weather, facing)
    return max(-MOST_SURGE, min(MOST_SURGE, total))


def parse(text):
    """Weather as it is written on the slate: ``998 SW 14`` or ``1021``.

    >>> parse("998 SW 14")
    Weather(pressure=998.0, wind_speed=14.0, wind_from=225)
    """
    words = text.upper().split()
    if len(words) == 1:
        return Weather(pressure=float(words[0]))
    if len(words) != 3 or words[1] not in COMPASS:
        raise ValueError(f"Write the weather like this: 998 SW 14. This is not: {text!r}.")
    pressure, direction, speed = words
    return Weather(
        pressure=float(pressure),
        wind_speed=float(speed),
        wind_from=COMPASS.index(direction) * 45,
    )


def in_words(weather, facing):
    """A sentence for the foot of the table."""
    extra = surge(weather, facing)
    seen = f"{weather.pressure:.0f} hPa, {wind_in_words(weather)}"
    if abs(extra) < 0.05:
        return f"{seen}: the table holds."
    word = "higher" if extra > 0 else "lower"
    return f"{seen}: about {abs(extra):.1f} m {word} than on an ordinary day."


def wind_in_words(weather):
    """The wind as the radio says it: ``wind SW 7, near gale``."""
    if weather.beaufort == 0:
        return WIND_NAMES[0]
    return f"wind {weather.wind_name} {weather.beaufort}, {WIND_NAMES[weather.beaufort]}"
