"""Records by their number."""

from grain._sources import ArrayRecordDataSource
