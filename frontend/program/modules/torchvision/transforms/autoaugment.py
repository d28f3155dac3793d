from . import AugMix, AutoAugment, AutoAugmentPolicy, RandAugment, TrivialAugmentWide
