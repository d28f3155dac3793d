"""Atoms and bonds as sums of embeddings, one for each of their properties."""

from torch import nn

_ATOMS = [119, 5, 12, 12, 10, 6, 6, 2, 2]
_BONDS = [5, 6, 2]


class _Encoder(nn.Module):
    def __init__(self, sizes, width):
        super().__init__()
        self.parts = nn.ModuleList([nn.Embedding(n, width) for n in sizes])

    def forward(self, x):
        return sum([part(x[:, i]) for i, part in enumerate(self.parts)])


class AtomEncoder(_Encoder):
    def __init__(self, emb_dim, *args, **kwargs):
        super().__init__(_ATOMS, emb_dim)


class BondEncoder(_Encoder):
    def __init__(self, emb_dim):
        super().__init__(_BONDS, emb_dim)
