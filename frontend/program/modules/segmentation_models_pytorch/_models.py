"""The models: an encoder, a decoder, a head."""

from segmentation_models_pytorch import _decoders as _d
from segmentation_models_pytorch.base import SegmentationHead, SegmentationModel
from segmentation_models_pytorch.encoders import get_encoder


def _norm(given, options, old="decoder_use_batchnorm"):
    return options.pop(old) if options.get(old) is not None else given


class Unet(SegmentationModel):
    _decoder = _d.UnetDecoder

    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 decoder_use_norm="batchnorm", decoder_channels=(256, 128, 64, 32, 16),
                 decoder_attention_type=None, decoder_interpolation="nearest", in_channels=3,
                 classes=1, activation=None, aux_params=None, **options):
        super().__init__()
        norm = _norm(decoder_use_norm, options)
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights)
        decoder = type(self)._decoder(encoder.out_channels, decoder_channels, norm,
                                      decoder_attention_type, encoder_name.startswith("vgg"))
        self._finish(encoder, decoder,
                     SegmentationHead(decoder_channels[-1], classes, 3, activation), aux_params)


class UnetPlusPlus(Unet):
    _decoder = _d.UnetPlusPlusDecoder


class MAnet(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 decoder_use_norm="batchnorm", decoder_channels=(256, 128, 64, 32, 16),
                 decoder_pab_channels=64, decoder_interpolation="nearest", in_channels=3,
                 classes=1, activation=None, aux_params=None, **options):
        super().__init__()
        norm = _norm(decoder_use_norm, options)
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights)
        decoder = _d.MAnetDecoder(encoder.out_channels, decoder_channels, norm,
                                  decoder_pab_channels)
        self._finish(encoder, decoder,
                     SegmentationHead(decoder_channels[-1], classes, 3, activation), aux_params)


class Linknet(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 decoder_use_norm="batchnorm", in_channels=3, classes=1, activation=None,
                 aux_params=None, **options):
        super().__init__()
        norm = _norm(decoder_use_norm, options)
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights)
        self._finish(encoder, _d.LinknetDecoder(encoder.out_channels, 32, norm),
                     SegmentationHead(32, classes, 1, activation), aux_params)


class FPN(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 decoder_pyramid_channels=256, decoder_segmentation_channels=128,
                 decoder_merge_policy="add", decoder_dropout=0.2,
                 decoder_interpolation="nearest", in_channels=3, classes=1, activation=None,
                 upsampling=4, aux_params=None, **options):
        super().__init__()
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights)
        decoder = _d.FPNDecoder(encoder.out_channels, encoder_depth, decoder_pyramid_channels,
                                decoder_segmentation_channels, decoder_dropout,
                                decoder_merge_policy)
        head = SegmentationHead(decoder.out_channels, classes, 1, activation, upsampling)
        self._finish(encoder, decoder, head, aux_params)


class PSPNet(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_weights="imagenet", encoder_depth=3,
                 psp_out_channels=512, decoder_use_norm="batchnorm", psp_dropout=0.2,
                 in_channels=3, classes=1, activation=None, upsampling=8, aux_params=None,
                 **options):
        super().__init__()
        norm = _norm(decoder_use_norm, options, "psp_use_batchnorm")
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights)
        decoder = _d.PSPDecoder(encoder.out_channels, norm, psp_out_channels, psp_dropout)
        self._finish(encoder, decoder, SegmentationHead(psp_out_channels, classes, 3, activation,
                                                        upsampling), aux_params)


class DeepLabV3(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 encoder_output_stride=8, decoder_channels=256,
                 decoder_atrous_rates=(12, 24, 36), decoder_aspp_separable=False,
                 decoder_aspp_dropout=0.5, in_channels=3, classes=1, activation=None,
                 upsampling=None, aux_params=None, **options):
        super().__init__()
        stride = encoder_output_stride
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights, stride)
        decoder = _d.DeepLabV3Decoder(encoder.out_channels, decoder_channels,
                                      decoder_atrous_rates, decoder_aspp_separable,
                                      decoder_aspp_dropout)
        times = upsampling or (2 ** encoder_depth if encoder_depth <= 3 else stride)
        self._finish(encoder, decoder, SegmentationHead(decoder_channels, classes, 1, activation,
                                                        times), aux_params)


class DeepLabV3Plus(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 encoder_output_stride=16, decoder_channels=256,
                 decoder_atrous_rates=(12, 24, 36), decoder_aspp_separable=True,
                 decoder_aspp_dropout=0.5, in_channels=3, classes=1, activation=None,
                 upsampling=4, aux_params=None, **options):
        super().__init__()
        stride = encoder_output_stride
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights, stride)
        times = 4 if stride == 16 and encoder_depth > 3 else 2
        decoder = _d.DeepLabV3PlusDecoder(encoder.out_channels, decoder_channels,
                                          decoder_atrous_rates, decoder_aspp_separable,
                                          decoder_aspp_dropout, times)
        self._finish(encoder, decoder, SegmentationHead(decoder_channels, classes, 1, activation,
                                                        upsampling), aux_params)


class PAN(SegmentationModel):
    def __init__(self, encoder_name="resnet34", encoder_depth=5, encoder_weights="imagenet",
                 encoder_output_stride=16, decoder_channels=32,
                 decoder_interpolation="bilinear", in_channels=3, classes=1, activation=None,
                 upsampling=4, aux_params=None, **options):
        super().__init__()
        encoder = get_encoder(encoder_name, in_channels, encoder_depth, encoder_weights,
                              encoder_output_stride)
        decoder = _d.PANDecoder(encoder.out_channels, decoder_channels)
        self._finish(encoder, decoder, SegmentationHead(decoder_channels, classes, 3, activation,
                                                        upsampling), aux_params)
