"""keras.layers: each is loaded when it is first asked for."""

from keras._layer import InputSpec, Layer
from keras._input import Input, InputLayer
from keras.layers import experimental

_WHERE = {
    "_core": (
        "Dense EinsumDense Embedding ReversibleEmbedding RandomFourierFeatures Identity "
        "ActivityRegularization Lambda Masking"),
    "_activation": (
        "Activation ELU ReLU LeakyReLU PReLU ThresholdedReLU Softmax"),
    "_conv": (
        "BaseConv Conv1D Conv2D Conv3D BaseConvTranspose Conv1DTranspose Conv2DTranspose "
        "Conv3DTranspose DepthwiseConv2D DepthwiseConv1D SeparableConv2D SeparableConv1D "
        "Convolution1D Convolution2D Convolution3D Convolution1DTranspose Convolution2DTranspose "
        "Convolution3DTranspose SeparableConvolution1D SeparableConvolution2D Deconvolution2D "
        "Deconvolution3D"),
    "_pool": (
        "BasePooling MaxPooling1D MaxPooling2D MaxPooling3D AveragePooling1D AveragePooling2D "
        "AveragePooling3D BaseGlobalPooling GlobalMaxPooling1D GlobalMaxPooling2D "
        "GlobalMaxPooling3D GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D "
        "BaseAdaptivePooling AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D "
        "AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D MaxPool1D "
        "MaxPool2D MaxPool3D AvgPool1D AvgPool2D AvgPool3D GlobalMaxPool1D GlobalMaxPool2D "
        "GlobalMaxPool3D GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D"),
    "_norm": (
        "BatchNormalization SyncBatchNormalization LayerNormalization RMSNormalization "
        "GroupNormalization InstanceNormalization UnitNormalization SpectralNormalization"),
    "_noise": (
        "Dropout SpatialDropout1D SpatialDropout2D SpatialDropout3D GaussianNoise "
        "GaussianDropout AlphaDropout"),
    "_merge": (
        "Add Subtract Multiply Average Maximum Minimum Concatenate Dot subtract multiply average "
        "maximum minimum concatenate"),
    "_shape": (
        "Reshape Flatten Permute RepeatVector Cropping1D Cropping2D Cropping3D ZeroPadding1D "
        "ZeroPadding2D ZeroPadding3D UpSampling1D UpSampling2D UpSampling3D"),
    "_rnn": (
        "RNN"),
    "_cells": (
        "LSTM GRU AbstractRNNCell SimpleRNNCell LSTMCell GRUCell StackedRNNCells SimpleRNN "
        "CuDNNLSTMCell "
        "CuDNNGRUCell CuDNNLSTM CuDNNGRU"),
    "_convlstm": (
        "ConvLSTMCell ConvLSTM1D ConvLSTM2D ConvLSTM3D ConvLSTM2DCell"),
    "_attention": (
        "Attention AdditiveAttention MultiHeadAttention GroupQueryAttention "
        "GroupedQueryAttention"),
    "_wrap": (
        "Wrapper TimeDistributed Bidirectional"),
    "_encode": (
        "Normalization Rescaling CategoryEncoding Discretization Hashing HashedCrossing "
        "StringLookup IntegerLookup TextVectorization"),
    "_augment": (
        "Resizing CenterCrop RandomCrop BaseImageAugmentationLayer RandomFlip RandomRotation "
        "RandomZoom RandomTranslation RandomShear RandomPerspective RandomElasticTransform "
        "RandomHeight RandomWidth RandomContrast RandomBrightness RandomGrayscale "
        "RandomSaturation RandomColorDegeneration RandomInvert RandomSharpness "
        "RandomGaussianBlur RandomHue RandomColorJitter RandomPosterization Solarization "
        "AutoContrast Equalization RandomErasing MixUp CutMix RandAugment AugMix "
        "MaxNumBoundingBoxes Pipeline"),
    "_audio": (
        "STFTSpectrogram MelSpectrogram"),
    "_features": (
        "DenseFeatures SequenceFeatures"),
    "_local": (
        "LocallyConnected2D LocallyConnected1D TorchModuleWrapper TFSMLayer JaxLayer FlaxLayer"),
}
_OF = {}
for _module in _WHERE:
    for _name in _WHERE[_module].split():
        _OF[_name] = (_module, _name)
_OF["add"], _OF["dot"] = ("_merge", "add_"), ("_merge", "dot_")
__all__ = list(_OF) + ["Input", "InputLayer", "InputSpec", "Layer"]


def __getattr__(name):
    place = _OF.get(name)
    if place is None:
        raise AttributeError(name)
    import importlib
    found = getattr(importlib.import_module("keras.layers." + place[0]), place[1])
    globals()[name] = found
    return found


def serialize(layer):
    return {"class_name": type(layer).__name__, "config": layer.get_config()}


def deserialize(config, custom_objects=None):
    if not isinstance(config, dict):
        return config
    name = config["class_name"]
    if custom_objects and name in custom_objects:
        kind = custom_objects[name]
    elif name in _OF:
        kind = __getattr__(name)
    else:
        from keras.saving import get_custom_objects
        kind = get_custom_objects().get(name)
        if kind is None:
            import keras
            kind = getattr(keras, name)
    return kind.from_config(config.get("config", {}))


def get(identifier):
    if isinstance(identifier, dict):
        return deserialize(identifier)
    return __getattr__(identifier)() if isinstance(identifier, str) else identifier
