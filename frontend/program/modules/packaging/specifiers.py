"""Ranges of versions."""

from packaging.version import Version


class SpecifierSet:
    def __init__(self, text="", prereleases=None):
        self._parts = [part.strip() for part in text.split(",") if part.strip()]

    def contains(self, version, prereleases=None):
        version = version if isinstance(version, Version) else Version(version)
        for part in self._parts:
            sign = part[:2] if part[:2] in ("==", ">=", "<=", "!=", "~=") else part[:1]
            text = part[len(sign):].strip()
            if text.endswith(".*"):
                wanted = Version(text[:-2]).release
                same = version.release[:len(wanted)] == wanted
                if same != (sign == "=="):
                    return False
                continue
            other = Version(text)
            if sign == "~=":
                n = len(other.release) - 1
                good = version >= other and version.release[:n] == other.release[:n]
            else:
                good = {"==": version == other, ">=": version >= other, "<=": version <= other,
                        "!=": version != other, ">": version > other,
                        "<": version < other}[sign]
            if not good:
                return False
        return True

    __contains__ = contains


Specifier = SpecifierSet
