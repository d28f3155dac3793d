import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class DigitsNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.first = nn.Conv2d(1, 24, 5, padding=2)
        self.second = nn.Conv2d(24, 48, 3)
        self.norm = nn.BatchNorm2d(48)
        self.hidden = nn.Linear(48 * 6 * 6, 200)
        self.last = nn.Linear(200, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.second(x))), 2)
        x = x.view(x.size(0), -1)
        x = F.relu(self.hidden(x))
        x = F.dropout(x, 0.25, self.training)
        return F.log_softmax(self.last(x), dim=1)


device = torch.device("cpu")
net = DigitsNet(10).to(device)
digits = datasets.MNIST("./digits", transform=transforms.ToTensor())
loader = DataLoader(digits, batch_size=100, shuffle=True, num_workers=4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for epoch in range(5):
    net.train()
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.nll_loss(net(images.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
