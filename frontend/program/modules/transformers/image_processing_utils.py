"""Image and sound processors: sizes as the configuration of the model has them."""

import _tilewise
from transformers import _batch, _hub
from transformers.tokenization_utils import AutoTokenizer, BatchEncoding

BatchFeature = BatchEncoding


class BaseImageProcessor:
    model_input_names = ["pixel_values"]

    def __init__(self, *args, **kwargs):
        v = kwargs.pop("values", {})
        side = v.get("image_size") or (v.get("vision_config") or {}).get("image_size") or 224
        self.size = {"height": side, "width": side, "shortest_edge": side}
        self.crop_size = {"height": side, "width": side}
        self.image_mean, self.image_std = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
        self.sampling_rate, self.do_normalize, self.feature_size = 16000, True, 1
        self.num_mel_bins = v.get("num_mel_bins", 80)
        self._kind = v.get("model_type", "")
        self.__dict__.update(kwargs)

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path=None, *args, **kwargs):
        values = _hub.config_dict(pretrained_model_name_or_path)
        if _tilewise.is_unknown(values):
            values = {}
        made = (BaseImageProcessor if cls is AutoImageProcessor else cls)(values=values)
        made.tokenizer = AutoTokenizer.from_pretrained(pretrained_model_name_or_path)
        made.feature_extractor = made.image_processor = made
        return made

    def __call__(self, images=None, text=None, return_tensors=None, **kwargs):
        n = len(images) if isinstance(images, (list, tuple)) else 1
        result = BatchEncoding()
        if self._kind == "whisper":
            result["input_features"] = [_batch.floats(self.num_mel_bins, 3000)] * n
        elif self._kind in ("wav2vec2", "hubert"):
            result["input_values"] = [_tilewise.unknown("a recording")] * n
        elif images is not None:
            h, w = self.size["height"], self.size["width"]
            if return_tensors is not None:
                result["pixel_values"] = _batch.floats(n, 3, h, w)
            else:
                result["pixel_values"] = [_batch.floats(3, h, w)] * n
        if text is not None and hasattr(self, "tokenizer"):
            result.update(self.tokenizer(text, return_tensors=return_tensors, **kwargs))
        return result

    preprocess = __call__

    def pad(self, features, *args, **kwargs):
        return _batch.collated(features)

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = batch_decode = decode = post_process_semantic_segmentation = save_pretrained


class AutoImageProcessor(BaseImageProcessor):
    @staticmethod
    def register(*args, **kwargs):
        pass


AutoFeatureExtractor = AutoProcessor = AutoImageProcessor
_made = {}


def named(name):
    if name not in _made:
        _made[name] = type(name, (BaseImageProcessor,), {"__module__": "transformers"})
    return _made[name]
