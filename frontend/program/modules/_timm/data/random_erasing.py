from _timm.data import RandomErasing
