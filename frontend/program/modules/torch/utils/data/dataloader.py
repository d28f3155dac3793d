from . import DataLoader, default_collate
