from _timm.data import create_dataset
