"""ArrayRecord: files whose records are data."""

from array_record import python
