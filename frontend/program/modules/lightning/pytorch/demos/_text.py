"""A language model on WikiText-2: 33278 words, 35 at once."""

import _tilewise
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from .._module import LightningModule


class _Positions(nn.Module):
    def __init__(self, dim, dropout=0.1, max_len=5000):
        nn.Module.__init__(self)
        self.dropout = nn.Dropout(dropout)
        self.dim, self.pe = dim, None

    def forward(self, x):
        return self.dropout(x + torch.zeros(x.shape[0], 1, self.dim))


class Transformer(nn.Module):
    def __init__(self, vocab_size=33278, ninp=200, nhead=2, nhid=200, nlayers=2, dropout=0.2):
        nn.Module.__init__(self)
        self.pos_encoder = _Positions(ninp, dropout)
        self.embedding = nn.Embedding(vocab_size, ninp)
        self.transformer = nn.Transformer(d_model=ninp, nhead=nhead, num_encoder_layers=nlayers,
                                          num_decoder_layers=nlayers, dim_feedforward=nhid,
                                          dropout=dropout, batch_first=True)
        self.decoder = nn.Linear(ninp, vocab_size)
        self.ninp, self.vocab_size, self.src_mask = ninp, vocab_size, None

    def forward(self, inputs, target, mask=None):
        t = inputs.shape[1]
        if mask is None:
            mask = torch.tril(torch.ones(t, t)) == 1
            mask = mask.float().masked_fill(mask == 0, float("-inf")).masked_fill(mask == 1, 0.0)
        source = self.pos_encoder(self.embedding(inputs))
        target = self.pos_encoder(self.embedding(target))
        output = self.transformer(source, target, tgt_mask=mask)
        return torch.log_softmax(self.decoder(output), -1).view(-1, self.vocab_size)


class _Words:
    def __len__(self):
        return 33278


class WikiText2(Dataset):
    def __init__(self, data_dir="data", block_size=35, download=True):
        self.block_size, self.data, self.dictionary = block_size, None, _Words()

    vocab_size = 33278

    def __len__(self):
        return 2088628 // self.block_size - 1

    def __getitem__(self, index):
        row = _tilewise.input([self.block_size], "s64", "", None)
        return torch.wrap(row), torch.wrap(row)


class LightningTransformer(LightningModule):
    def __init__(self, vocab_size=33278):
        LightningModule.__init__(self)
        self.model = Transformer(vocab_size=vocab_size)

    def forward(self, inputs, target):
        return self.model(inputs, target)

    def training_step(self, batch, batch_idx):
        inputs, target = batch
        return nn.functional.nll_loss(self(inputs, target), target.view(-1))

    def train_dataloader(self):
        return DataLoader(WikiText2())

    def configure_optimizers(self):
        return torch.optim.SGD(self.model.parameters(), lr=0.1)
