"""The prediction itself: how high the water stands, when it turns, when it is enough.

Everything starts from one function, :func:`height`. It adds up the waves of a harbour at one
minute. All the others ask it many times:

* :func:`samples` asks for every minute of a day, for the drawn curve;
* :func:`state` asks for one minute, and for how fast the water moves;
* :func:`turns` looks for the minutes at which the water stops rising or falling;
* :func:`windows` looks for the minutes at which it passes a level that a boat needs.

A boat of 1.9 m that wants 0.3 m under its keel, at a sill of 0.4 m, needs a tide of 2.6 m:

    windows(harbour, start, end, needed=2.6)
"""

import math
from dataclasses import dataclass

#: How far apart the water is looked at when something is searched for, in minutes. The fastest
#: wave takes twelve hours, so nothing can happen twice between two looks.
LOOK_EVERY = 15

#: Searches end when they are this sure, in minutes. It is one second.
SURE = 1 / 60

#: Turns that differ by less than this, in metres, are a stand of the tide and not two turns.
STAND = 0.02


@dataclass(frozen=True)
class State:
    """What the water does at one minute."""

    minutes: float
    height: float
    rate: float  # metres an hour, negative when it falls


@dataclass(frozen=True)
class Turn:
    """A high or a low water."""

    minutes: float
    height: float
    is_high: bool


@dataclass(frozen=True)
class Window:
    """A time during which there is enough water."""

    opens: float
    closes: float

    @property
    def length(self):
        """How long it is, in minutes."""
        return self.closes - self.opens

    def holds(self, minutes):
        """Whether that minute is within it."""
        return self.opens <= minutes <= self.closes


def height(harbour, minutes, surge=0.0):
    """Metres above chart datum at that minute, with what the weather adds."""
    total = harbour.mean_level + surge
    for wave in harbour.waves:
        angle = wave.constituent.angle(minutes) - math.radians(wave.lag)
        total += wave.amplitude * math.cos(angle)
    return total


def slope(harbour, minutes):
    """How fast the water rises at that minute, in metres an hour. Negative when it falls.

    The weather has no part in it: it is taken to stay as it is for the day.
    """
    total = 0.0
    for wave in harbour.waves:
        angle = wave.constituent.angle(minutes) - math.radians(wave.lag)
        speed = math.radians(wave.constituent.speed)
        total -= wave.amplitude * speed * math.sin(angle)
    return total


def state(harbour, minutes, surge=0.0):
    """Height and rate of the water at that minute, together."""
    return State(
        minutes=minutes,
        height=height(harbour, minutes, surge),
        rate=slope(harbour, minutes),
    )


def samples(harbour, start, end, surge=0.0):
    """Pairs of minute and height, one for every minute from start up to end."""
    count = int(end - start)
    return [(start + step, height(harbour, start + step, surge)) for step in range(count)]


def looks(start, end):
    """The minutes at which a search looks, always with both ends."""
    minutes = start
    while minutes < end:
        yield minutes
        minutes += LOOK_EVERY
    yield end


def crossing(function, low, high):
    """The minute between two others at which a function passes zero.

    It has to have different signs at the two. Halving the gap again and again is slower than
    cleverer ways and never wrong, and a day needs only a few of them.
    """
    rises = function(low) < 0
    while high - low > SURE:
        middle = (low + high) / 2
        if (function(middle) < 0) == rises:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def crossings(function, start, end):
    """Every minute at which a function passes zero, with whether it rises there."""
    found = []
    before, value_before = start, function(start)
    for minutes in looks(start, end):
        value = function(minutes)
        if (value < 0) != (value_before < 0):
            found.append((crossing(function, before, minutes), value >= 0))
        before, value_before = minutes, value
    return found


def turns(harbour, start, end, surge=0.0):
    """Every high and low water from start to end, in order.

    The water turns where its slope passes zero: downwards at high water, upwards at low.
    """
    found = []
    for minutes, rises in crossings(lambda at: slope(harbour, at), start, end):
        found.append(
            Turn(
                minutes=minutes,
                height=height(harbour, minutes, surge),
                is_high=not rises,
            )
        )
    return without_stands(found)


def without_stands(found):
    """Leaves out pairs of turns that nobody at the quay would notice.

    In some harbours the water stops for an hour, falls by a finger's breadth, and goes on
    rising. The table shows one high water there, as the old printed ones did.
    """
    kept = []
    for turn in found:
        if kept and abs(kept[-1].height - turn.height) < STAND:
            kept.pop()
        else:
            kept.append(turn)
    return kept


def windows(harbour, start, end, needed, surge=0.0):
    """Every time from start to end during which the tide is at least as high as needed.

    A window that is open already at the start begins there, and one that is still open at the
    end stops there: the page of the next day goes on with it.
    """

    def above(minutes):
        return height(harbour, minutes, surge) - needed

    found = []
    opened = start if above(start) >= 0 else None
    for minutes, rises in crossings(above, start, end):
        if rises:
            opened = minutes
        elif opened is not None:
            found.append(Window(opens=opened, closes=minutes))
            opened = None
    if opened is not None:
        found.append(Window(opens=opened, closes=end))
    return found


def next_turn(harbour, minutes, surge=0.0):
    """The first high or low water after that minute, or ``None`` if the next day has none."""
    for turn in turns(harbour, minutes, minutes + 24 * 60, surge):
        return turn
    return None


def wait_for(harbour, minutes, needed, surge=0.0):
    """How many minutes until there is enough water.

    Zero if there is already, ``None`` if there won't be for a day.
    """
    for window in windows(harbour, minutes, minutes + 24 * 60, needed, surge):
        return max(0.0, window.opens - minutes)
    return None
