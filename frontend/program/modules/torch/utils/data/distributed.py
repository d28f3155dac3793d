from . import DistributedSampler
