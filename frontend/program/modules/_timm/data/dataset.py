from _timm.data import AugMixDataset, ImageDataset
