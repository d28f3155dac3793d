"""array_record.python."""

from array_record.python import array_record_data_source, array_record_module
