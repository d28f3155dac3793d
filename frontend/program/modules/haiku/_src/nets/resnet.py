"""Residual networks of hk.nets."""

import haiku as hk
import jax
from jax import numpy as jnp


def _norm(config, name):
    return hk.BatchNorm(name=name, **config)


class BlockV1(hk.Module):
    def __init__(self, channels, stride, use_projection, bn_config, bottleneck, name=None):
        super().__init__(name=name)
        bn_config = dict(bn_config)
        bn_config.setdefault("create_scale", True)
        bn_config.setdefault("create_offset", True)
        bn_config.setdefault("decay_rate", 0.999)
        self.use_projection = use_projection
        if use_projection:
            self.proj_conv = hk.Conv2D(channels, 1, stride, with_bias=False, padding="SAME",
                                       name="shortcut_conv")
            self.proj_batchnorm = _norm(bn_config, "shortcut_batchnorm")
        d = 4 if bottleneck else 1
        convs = [hk.Conv2D(channels // d, 1 if bottleneck else 3, 1 if bottleneck else stride,
                           with_bias=False, padding="SAME", name="conv_0")]
        norms = [_norm(bn_config, "batchnorm_0")]
        convs.append(hk.Conv2D(channels // d, 3, stride if bottleneck else 1, with_bias=False,
                               padding="SAME", name="conv_1"))
        norms.append(_norm(bn_config, "batchnorm_1"))
        if bottleneck:
            convs.append(hk.Conv2D(channels, 1, 1, with_bias=False, padding="SAME",
                                   name="conv_2"))
            norms.append(_norm(bn_config, "batchnorm_2"))
        self.layers = tuple(zip(convs, norms))

    def __call__(self, inputs, is_training, test_local_stats):
        out = shortcut = inputs
        if self.use_projection:
            shortcut = self.proj_batchnorm(self.proj_conv(shortcut), is_training,
                                           test_local_stats)
        for i, (conv, norm) in enumerate(self.layers):
            out = norm(conv(out), is_training, test_local_stats)
            if i < len(self.layers) - 1:
                out = jax.nn.relu(out)
        return jax.nn.relu(out + shortcut)


class BlockV2(hk.Module):
    def __init__(self, channels, stride, use_projection, bn_config, bottleneck, name=None):
        super().__init__(name=name)
        bn_config = dict(bn_config)
        bn_config.setdefault("create_scale", True)
        bn_config.setdefault("create_offset", True)
        self.use_projection = use_projection
        if use_projection:
            self.proj_conv = hk.Conv2D(channels, 1, stride, with_bias=False, padding="SAME",
                                       name="shortcut_conv")
        d = 4 if bottleneck else 1
        convs = [hk.Conv2D(channels // d, 1 if bottleneck else 3, 1 if bottleneck else stride,
                           with_bias=False, padding="SAME", name="conv_0")]
        norms = [_norm(bn_config, "batchnorm_0")]
        convs.append(hk.Conv2D(channels // d, 3, stride if bottleneck else 1, with_bias=False,
                               padding="SAME", name="conv_1"))
        norms.append(_norm(bn_config, "batchnorm_1"))
        if bottleneck:
            convs.append(hk.Conv2D(channels, 1, 1, with_bias=False, padding="SAME",
                                   name="conv_2"))
            norms.append(_norm(bn_config, "batchnorm_2"))
        self.layers = tuple(zip(convs, norms))

    def __call__(self, inputs, is_training, test_local_stats):
        x = shortcut = inputs
        for i, (conv, norm) in enumerate(self.layers):
            x = jax.nn.relu(norm(x, is_training, test_local_stats))
            if i == 0 and self.use_projection:
                shortcut = self.proj_conv(x)
            x = conv(x)
        return x + shortcut


class BlockGroup(hk.Module):
    def __init__(self, channels, num_blocks, stride, bn_config, resnet_v2, bottleneck,
                 use_projection, name=None):
        super().__init__(name=name)
        block = BlockV2 if resnet_v2 else BlockV1
        self.blocks = []
        for i in range(num_blocks):
            self.blocks.append(block(channels=channels, stride=1 if i else stride,
                                     use_projection=i == 0 and use_projection,
                                     bottleneck=bottleneck, bn_config=bn_config,
                                     name="block_%d" % i))

    def __call__(self, inputs, is_training, test_local_stats):
        out = inputs
        for b in self.blocks:
            out = b(out, is_training, test_local_stats)
        return out


