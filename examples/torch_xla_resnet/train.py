"""Trains a residual network on CIFAR-10 with PyTorch/XLA, one process for each core."""

import argparse

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp
from torchvision import datasets, transforms

from model import ResNet

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=128, help="of one core")
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--lr", type=float, default=0.1)
flags = parser.parse_args()


def make_loader():
    transform = transforms.Compose([
        transforms.RandomCrop(32, padding=4),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
    ])
    data = datasets.CIFAR10("/tmp/cifar", train=True, download=True, transform=transform)
    sampler = torch.utils.data.distributed.DistributedSampler(
        data, num_replicas=xm.xrt_world_size(), rank=xm.get_ordinal())
    return torch.utils.data.DataLoader(data, batch_size=flags.batch_size, sampler=sampler,
                                       num_workers=4, drop_last=True)


def run(index):
    device = xm.xla_device()
    model = ResNet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=flags.lr, momentum=0.9, weight_decay=5e-4)
    loader = pl.MpDeviceLoader(make_loader(), device)
    for epoch in range(flags.epochs):
        model.train()
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images), labels)
            loss.backward()
            xm.optimizer_step(optimizer)
        xm.master_print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    xmp.spawn(run)
