__version__ = "10.0.0"

from . import Image, ImageDraw, ImageEnhance, ImageFile, ImageFilter, ImageFont, ImageOps


class UnidentifiedImageError(OSError):
    pass
