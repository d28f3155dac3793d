from _timm.data import OrderedDistributedSampler, RepeatAugSampler
