"""Dates. The present is a fixed day: names made from it stay the same from run to run."""

MINYEAR, MAXYEAR = 1, 9999
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NAMES = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0,
                 weeks=0):
        total = (((days + 7 * weeks) * 24 + hours) * 60 + minutes) * 60 + seconds
        micro = round(total * 1000000 + milliseconds * 1000 + microseconds)
        self._micro = micro
        self.days = micro // 86400000000
        self.seconds = micro // 1000000 % 86400
        self.microseconds = micro % 1000000

    def total_seconds(self):
        return self._micro / 1000000

    def _of(self, micro):
        return timedelta(microseconds=micro)

    def __add__(self, other):
        if isinstance(other, timedelta):
            return self._of(self._micro + other._micro)
        return NotImplemented

    def __sub__(self, other):
        return self._of(self._micro - other._micro)

    def __neg__(self):
        return self._of(-self._micro)

    def __mul__(self, factor):
        return self._of(self._micro * factor)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micro / other._micro
        return self._of(self._micro / other)

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micro // other._micro
        return self._of(self._micro // other)

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._micro == other._micro

    def __lt__(self, other):
        return self._micro < other._micro

    def __le__(self, other):
        return self._micro <= other._micro

    def __gt__(self, other):
        return self._micro > other._micro

    def __ge__(self, other):
        return self._micro >= other._micro

    def __bool__(self):
        return self._micro != 0

    def __hash__(self):
        return hash(self._micro)

    def __str__(self):
        hours, rest = divmod(self.seconds, 3600)
        text = f"{hours}:{rest // 60:02d}:{rest % 60:02d}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __repr__(self):
        parts = [f"{n}={v}" for n, v in (("days", self.days), ("seconds", self.seconds),
                                         ("microseconds", self.microseconds)) if v]
        return f"datetime.timedelta({', '.join(parts) or '0'})"


class timezone:
    def __init__(self, offset, name=None):
        self._offset = offset

    def utcoffset(self, when):
        return self._offset


timezone.utc = UTC = timezone(timedelta(0))
tzinfo = timezone


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month_days(year, month):
    return 29 if month == 2 and _leap(year) else _MONTHS[month - 1]


class date:
    def __init__(self, year, month=1, day=1):
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return cls(2025, 1, 1)

    def toordinal(self):
        y = self.year - 1
        days = y * 365 + y // 4 - y // 100 + y // 400 + self.day
        for month in range(1, self.month):
            days += _month_days(self.year, month)
        return days

    @classmethod
    def fromordinal(cls, n):
        year = n // 366 + 1
        while date(year + 1, 1, 1).toordinal() <= n:
            year += 1
        n -= date(year, 1, 1).toordinal()
        month = 1
        while n >= _month_days(year, month):
            n -= _month_days(year, month)
            month += 1
        return cls(year, month, n + 1)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def _key(self):
        return (self.year, self.month, self.day)

    def __eq__(self, other):
        return isinstance(other, date) and self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __le__(self, other):
        return self._key() <= other._key()

    def __gt__(self, other):
        return self._key() > other._key()

    def __ge__(self, other):
        return self._key() >= other._key()

    def __hash__(self):
        return hash(self._key())

    def __add__(self, delta):
        return type(self).fromordinal(self.toordinal() + delta.days)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        return timedelta(days=self.toordinal() - other.toordinal())

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        inside = ", ".join([str(v) for v in self._key()])
        return f"datetime.{type(self).__name__}({inside})"

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def strftime(self, format):
        hour = getattr(self, "hour", 0)
        day = self.toordinal() - date(self.year, 1, 1).toordinal() + 1
        table = {"Y": f"{self.year:04d}", "m": f"{self.month:02d}", "d": f"{self.day:02d}",
                 "H": f"{hour:02d}", "M": f"{getattr(self, 'minute', 0):02d}",
                 "S": f"{getattr(self, 'second', 0):02d}", "y": f"{self.year % 100:02d}",
                 "f": f"{getattr(self, 'microsecond', 0):06d}", "j": f"{day:03d}",
                 "B": _NAMES[self.month - 1], "b": _NAMES[self.month - 1][:3],
                 "A": _DAYS[self.weekday()], "a": _DAYS[self.weekday()][:3], "%": "%",
                 "I": f"{(hour + 11) % 12 + 1:02d}", "p": "AM" if hour < 12 else "PM",
                 "Z": "", "z": "", "s": "1735689600", "w": str((self.weekday() + 1) % 7)}
        table["F"] = self.isoformat()[:10]
        table["T"] = table["X"] = f"{table['H']}:{table['M']}:{table['S']}"
        table["D"] = table["x"] = f"{table['m']}/{table['d']}/{table['y']}"
        out, i = "", 0
        while i < len(format):
            c = format[i]
            if c == "%" and i + 1 < len(format):
                i += 1
                c = table.get(format[i], "%" + format[i])
            out += c
            i += 1
        return out

    def replace(self, **changes):
        made = type(self)(*self._key())
        for name, value in changes.items():
            setattr(made, name, value)
        return made


class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        self.hour, self.minute, self.second = hour, minute, second
        self.microsecond = microsecond

    def isoformat(self):
        return f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}"

    __str__ = isoformat


