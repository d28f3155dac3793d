"""DenseNet (Huang et al. 2016)."""

from collections import OrderedDict
import torch
from torch import nn
from torch.nn import functional as F
from ._api import family, first
from ._utils import _ModelURLs

model_urls = _ModelURLs()


class _DenseLayer(nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate,
                 memory_efficient=False):
        super().__init__()
        inner = bn_size * growth_rate
        self.norm1, self.relu1 = nn.BatchNorm2d(num_input_features), nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, inner, 1, bias=False)
        self.norm2, self.relu2 = nn.BatchNorm2d(inner), nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(inner, growth_rate, 3, padding=1, bias=False)
        self.drop_rate, self.memory_efficient = float(drop_rate), memory_efficient

    def bn_function(self, inputs):
        return self.conv1(self.relu1(self.norm1(torch.cat(inputs, 1))))

    def forward(self, input):
        before = [input] if isinstance(input, torch.Tensor) else input
        if self.memory_efficient and self.training:
            from torch.utils.checkpoint import checkpoint
            inner = checkpoint(lambda *inputs: self.bn_function(inputs), *before)
        else:
            inner = self.bn_function(before)
        new = self.conv2(self.relu2(self.norm2(inner)))
        return F.dropout(new, self.drop_rate, self.training) if self.drop_rate > 0 else new


class _DenseBlock(nn.ModuleDict):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate,
                 memory_efficient=False):
        super().__init__()
        for i in range(num_layers):
            self.add_module(f"denselayer{i + 1}", _DenseLayer(
                num_input_features + i * growth_rate, growth_rate, bn_size, drop_rate,
                memory_efficient))

    def forward(self, init_features):
        made = [init_features]
        for _, layer in self.items():
            made.append(layer(made))
        return torch.cat(made, 1)


class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__(OrderedDict([
            ("norm", nn.BatchNorm2d(num_input_features)), ("relu", nn.ReLU(inplace=True)),
            ("conv", nn.Conv2d(num_input_features, num_output_features, 1, bias=False)),
            ("pool", nn.AvgPool2d(2, 2))]))


class DenseNet(nn.Module):
    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64,
                 bn_size=4, drop_rate=0, num_classes=1000, memory_efficient=False):
        super().__init__()
        width = num_init_features
        self.features = nn.Sequential(OrderedDict([
            ("conv0", nn.Conv2d(3, width, 7, 2, 3, bias=False)), ("norm0", nn.BatchNorm2d(width)),
            ("relu0", nn.ReLU(inplace=True)), ("pool0", nn.MaxPool2d(3, 2, 1))]))
        for i, layers in enumerate(block_config):
            self.features.add_module(f"denseblock{i + 1}", _DenseBlock(
                layers, width, bn_size, growth_rate, drop_rate, memory_efficient))
            width += layers * growth_rate
            if i + 1 < len(block_config):
                self.features.add_module(f"transition{i + 1}", _Transition(width, width // 2))
                width //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(width))
        self.classifier = nn.Linear(width, num_classes)

    def forward(self, x):
        x = F.relu(self.features(x), inplace=True)
        return self.classifier(F.adaptive_avg_pool2d(x, (1, 1)).flatten(1))


globals().update(family(DenseNet, [
    ("densenet121", "DenseNet121", first(), {"block_config": (6, 12, 24, 16)}),
    ("densenet161", "DenseNet161", first(),
     {"growth_rate": 48, "block_config": (6, 12, 36, 24), "num_init_features": 96}),
    ("densenet169", "DenseNet169", first(), {"block_config": (6, 12, 32, 32)}),
    ("densenet201", "DenseNet201", first(), {"block_config": (6, 12, 48, 32)})]))
