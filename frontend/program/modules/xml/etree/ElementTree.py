"""Trees of XML: what a program reads from one is data that is not known; what it builds is not
read."""

import _tilewise


class ParseError(SyntaxError):
    pass


class Element:
    """Any element: it has each part that is asked for."""

    def __init__(self, tag=None, attrib=None, **extra):
        self.tag = _tilewise.unknown("the tag of an element of XML") if tag is None else tag
        self.text = _tilewise.unknown("a text in XML")
        self.tail = None
        self.attrib = _Attributes()

    def _parts(self, path=None):
        tag = None if path is None or path in ("*", ".") else path.rsplit("/", 1)[-1]
        return _tilewise.assume([Element(tag)], "how many elements a text in XML has")

    def __iter__(self):
        return iter(self._parts())

    def __len__(self):
        return _tilewise.unknown("how many elements a text in XML has")

    def __getitem__(self, index):
        return Element()

    def find(self, path, namespaces=None):
        return Element(path.rsplit("/", 1)[-1] if isinstance(path, str) else None)

    def findall(self, path, namespaces=None):
        return self._parts(path)

    iterfind = findall

    def iter(self, tag=None):
        return iter(self._parts(tag))

    getiterator = iter

    def findtext(self, path, default=None, namespaces=None):
        return self.text

    def get(self, key, default=None):
        return self.attrib[key]

    def set(self, key, value):
        pass

    def append(self, element):
        pass

    def keys(self):
        return []

    def getroot(self):
        return self

    def write(self, file, *args, **kw):
        pass


class _Attributes(dict):
    def __missing__(self, key):
        return _tilewise.unknown("an attribute in XML")

    def get(self, key, default=None):
        return self[key]


ElementTree = Element


def SubElement(parent, tag, attrib=None, **extra):
    return Element(tag)


def parse(source, parser=None):
    return Element()


def fromstring(text, parser=None):
    return Element()


XML = fromstring


def tostring(element, *args, **kw):
    return _tilewise.unknown("a text in XML")


dump = indent = lambda *args, **kw: None
