from .. import default_collate

default_convert = lambda data: data
