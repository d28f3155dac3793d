from . import DataParallel
