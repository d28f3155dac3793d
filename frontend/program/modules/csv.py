"""Tables in text files."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    pass


def _split(line, delimiter, quote):
    if quote not in line:
        return line.split(delimiter)
    cells, cell, inside, i = [], "", False, 0
    while i < len(line):
        c = line[i]
        if inside:
            if c == quote and line[i + 1:i + 2] == quote:
                cell += quote
                i += 1
            elif c == quote:
                inside = False
            else:
                cell += c
        elif c == quote:
            inside = True
        elif c == delimiter:
            cells.append(cell)
            cell = ""
        else:
            cell += c
        i += 1
    return cells + [cell]


def reader(lines, dialect=None, *, delimiter=",", quotechar="\"", **kwargs):
    if dialect == "excel-tab":
        delimiter = "\t"
    held = None
    for line in lines:
        held = line if held is None else held + line
        if held.count(quotechar) % 2:
            continue
        text, held = held.rstrip("\r\n"), None
        yield _split(text, delimiter, quotechar) if text else []


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect=None, **kwargs):
        self._rows = reader(f, dialect, **kwargs)
        self._names = fieldnames

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self._rows, [])
        return self._names

    def __iter__(self):
        names = self.fieldnames
        for row in self._rows:
            if row:
                yield dict(zip(names, row))

    def __next__(self):
        return next(iter(self))


class writer:
    def __init__(self, f, dialect=None, *, delimiter=",", lineterminator="\r\n", **kwargs):
        self._file = f
        self._delimiter = "\t" if dialect == "excel-tab" else delimiter
        self._end = lineterminator

    def _cell(self, value):
        text = "" if value is None else str(value)
        if self._delimiter in text or "\"" in text or "\n" in text:
            text = "\"" + text.replace("\"", "\"\"") + "\""
        return text

    def writerow(self, row):
        return self._file.write(self._delimiter.join([self._cell(v) for v in row]) + self._end)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect=None, **kwargs):
        self.fieldnames = fieldnames
        self._restval = restval
        self.writer = writer(f, dialect, **kwargs)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def writerow(self, row):
        return self.writer.writerow([row.get(n, self._restval) for n in self.fieldnames])

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def field_size_limit(limit=None):
    return 131072
