__version__ = "10.0.0"

from . import Image
