"""Unet, FPN, Linknet and PSPNet."""

from keras import layers
from keras._model import Model
from segmentation_models import backbones


def _conv(x, filters, kernel, norm, name):
    x = layers.Conv2D(filters, kernel, padding="same", use_bias=not norm,
                      kernel_initializer="he_uniform", name=name and name + "_conv")(x)
    if norm:
        x = layers.BatchNormalization(name=name and name + "_bn")(x)
    return layers.Activation("relu", name=name and name + "_relu")(x)


def _turned(x, filters, norm, name):
    """A transposed convolution that doubles the sides."""
    x = layers.Conv2DTranspose(filters, 4, strides=2, padding="same", use_bias=not norm,
                               name=name + "_transpose")(x)
    if norm:
        x = layers.BatchNormalization(name=name + "_bn")(x)
    return layers.Activation("relu", name=name + "_relu")(x)


def _end(x, classes, activation, name="final_conv"):
    x = layers.Conv2D(classes, 3, padding="same", name=name)(x)
    return _active(x, activation)


def _active(x, activation):
    return layers.Activation(activation, name=activation if isinstance(activation, str)
                             else None)(x)


def _encoder(name, input_shape, weights, freeze):
    made = backbones.get_backbone(name, input_shape=input_shape, weights=weights)
    if freeze:
        for layer in made.layers:
            if not isinstance(layer, layers.BatchNormalization):
                layer.trainable = False
    return made


def _features(encoder, name, given, n=4):
    asked = backbones.get_feature_layers(name, n) if given == "default" else given
    return [(encoder.get_layer(name=i) if isinstance(i, str) else encoder.get_layer(index=i)).output
            for i in asked]


def _center(encoder, norm):
    """Encoders that end in a pool get two convolutions more."""
    x = encoder.output
    if isinstance(encoder.layers[-1], layers.MaxPooling2D):
        for name in ("center_block1", "center_block2"):
            x = _conv(x, 512, 3, norm, name)
    return x


def Unet(backbone_name="vgg16", input_shape=(None, None, 3), classes=1, activation="sigmoid",
         weights=None, encoder_weights="imagenet", encoder_freeze=False,
         encoder_features="default", decoder_block_type="upsampling",
         decoder_filters=(256, 128, 64, 32, 16), decoder_use_batchnorm=True, **ignored):
    norm = decoder_use_batchnorm
    encoder = _encoder(backbone_name, input_shape, encoder_weights, encoder_freeze)
    skips = _features(encoder, backbone_name, encoder_features)
    x = _center(encoder, norm)
    for i, filters in enumerate(decoder_filters):
        name = "decoder_stage" + str(i)
        turned = decoder_block_type == "transpose"
        x = _turned(x, filters, norm, name + "a") if turned else \
            layers.UpSampling2D(2, name=name + "_upsampling")(x)
        if i < len(skips):
            x = layers.Concatenate(name=name + "_concat")([x, skips[i]])
        for part in "b" if turned else "ab":
            x = _conv(x, filters, 3, norm, name + part)
    return Model(encoder.input, _end(x, classes, activation))


def Linknet(backbone_name="vgg16", input_shape=(None, None, 3), classes=1, activation="sigmoid",
            weights=None, encoder_weights="imagenet", encoder_freeze=False,
            encoder_features="default", decoder_block_type="upsampling",
            decoder_filters=(None, None, None, None, 16), decoder_use_batchnorm=True, **ignored):
    norm = decoder_use_batchnorm
    encoder = _encoder(backbone_name, input_shape, encoder_weights, encoder_freeze)
    skips = _features(encoder, backbone_name, encoder_features)
    x = _center(encoder, norm)
    for i, filters in enumerate(decoder_filters):
        name, narrow = "decoder_stage" + str(i), x.shape[-1] // 4
        skip = skips[i] if i < len(skips) else None
        x = _conv(x, narrow, 1, norm, name + "a")
        if decoder_block_type == "transpose":
            x = _turned(x, narrow, norm, name + "b")
        else:
            x = layers.UpSampling2D(2, name=name + "_upsampling")(x)
            x = _conv(x, narrow, 3, norm, name + "b")
        x = _conv(x, filters if skip is None else skip.shape[-1], 1, norm, name + "c")
        if skip is not None:
            x = layers.Add(name=name + "_add")([x, skip])
    return Model(encoder.input, _end(x, classes, activation, None))


