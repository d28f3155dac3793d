"""Packed binary values: sizes are known, contents are not read."""

_SIZES = {"x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "e": 2, "i": 4, "I": 4, "l": 4,
          "L": 4, "f": 4, "q": 8, "Q": 8, "d": 8, "n": 8, "N": 8, "s": 1, "p": 1, "P": 8}


class error(Exception):
    pass


def _parts(format):
    parts, number = [], ""
    for c in format:
        if c in "@=<>! ":
            continue
        if c.isdigit():
            number += c
        else:
            parts.append((int(number) if number else 1, c))
            number = ""
    return parts


def calcsize(format):
    native = not format or format[0] not in "=<>!"
    total = 0
    for n, c in _parts(format):
        size = 8 if native and c in "lL" else _SIZES[c]
        if native and size > 1 and c not in "sp":
            total = -(-total // size) * size
        total += n * size
    return total


def pack(format, *values):
    order = "big" if format[:1] in (">", "!") else "little"
    values, out = list(values), b""
    for n, c in _parts(format):
        if c in "sp":
            out += values.pop(0)[:n].ljust(n, b"\0")
        elif c == "x":
            out += bytes(n)
        elif c in "efd":
            out += bytes(n * _SIZES[c])
            del values[:n]
        else:
            for _ in range(n):
                value = int(values.pop(0))
                value %= 1 << (8 * _SIZES[c])
                shifts = range(0, 8 * _SIZES[c], 8)
                out += bytes([value >> s & 255 for s in
                              (reversed(shifts) if order == "big" else shifts)])
    return out


def unpack(format, data):
    import _tilewise
    if not _tilewise.is_unknown(data) and hasattr(data, "values") and not hasattr(data, "keys"):
        return tuple(data.values)
    if not isinstance(data, (bytes, bytearray)):
        import _tilewise
        return tuple([_tilewise.unknown("a binary value") for n, c in _parts(format)
                      for _ in range(1 if c in "sp" else n) if c != "x"])
    order = "big" if format[:1] in (">", "!") else "little"
    at, out = 0, []
    for n, c in _parts(format):
        if c in "sp":
            out.append(data[at:at + n])
            at += n
        elif c == "x":
            at += n
        else:
            for _ in range(n):
                size = _SIZES[c]
                if c in "efd":
                    import _tilewise
                    out.append(_tilewise.unknown("a binary number"))
                else:
                    value = 0
                    digits = list(data[at:at + size])
                    for digit in digits if order == "big" else reversed(digits):
                        value = value << 8 | digit
                    if c in "bhilqn" and value >= 1 << (8 * size - 1):
                        value -= 1 << (8 * size)
                    out.append(value)
                at += size
    return tuple(out)


def unpack_from(format, buffer, offset=0):
    if hasattr(buffer, "header"):
        return tuple(buffer.header)[offset // 4:][:len(_parts(format))]
    return unpack(format, buffer[offset:offset + calcsize(format)])


class Struct:
    def __init__(self, format):
        self.format = format
        self.size = calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def unpack(self, data):
        return unpack(self.format, data)
