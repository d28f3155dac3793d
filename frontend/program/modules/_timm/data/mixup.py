from _timm.data import FastCollateMixup, Mixup
