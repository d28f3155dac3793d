"""ResNets of MXNet: norms come first, that of the picture as well."""

from keras import layers
from classification_models.models._common import Made, member


def preprocess_input(x, **ignored):
    return x


def stem(b):
    x = b.bn(b.image, "bn_data", scale=False)
    x = b.act(b.bn(b.rimmed(x, 64, 7, 2, "conv0"), "bn0"), "relu0")
    return layers.MaxPooling2D(3, strides=2, name="pooling0")(b.pad(x, 1))


def _unit(b, x, filters, strides, name, wide, attends, cut):
    entry = x
    x = b.act(b.bn(x, name + "bn1"), name + "relu1")
    if cut:
        entry = b.plain(x, filters * (4 if wide else 1), 1, strides, name + "sc")
    if wide:
        x = b.act(b.bn(b.plain(x, filters, 1, 1, name + "conv1"), name + "bn2"), name + "relu2")
        x = b.act(b.bn(b.rimmed(x, filters, 3, strides, name + "conv2"), name + "bn3"),
                  name + "relu3")
        x = b.plain(x, 4 * filters, 1, 1, name + "conv3")
    else:
        x = b.act(b.bn(b.rimmed(x, filters, 3, strides, name + "conv1"), name + "bn2"),
                  name + "relu2")
        x = b.rimmed(x, filters, 3, 1, name + "conv2")
    return b.add([b.squeeze(x) if attends else x, entry])


def _resnet(title, spec, picture, classes):
    repeats, wide, attends = spec
    b = Made(*picture, epsilon=2e-5)
    x = stem(b)
    for i, repeat in enumerate(repeats):
        for j in range(repeat):
            x = _unit(b, x, 64 << i, 2 if i and j == 0 else 1,
                      "stage" + str(i + 1) + "_unit" + str(j + 1) + "_", wide, attends, j == 0)
    x = b.act(b.bn(x, "bn1"), "relu1")
    return b.model(b.ended(x, classes), title.lower())


ResNet18 = member(_resnet, "ResNet18", (2, 2, 2, 2), False, False)
ResNet34 = member(_resnet, "ResNet34", (3, 4, 6, 3), False, False)
ResNet50 = member(_resnet, "ResNet50", (3, 4, 6, 3), True, False)
ResNet101 = member(_resnet, "ResNet101", (3, 4, 23, 3), True, False)
ResNet152 = member(_resnet, "ResNet152", (3, 8, 36, 3), True, False)
SEResNet18 = member(_resnet, "SEResNet18", (2, 2, 2, 2), False, True)
SEResNet34 = member(_resnet, "SEResNet34", (3, 4, 6, 3), False, True)
