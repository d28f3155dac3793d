"""slim.tfexample_decoder: what an example holds, as symbols."""

import _tilewise as _t
from tensorflow._dtypes import as_dtype
from tensorflow._tensor import wrap


class Image:
    def __init__(self, image_key=None, format_key=None, shape=None, channels=3, dtype="uint8",
                 repeated=False, **kw):
        self.channels = channels

    def made(self, features):
        size = _t.open_dim()
        return wrap(_t.input([size, _t.open_dim(), self.channels], "u8", "image", None))


class Tensor:
    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        self.key, self.shape = tensor_key, shape

    def made(self, features):
        feature = features[self.key]
        shape = self.shape if self.shape is not None else getattr(feature, "shape", ()) or ()
        if as_dtype(feature.dtype).name == "string":
            from tensorflow._strings import texts_of_shape
            return texts_of_shape(list(shape))
        return wrap(_t.input(_t.dims(shape), as_dtype(feature.dtype).code, self.key, None))


class BoundingBox:
    def __init__(self, *args, **kw):
        pass

    def made(self, features):
        return wrap(_t.input([_t.open_dim(), 4], "f32", "boxes", None))


class TFExampleDecoder:
    def __init__(self, keys_to_features, items_to_handlers):
        self._features, self._items = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items)

    def decode(self, serialized, items=None):
        return [self._items[i].made(self._features) for i in items or self._items]
