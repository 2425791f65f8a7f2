"""The table as it hangs on the wall: the only place where numbers become words."""

import moon
import weather as skies
from units import MINUTES_PER_DAY, to_moment

#: How many lines the drawn curve has.
CURVE_HEIGHT = 9

#: How many minutes one column of the curve stands for.
CURVE_STEP = 20

WATER = "~"
SILL = "-"


def clock(minutes):
    """The time of day, to the nearest minute: ``06:42``."""
    return to_moment(round(minutes)).strftime("%H:%M")


def day(minutes):
    """The day, as people say it: ``Sunday 14 June 2026``."""
    moment = to_moment(minutes)
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


def duration(minutes):
    """How long something lasts: ``3 h 05 min``, or ``40 min``."""
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest:02d} min" if hours else f"{rest} min"


def heading(harbour, start):
    """The harbour, the day, and the moon's part in it."""
    mark = moon.spring_or_neap(start)
    tide = {"S": " (springs)", "N": " (neaps)"}.get(mark, "")
    title = f"{harbour.name}, {day(start)}"
    return f"{title}\n{'=' * len(title)}\n{moon.name(start).capitalize()}{tide}"


def turns_table(turns, harbour):
    """One line for each high and low water."""
    lines = ["            time   height   over the sill"]
    for turn in turns:
        kind = "high water" if turn.is_high else "low water"
        over = harbour.water_over_sill(turn.height)
        depth = f"{over:5.2f} m" if over > 0 else "    dry"
        lines.append(f"{kind:<10}  {clock(turn.minutes)}  {turn.height:5.2f} m   {depth}")
    return "\n".join(lines)


def range_line(turns):
    """How far the water rises and falls in the day."""
    highs = [turn.height for turn in turns if turn.is_high]
    lows = [turn.height for turn in turns if not turn.is_high]
    if not highs or not lows:
        return "The tide hardly moves."
    return f"The largest range of the day is {max(highs) - min(lows):.2f} m."


def windows_list(windows, boat):
    """When the boat can cross the sill, in sentences."""
    if not windows:
        return f"There is not enough water for {boat} on this day."
    lines = [f"There is enough water for {boat}"]
    for window in windows:
        if window.length >= MINUTES_PER_DAY:
            return f"There is enough water for {boat} all day."
        span = f"from {clock(window.opens)} to {clock(window.closes)}"
        lines.append(f"  {span}  ({duration(window.length)})")
    return "\n".join(lines)


def curve(samples, harbour):
    """The day's tide, drawn with letters: the sea as waves, a dry sill as a dashed line."""
    columns = samples[::CURVE_STEP]
    lowest = min(0.0, min(height for _, height in columns))
    highest = max(height for _, height in columns)
    step = (highest - lowest) / (CURVE_HEIGHT - 1) or 1.0
    lines = []
    for row in reversed(range(CURVE_HEIGHT)):
        level = lowest + row * step
        is_sill_row = abs(level - harbour.sill) <= step / 2
        blank = SILL if is_sill_row else " "
        drawn = "".join(WATER if height >= level else blank for _, height in columns)
        lines.append(f"{level:5.1f} |{drawn}".rstrip())
    lines.append("      +" + "-" * len(columns))
    lines.append("       " + hours_axis(len(columns)))
    return "\n".join(lines)


def hours_axis(width):
    """The hours below the curve, one number every four hours."""
    axis = [" "] * (width + 2)
    for hour in range(0, 24, 4):
        at = hour * 60 // CURVE_STEP
        axis[at : at + 2] = f"{hour:02d}"
    return "".join(axis).rstrip()


def short_line(start, turns):
    """A day in one line, for the small card that people take along."""
    moment = to_moment(start)
    words = [f"{moment:%a} {moment.day:>2}", moon.spring_or_neap(start)]
    for turn in turns:
        if turn.is_high:
            words.append(f"{clock(turn.minutes)} {turn.height:4.1f} m")
    return "  ".join(words).rstrip()


def now_line(state, next_turn):
    """What the sea is doing at a minute, and how long it will go on."""
    verb = "rises" if state.rate >= 0 else "falls"
    speed = f"{abs(state.rate) * 100:.0f} cm an hour"
    stands = f"At {clock(state.minutes)} the water stands at {state.height:.2f} m"
    sentence = f"{stands} and {verb} by {speed}."
    if next_turn is None:
        return sentence
    kind = "High" if next_turn.is_high else "Low"
    wait = duration(next_turn.minutes - state.minutes)
    return f"{sentence}\n{kind} water is in {wait}, at {clock(next_turn.minutes)}."


def wait_line(wait):
    """How long the boat has to wait."""
    if wait is None:
        return "There won't be enough water for a day."
    return "There is enough water now." if wait == 0 else f"Enough water in {duration(wait)}."


def page(harbour, start, turns, windows, boat, samples, weather):
    """Everything, in the order in which people look for it."""
    parts = [heading(harbour, start), turns_table(turns, harbour), range_line(turns)]
    if boat:
        parts.append(windows_list(windows, boat))
    parts.append(curve(samples, harbour))
    parts.append(skies.in_words(weather, harbour.facing))
    return "\n\n".join(parts) + "\n"
