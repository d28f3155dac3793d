from . import DistributedDataParallel