class datetime(date):
    def __init__(self, year, month=1, day=1, hour=0, minute=0, second=0, microsecond=0,
                 tzinfo=None):
        super().__init__(year, month, day)
        self.hour, self.minute, self.second = hour, minute, second
        self.microsecond = microsecond
        self.tzinfo = tzinfo

    @classmethod
    def now(cls, tz=None):
        return cls(2025, 1, 1, tzinfo=tz)

    today = utcnow = now

    @classmethod
    def fromtimestamp(cls, stamp, tz=None):
        if not isinstance(stamp, (int, float)):
            return cls.now()
        return cls(1970, 1, 1) + timedelta(seconds=stamp)

    utcfromtimestamp = fromtimestamp

    @classmethod
    def fromisoformat(cls, text):
        day, _, clock = text.replace("T", " ").partition(" ")
        numbers = [int(n) for n in day.split("-")]
        if clock:
            numbers += [int(n) for n in clock.split(".")[0].split(":")]
        return cls(*numbers)

    @classmethod
    def strptime(cls, text, format):
        import re
        names = {"Y": r"\d{4}", "m": r"\d{1,2}", "d": r"\d{1,2}", "H": r"\d{1,2}",
                 "M": r"\d{1,2}", "S": r"\d{1,2}"}
        pattern, order, i = "", [], 0
        while i < len(format):
            if format[i] == "%" and format[i + 1] in names:
                order.append(format[i + 1])
                pattern += "(" + names[format[i + 1]] + ")"
                i += 2
            else:
                pattern += re.escape(format[i])
                i += 1
        found = re.fullmatch(pattern, text)
        if found is None:
            raise ValueError(f"time data {text!r} does not match format {format!r}")
        values = dict(zip(order, [int(v) for v in found.groups()]))
        return cls(values.get("Y", 1900), values.get("m", 1), values.get("d", 1),
                   values.get("H", 0), values.get("M", 0), values.get("S", 0))

    def timestamp(self):
        days = self.toordinal() - date(1970, 1, 1).toordinal()
        return float(days * 86400 + self.hour * 3600 + self.minute * 60 + self.second)

    def _key(self):
        key = (self.year, self.month, self.day, self.hour, self.minute)
        if self.microsecond:
            return key + (self.second, self.microsecond)
        return key + (self.second,) if self.second else key

    def __add__(self, delta):
        micro = ((self.hour * 60 + self.minute) * 60 + self.second) * 1000000 + self.microsecond
        days, micro = divmod(micro + delta._micro, 86400000000)
        day = date.fromordinal(self.toordinal() + days)
        seconds, micro = divmod(micro, 1000000)
        return type(self)(day.year, day.month, day.day, seconds // 3600, seconds // 60 % 60,
                          seconds % 60, micro, self.tzinfo)

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        return timedelta(seconds=self.timestamp() - other.timestamp(),
                         microseconds=self.microsecond - other.microsecond)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def astimezone(self, tz=None):
        return self

    def isoformat(self, sep="T", timespec="auto"):
        text = f"{date.isoformat(self)}{sep}{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        return text + (f".{self.microsecond:06d}" if self.microsecond else "")

    def __str__(self):
        return self.isoformat(" ")


date.min, date.max = date(1, 1, 1), date(9999, 12, 31)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31)
