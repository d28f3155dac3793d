"""What handles of published models name: a kind and its sizes."""

import re

_NETS = (
    # a pattern of the handle, the function of keras.applications, side, classes of its head
    (r"mobilenet_v1_(\d{3})_(\d+)", "MobileNet", 224, 1001),
    (r"mobilenet_v2_(\d{3})_(\d+)", "MobileNetV2", 224, 1001),
    (r"mobilenet_v3_(small|large)_(\d{3})_(\d+)", "MobileNetV3", 224, 1001),
    (r"tf2-preview/mobilenet_v2\b", "MobileNetV2", 224, 1001),
    (r"mobilenet-v2\b.*?/(\d{3})-(\d+)-", "MobileNetV2", 224, 1001),
    (r"resnet_v1_(50|101|152)\b", "ResNet{}", 224, 1001),
    (r"resnet_v2_(50|101|152)\b", "ResNet{}V2", 224, 1001),
    (r"resnet[-_]50/(?:tensorflow2/)?(?:classification|feature)", "ResNet50", 224, 1000),
    (r"inception_v3\b", "InceptionV3", 299, 1001),
    (r"inception_resnet_v2\b", "InceptionResNetV2", 299, 1001),
    (r"nasnet_(mobile|large)\b", "NASNet{}", 224, 1001),
    (r"efficientnet_v2_imagenet(?:1k|21k|21k_ft1k)_(b0|b1|b2|b3|s|m|l)\b", "EfficientNetV2{}",
     224, 1000),
    (r"efficientnet/(?:tensorflow2/)?(?:lite\d)", None, 224, 1000),
    (r"efficientnet/(?:tensorflow2/)?(b\d)\b", "EfficientNet{}", 224, 1000),
)
_SIDES = {"InceptionV3": 299, "InceptionResNetV2": 299, "NASNetLarge": 331,
          "EfficientNetB1": 240, "EfficientNetB2": 260, "EfficientNetB3": 300,
          "EfficientNetB4": 380, "EfficientNetB5": 456, "EfficientNetB6": 528,
          "EfficientNetB7": 600, "EfficientNetV2B1": 240, "EfficientNetV2B2": 260,
          "EfficientNetV2B3": 300, "EfficientNetV2S": 384, "EfficientNetV2M": 480,
          "EfficientNetV2L": 480}
_TEXTS = (
    # a pattern, rows of its table, its width
    (r"nnlm-en-dim50\b|nnlm-en-dim50-", 963812, 50),
    (r"nnlm-en-dim128\b|nnlm-en-dim128-", 973771, 128),
    (r"gnews-swivel-20dim\b", 20001, 20),
)
_SENTENCES = ((r"universal-sentence-encoder(/tensorflow2/universal-sentence-encoder)?/[245]$",
               256797824, 512),
              (r"universal-sentence-encoder-large/5$", 147354880, 512))
_VOCABULARIES = {"en_uncased": 30522, "en_cased": 28996, "multi_cased": 119547,
                 "zh": 21128, "": 30522, "en_wwm_uncased": 30522, "en_wwm_cased": 28996}


class Net:
    kind = "image"

    def __init__(self, function, side, classes, options):
        self.function, self.side, self.classes = function, side, classes
        self.options = options


class Text:
    kind = "text"

    def __init__(self, rows, width):
        self.rows, self.width = rows, width


class Sentence:
    kind = "sentence"

    def __init__(self, size, width):
        self.size, self.width = size, width


class Bert:
    kind = "bert"

    def __init__(self, layers, width, heads, vocabulary):
        self.layers, self.width, self.heads = layers, width, heads
        self.vocabulary = vocabulary


class Preprocess:
    kind = "preprocess"


def _net(handle):
    for pattern, name, side, classes in _NETS:
        m = re.search(pattern, handle)
        if not m:
            continue
        if name is None:
            return None
        options, parts = {}, [g for g in m.groups() if g is not None]
        if name == "MobileNetV3":
            name += parts.pop(0).capitalize()
        if name.startswith("MobileNet"):
            if parts:
                options["alpha"] = int(parts[0]) / 100
                side = int(parts[1])
        elif parts:
            part = parts[0]
            name = name.format(part.capitalize())
        if "classification" not in handle:
            classes = None
        elif "imagenet21k" in handle and "ft1k" not in handle:
            classes = 21843
        return Net(name, _SIDES.get(name, side), classes, options)
    return None


def find(handle):
    """The kind of model that a handle names, or None."""
    if not isinstance(handle, str):
        return None
    handle = handle.split("?")[0].rstrip("/").replace("/tensorFlow2/", "/tensorflow2/")
    if re.search(r"preprocess(/\d+)?$", handle):
        return Preprocess()
    for pattern, size, width in _SENTENCES:
        if re.search(pattern, handle):
            return Sentence(size, width)
    for pattern, rows, width in _TEXTS:
        if re.search(pattern, handle):
            return Text(rows, width)
    m = re.search(r"bert_(?:(\w+)_)?L-(\d+)_H-(\d+)_A-(\d+)", handle)
    if m:
        name = (m.group(1) or "").replace("bert_", "")
        if name == "uncased":
            name = "en_uncased"
        if name not in _VOCABULARIES:
            return None
        return Bert(int(m.group(2)), int(m.group(3)), int(m.group(4)), _VOCABULARIES[name])
    if re.search(r"experts/bert/[\w/]+", handle) and "talkheads" not in handle:
        return Bert(12, 768, 12, 30522)
    return _net(handle)
