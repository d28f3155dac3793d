"""Arrays to tensors."""

import _tilewise
from . import BasicTransform


class ToTensorV2(BasicTransform):
    """Pictures get their channels first; masks stay as they are unless asked for."""

    def __init__(self, transpose_mask=False, always_apply=True, p=1.0):
        BasicTransform.__init__(self)
        self.transpose_mask = transpose_mask

    def _tensor(self, a, first):
        import torch
        if _tilewise.is_unknown(a) or not hasattr(a, "shape"):
            return a
        x = torch.from_numpy(a)
        if first:
            x = x.permute(2, 0, 1) if x.dim() == 3 else x.unsqueeze(0)
        return x

    def __call__(self, *args, force_apply=False, **data):
        made = dict(data)
        for name, value in data.items():
            if name.startswith("image"):
                made[name] = self._tensor(value, True)
            elif name == "masks":
                made[name] = [self._tensor(v, False) for v in value]
            elif name.startswith("mask"):
                deep = self.transpose_mask and getattr(value, "ndim", 0) == 3
                made[name] = self._tensor(value, deep)
        return made


ToTensor = ToTensorV2


class transforms:
    ToTensorV2 = ToTensor = ToTensorV2
