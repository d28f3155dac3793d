"""xml.dom.minidom: documents are not read."""

import _tilewise


def parse(file, *args, **kw):
    return _tilewise.unknown("a document of XML")


parseString = Document = parse
