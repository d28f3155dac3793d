"""The least that trains."""

import torch
from torch.utils.data import DataLoader, Dataset
from . import Transformer, WikiText2
from .._module import LightningDataModule, LightningModule


class RandomDataset(Dataset):
    def __init__(self, size, length):
        self.len, self.data = length, torch.randn(length, size)

    def __getitem__(self, index):
        return self.data[index]

    def __len__(self):
        return self.len


class BoringModel(LightningModule):
    def __init__(self):
        LightningModule.__init__(self)
        self.layer = torch.nn.Linear(32, 2)

    def forward(self, x):
        return self.layer(x)

    def training_step(self, batch, batch_idx):
        output = self.layer(batch)
        return {"loss": torch.nn.functional.mse_loss(output, torch.ones_like(output))}

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.layer.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)]

    def train_dataloader(self):
        return DataLoader(RandomDataset(32, 64))


class BoringDataModule(LightningDataModule):
    def train_dataloader(self):
        return DataLoader(RandomDataset(32, 64))


DemoModel = BoringModel
