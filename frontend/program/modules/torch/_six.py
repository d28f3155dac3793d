"""Names for Python 2 and 3 alike, which torch had before 2.0."""

import collections.abc as container_abcs
from math import inf, nan
from six import with_metaclass

string_classes = (str, bytes)
int_classes = int
PY37 = True
