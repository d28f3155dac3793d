from _timm.data import create_loader
