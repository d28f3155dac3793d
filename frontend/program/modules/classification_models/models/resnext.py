"""ResNeXt: a convolution for each of 32 groups of channels."""

from classification_models.models._common import Made, member
from classification_models.models.resnet import preprocess_input, stem


def _unit(b, x, filters, strides, name, first):
    entry = x
    x = b.act(b.bn(b.plain(x, filters, 1, 1, name + "conv1"), name + "bn1"), name + "relu1")
    x = b.act(b.bn(b.grouped(x, filters, strides, 32), name + "bn2"), name + "relu2")
    x = b.bn(b.plain(x, 2 * filters, 1, 1, name + "conv3"), name + "bn3")
    if first:
        entry = b.bn(b.plain(entry, 2 * filters, 1, strides, name + "sc"), name + "sc_bn")
    return b.act(b.add([x, entry]), name + "relu")


def _resnext(title, spec, picture, classes):
    b = Made(*picture, epsilon=2e-5)
    x = stem(b)
    for i, repeat in enumerate(spec):
        for j in range(repeat):
            x = _unit(b, x, 128 << i, 2 if i and j == 0 else 1,
                      "stage" + str(i + 1) + "_unit" + str(j + 1) + "_", j == 0)
    return b.model(b.ended(x, classes), title.lower())


ResNeXt50 = member(_resnext, "ResNeXt50", 3, 4, 6, 3)
ResNeXt101 = member(_resnext, "ResNeXt101", 3, 4, 23, 3)