def FPN(backbone_name="vgg16", input_shape=(None, None, 3), classes=21, activation="softmax",
        weights=None, encoder_weights="imagenet", encoder_freeze=False,
        encoder_features="default", pyramid_block_filters=256, pyramid_use_batchnorm=True,
        pyramid_aggregation="concat", pyramid_dropout=None, **ignored):
    norm, wide = pyramid_use_batchnorm, pyramid_block_filters
    encoder = _encoder(backbone_name, input_shape, encoder_weights, encoder_freeze)
    x, levels = encoder.output, []
    for i, skip in enumerate(_features(encoder, backbone_name, encoder_features)):
        stage = 5 - i
        name = "fpn_stage_p" + str(stage) + "_"
        if x.shape[-1] != wide:
            x = layers.Conv2D(wide, 1, name=name + "pre_conv")(x)
        skip = layers.Conv2D(wide, 1, name=name + "conv")(skip)
        x = layers.UpSampling2D(2, name=name + "upsampling")(x)
        x = layers.Add(name=name + "add")([x, skip])
        y = x
        for part in "ab":
            y = _conv(y, wide // 2, 3, norm, "segm_stage" + str(stage) + part)
        levels.append(y)
    for i, times in enumerate((8, 4, 2)):
        levels[i] = layers.UpSampling2D(times, name="upsampling_stage" + str(5 - i))(levels[i])
    join = layers.Add if pyramid_aggregation == "sum" else layers.Concatenate
    x = join(name="aggregation_" + pyramid_aggregation)(levels)
    if pyramid_dropout:
        x = layers.SpatialDropout2D(pyramid_dropout, name="pyramid_dropout")(x)
    x = _conv(x, wide // 2, 3, norm, "final_stage")
    x = layers.UpSampling2D(2, interpolation="bilinear", name="final_upsampling")(x)
    return Model(encoder.input, _end(x, classes, activation, "head_conv"))


def PSPNet(backbone_name="vgg16", input_shape=(384, 384, 3), classes=21, activation="softmax",
           weights=None, encoder_weights="imagenet", encoder_freeze=False, downsample_factor=8,
           psp_conv_filters=512, psp_pooling_type="avg", psp_use_batchnorm=True,
           psp_dropout=None, **ignored):
    encoder = _encoder(backbone_name, input_shape, encoder_weights, encoder_freeze)
    features = _features(encoder, backbone_name, "default", 3)
    x = features[{16: 0, 8: 1, 4: 2}[downsample_factor]]
    pool = layers.MaxPooling2D if psp_pooling_type == "max" else layers.AveragePooling2D
    parts = [x]
    for level in (1, 2, 3, 6):
        name = "psp_level" + str(level)
        size = [n // level for n in x.shape[1:3]]
        y = pool(size, strides=size, padding="same", name=name + "_pooling")(x)
        y = _conv(y, psp_conv_filters, 1, psp_use_batchnorm, name)
        parts.append(layers.UpSampling2D(size, interpolation="bilinear",
                                         name=name + "_upsampling")(y))
    x = layers.Concatenate(name="psp_concat")(parts)
    x = _conv(x, psp_conv_filters, 1, psp_use_batchnorm, "aggregation")
    if psp_dropout is not None:
        x = layers.SpatialDropout2D(psp_dropout, name="spatial_dropout")(x)
    x = layers.Conv2D(classes, 3, padding="same", name="final_conv")(x)
    x = layers.UpSampling2D(downsample_factor, interpolation="bilinear",
                            name="final_upsampling")(x)
    return Model(encoder.input, _active(x, activation))
