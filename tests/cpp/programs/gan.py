import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

NOISE = 96


class Maker(nn.Module):
    def __init__(self, noise):
        super().__init__()
        layers = []
        before = noise
        for i, width in enumerate([192, 96, 48]):
            layers.append(nn.ConvTranspose2d(before, width, 3 if i == 1 else 4,
                                             stride=1 if i == 0 else 2,
                                             padding=0 if i == 0 else 1, bias=False))
            layers.append(nn.BatchNorm2d(width))
            layers.append(nn.ReLU())
            before = width
        layers.append(nn.ConvTranspose2d(before, 1, 4, stride=2, padding=1, bias=False))
        layers.append(nn.Tanh())
        self.layers = nn.Sequential(*layers)

    def forward(self, noise):
        return self.layers(noise)


judge = nn.Sequential(
    nn.Conv2d(1, 48, 4, stride=2, padding=1, bias=False),
    nn.LeakyReLU(0.2),
    nn.Conv2d(48, 96, 4, stride=2, padding=1, bias=False),
    nn.BatchNorm2d(96),
    nn.LeakyReLU(0.2),
    nn.Conv2d(96, 192, 4, stride=2, padding=1, bias=False),
    nn.BatchNorm2d(192),
    nn.LeakyReLU(0.2),
    nn.Conv2d(192, 1, 3, bias=False),
    nn.Sigmoid())
maker = Maker(NOISE)
digits = datasets.MNIST("./digits", transform=transforms.ToTensor())
loader = DataLoader(digits, batch_size=128, shuffle=True, num_workers=2)
maker_optimizer = torch.optim.Adam(maker.parameters(), lr=2e-4, betas=(0.5, 0.999))
judge_optimizer = torch.optim.Adam(judge.parameters(), lr=2e-4, betas=(0.5, 0.999))

for epoch in range(25):
    for pictures, _ in loader:
        judge.zero_grad()
        on_real = judge(pictures).reshape([-1])
        loss_real = F.binary_cross_entropy(on_real, torch.ones_like(on_real))
        made = maker(torch.randn([pictures.size(0), NOISE, 1, 1]))
        on_made = judge(made.detach()).reshape([-1])
        loss_made = F.binary_cross_entropy(on_made, torch.zeros_like(on_made))
        judge_loss = loss_real + loss_made
        judge_loss.backward()
        judge_optimizer.step()
        maker.zero_grad()
        again = judge(made).reshape([-1])
        maker_loss = F.binary_cross_entropy(again, torch.ones_like(again))
        maker_loss.backward()
        maker_optimizer.step()
