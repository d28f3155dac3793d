"""Version numbers and their order."""


class InvalidVersion(ValueError):
    pass


_STAGES = {"a": "a", "alpha": "a", "b": "b", "beta": "b", "c": "rc", "rc": "rc", "pre": "rc",
           "preview": "rc"}


def _pieces(text):
    """Runs of digits and runs of letters."""
    out, run = [], ""
    for c in text:
        if c in ".-_":
            if run:
                out.append(run)
            run = ""
        elif run and c.isdigit() != run[-1].isdigit():
            out.append(run)
            run = c
        else:
            run += c
    return out + [run] if run else out


class Version:
    def __init__(self, version):
        text = str(version).strip().lower()
        if text.startswith("v"):
            text = text[1:]
        self._text = text
        text, _, local = text.partition("+")
        self.local = local or None
        self.epoch = 0
        if "!" in text:
            epoch, _, text = text.partition("!")
            self.epoch = int(epoch)
        numbers, pre, post, dev = [], None, None, None
        parts = _pieces(text)
        i = 0
        while i < len(parts) and parts[i].isdigit():
            numbers.append(int(parts[i]))
            i += 1
        while i < len(parts):
            word = parts[i]
            number = 0
            i += 1
            if i < len(parts) and parts[i].isdigit():
                number = int(parts[i])
                i += 1
            if word in _STAGES:
                pre = (_STAGES[word], number)
            elif word in ("post", "rev", "r"):
                post = number
            elif word == "dev":
                dev = number
            else:
                raise InvalidVersion(f"Invalid version: {version!r}")
        if not numbers:
            raise InvalidVersion(f"Invalid version: {version!r}")
        self.release = tuple(numbers)
        self.pre, self.post, self.dev = pre, post, dev
        short = list(numbers)
        while len(short) > 1 and short[-1] == 0:
            short.pop()
        last = ("z", 0)
        if pre is not None:
            stage = pre
        elif post is None and dev is not None:
            stage = ("", 0)
        else:
            stage = last
        self._order = (self.epoch, tuple(short), stage, -1 if post is None else post,
                       10 ** 9 if dev is None else dev, local)

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    @property
    def is_prerelease(self):
        return self.pre is not None or self.dev is not None

    @property
    def is_devrelease(self):
        return self.dev is not None

    @property
    def is_postrelease(self):
        return self.post is not None

    @property
    def base_version(self):
        return ".".join([str(n) for n in self.release])

    @property
    def public(self):
        return str(self).partition("+")[0]

    def __str__(self):
        text = self.base_version
        if self.pre is not None:
            text += f"{self.pre[0]}{self.pre[1]}"
        if self.post is not None:
            text += f".post{self.post}"
        if self.dev is not None:
            text += f".dev{self.dev}"
        return text + (f"+{self.local}" if self.local else "")

    def __repr__(self):
        return f"<Version('{self}')>"

    def __hash__(self):
        return hash(self._order)

    def __eq__(self, other):
        return isinstance(other, Version) and self._order == other._order

    def __lt__(self, other):
        return self._order < other._order

    def __le__(self, other):
        return self._order <= other._order

    def __gt__(self, other):
        return self._order > other._order

    def __ge__(self, other):
        return self._order >= other._order


LegacyVersion = Version


def parse(version):
    return Version(version)
