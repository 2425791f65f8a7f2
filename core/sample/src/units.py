"""The two units of this program, and how people write them."""

from datetime import datetime, timedelta, timezone

#: Minute zero. Everything is counted from here.
EPOCH = datetime(2026, 1, 1, tzinfo=timezone.utc)

MINUTES_PER_DAY = 24 * 60


def to_minutes(moment):
    """Minutes from the epoch to a moment, which must know its time zone."""
    return (moment - EPOCH).total_seconds() / 60


def to_moment(minutes):
    """The moment that many minutes after the epoch."""
    return EPOCH + timedelta(minutes=minutes)


def day_start(text):
    """Minutes from the epoch to midnight of a day such as ``2026-06-14``."""
    return to_minutes(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=timezone.utc))


def time_of_day(text):
    """Minutes from midnight to a time such as ``14:30``."""
    moment = datetime.strptime(text, "%H:%M")
    return moment.hour * 60 + moment.minute
