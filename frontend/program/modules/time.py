"""Clocks, whose readings are unknown."""

timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")
CLOCK_MONOTONIC, CLOCK_REALTIME = 1, 0


def time():
    import _tilewise
    return _tilewise.unknown("the time")


perf_counter = monotonic = process_time = thread_time = time_ns = perf_counter_ns = time
monotonic_ns = process_time_ns = time


def sleep(seconds):
    pass


class struct_time(tuple):
    tm_year, tm_mon, tm_mday, tm_hour, tm_min, tm_sec = 2025, 1, 1, 0, 0, 0
    tm_wday, tm_yday, tm_isdst = 2, 1, 0


_FIXED = (2025, 1, 1, 0, 0, 0, 2, 1, 0)


def localtime(seconds=None):
    return struct_time(_FIXED)


gmtime = localtime


def strftime(format, t=None):
    from datetime import datetime
    return datetime(2025, 1, 1).strftime(format)


def ctime(seconds=None):
    return "Wed Jan  1 00:00:00 2025"


asctime = ctime


def mktime(t):
    return 1735689600.0


def strptime(text, format="%a %b %d %H:%M:%S %Y"):
    return struct_time(_FIXED)