_BASIC = dict(bottleneck=False, channels_per_group=(64, 128, 256, 512),
              use_projection=(False, True, True, True))
_DEEP = dict(bottleneck=True, channels_per_group=(256, 512, 1024, 2048),
             use_projection=(True, True, True, True))


class ResNet(hk.Module):
    CONFIGS = {18: dict(_BASIC, blocks_per_group=(2, 2, 2, 2)),
               34: dict(_BASIC, blocks_per_group=(3, 4, 6, 3)),
               50: dict(_DEEP, blocks_per_group=(3, 4, 6, 3)),
               101: dict(_DEEP, blocks_per_group=(3, 4, 23, 3)),
               152: dict(_DEEP, blocks_per_group=(3, 8, 36, 3)),
               200: dict(_DEEP, blocks_per_group=(3, 24, 36, 3))}
    BlockGroup = BlockGroup
    BlockV1 = BlockV1
    BlockV2 = BlockV2

    def __init__(self, blocks_per_group, num_classes, bn_config=None, resnet_v2=False,
                 bottleneck=True, channels_per_group=(256, 512, 1024, 2048),
                 use_projection=(True, True, True, True), logits_config=None, name=None,
                 initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(name=name)
        self.resnet_v2 = resnet_v2
        bn_config = dict(bn_config or {})
        bn_config.setdefault("decay_rate", 0.9)
        bn_config.setdefault("eps", 1e-5)
        bn_config.setdefault("create_scale", True)
        bn_config.setdefault("create_offset", True)
        first = dict(initial_conv_config or {})
        first.setdefault("output_channels", 64)
        first.setdefault("kernel_shape", 7)
        first.setdefault("stride", 2)
        first.setdefault("with_bias", False)
        first.setdefault("padding", "SAME")
        first.setdefault("name", "initial_conv")
        self.initial_conv = hk.Conv2D(**first)
        if not resnet_v2:
            self.initial_batchnorm = _norm(bn_config, "initial_batchnorm")
        self.block_groups = []
        for i, s in enumerate(strides):
            self.block_groups.append(BlockGroup(
                channels=channels_per_group[i], num_blocks=blocks_per_group[i], stride=s,
                bn_config=bn_config, resnet_v2=resnet_v2, bottleneck=bottleneck,
                use_projection=use_projection[i], name="block_group_%d" % i))
        if resnet_v2:
            self.final_batchnorm = _norm(bn_config, "final_batchnorm")
        last = dict(logits_config or {})
        last.setdefault("name", "logits")
        self.logits = hk.Linear(num_classes, **last)

    def __call__(self, inputs, is_training, test_local_stats=False):
        out = self.initial_conv(inputs)
        if not self.resnet_v2:
            out = jax.nn.relu(self.initial_batchnorm(out, is_training, test_local_stats))
        out = hk.max_pool(out, window_shape=(1, 3, 3, 1), strides=(1, 2, 2, 1), padding="SAME")
        for g in self.block_groups:
            out = g(out, is_training, test_local_stats)
        if self.resnet_v2:
            out = jax.nn.relu(self.final_batchnorm(out, is_training, test_local_stats))
        return self.logits(jnp.mean(out, axis=(1, 2)))


class ResNet18(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[18])


class ResNet34(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[34])


class ResNet50(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[50])


class ResNet101(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[101])


class ResNet152(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[152])


class ResNet200(ResNet):
    def __init__(self, num_classes, bn_config=None, resnet_v2=False, logits_config=None,
                 name=None, initial_conv_config=None, strides=(1, 2, 2, 2)):
        super().__init__(num_classes=num_classes, bn_config=bn_config, resnet_v2=resnet_v2,
                         logits_config=logits_config, name=name, strides=strides,
                         initial_conv_config=initial_conv_config, **ResNet.CONFIGS[200])
