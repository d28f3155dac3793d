"""cached_property: properties that are computed once."""

from functools import cached_property

threaded_cached_property = cached_property


def cached_property_with_ttl(ttl=None):
    return cached_property if not callable(ttl) else cached_property(ttl)


cached_property_ttl = timed_cached_property = cached_property_with_ttl
