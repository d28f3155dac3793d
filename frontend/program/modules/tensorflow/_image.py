"""Sizes, crops and flips of images."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._dtypes import FLOATS
from tensorflow._math import cast, reduced
from tensorflow._strings import Shapeless, outside
from tensorflow._tensor import Tensor, binary, convert, handle, number_of, tensor, unary, wrap

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape

_MODES = {"bilinear": "linear", "nearest": "nearest", "nearest_neighbor": "nearest",
          "bicubic": "cubic", "area": "area", "lanczos3": "cubic", "lanczos5": "cubic",
          "gaussian": "linear", "mitchellcubic": "cubic", 0: "linear", 1: "nearest", 2: "cubic",
          3: "area"}


class ResizeMethod:
    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = "bilinear", "nearest", "bicubic", "area"
    LANCZOS3, LANCZOS5, GAUSSIAN, MITCHELLCUBIC = "lanczos3", "lanczos5", "gaussian", \
        "mitchellcubic"


def image_handle(x):
    """The handle of an image or a batch; one of no known rank is taken as an image of colours."""
    if isinstance(x, Shapeless) and "_h" not in x.__dict__:
        x.set_shape([None, None, 3])
    return handle(x)


def at(h):
    """The dim of the height."""
    return 1 if len(_shape(h)) == 4 else 0


def size_of(n):
    found = number_of(n)
    return _tilewise.open_dim() if found is None else int(found)


def sizes_of(size):
    if isinstance(size, Tensor):
        found = _tilewise.numbers(handle(size))
        return [_tilewise.open_dim(), _tilewise.open_dim()] if found is None else found
    if _unk(size):
        return [_tilewise.open_dim(), _tilewise.open_dim()]
    return [size_of(n) for n in size]


def cut(h, starts, sizes):
    """A part: a slice where its place is known."""
    whole = _shape(h)
    if list(whole) == list(sizes):
        return h
    for n, most in zip(sizes, whole):
        if n > most:
            return _tilewise.input(list(sizes), _tilewise.dtype(h), "part of an image", None)
    known = [number_of(s) for s in starts]
    if None in known:
        places = [_tilewise.known(0, "s32") if n == most else _place(s)
                  for s, n, most in zip(starts, sizes, whole)]
        return _op("tw.dynamic_slice", [h] + places, {"sizes": list(sizes)})
    starts = [int(k) if k + n <= most else most - n for k, n, most in zip(known, sizes, whole)]
    return _op("tw.slice", [h], {"starts": starts,
                                 "limits": [s + n for s, n in zip(starts, sizes)]})


def _place(s):
    h = _tilewise.input([], "s32", "place", None) if _unk(s) else handle(s)
    return convert(h, "s32")


def with_sizes(h, height, width):
    sizes = list(_shape(h))
    d = at(h)
    sizes[d], sizes[d + 1] = height, width
    return sizes


def resize(images, size=None, method="bilinear", preserve_aspect_ratio=False, antialias=False,
           name=None, align_corners=False):
    h = image_handle(images)
    if _unk(h):
        return h
    height, width = sizes_of(size)
    d = at(h)
    if preserve_aspect_ratio:
        height, width = _kept_ratio(h, d, height, width)
    method = method.lower() if isinstance(method, str) else method
    mode = _MODES.get(method, "linear")
    if mode != "nearest" and _tilewise.dtype(h) not in ("f32", "bf16", "f16"):
        h = convert(h, "f32")
    return wrap(_op("tw.resize", [h], {"dims": [d, d + 1], "sizes": [height, width],
                                       "mode": mode}))


def _kept_ratio(h, d, height, width):
    a, b = _shape(h)[d], _shape(h)[d + 1]
    if _tilewise.open_size(a) is None or _tilewise.open_size(b) is None:
        return _tilewise.open_dim(), _tilewise.open_dim()
    scale = min(height / a, width / b)
    return int(round(a * scale)), int(round(b * scale))


def _by(method):
    def function(images, size, align_corners=False, name=None, half_pixel_centers=False):
        return resize(images, size, method)
    return function


resize_bilinear, resize_nearest_neighbor = _by("bilinear"), _by("nearest")
resize_bicubic, resize_area = _by("bicubic"), _by("area")


def _fitted(h, height, width):
    if list(_shape(h)) == with_sizes(h, height, width):
        return wrap(h)
    d = at(h)
    top, left = min(_shape(h)[d], height), min(_shape(h)[d + 1], width)
    starts = [0] * len(_shape(h))
    starts[d], starts[d + 1] = (_shape(h)[d] - top) // 2, (_shape(h)[d + 1] - left) // 2
    h = cut(h, starts, with_sizes(h, top, left))
    low, high = [0] * len(starts), [0] * len(starts)
    for dim, want in ((d, height), (d + 1, width)):
        more = want - _shape(h)[dim]
        low[dim], high[dim] = more // 2, more - more // 2
    if any(low) or any(high):
        h = _op("tw.pad", [h], {"low": low, "high": high, "value": 0})
    return wrap(h)


def resize_with_crop_or_pad(image, target_height, target_width):
    h = image_handle(image)
    return h if _unk(h) else _fitted(h, size_of(target_height), size_of(target_width))


resize_image_with_crop_or_pad = resize_with_crop_or_pad


def resize_with_pad(image, target_height, target_width, method="bilinear", antialias=False):
    return resize(image, [target_height, target_width], method)


resize_image_with_pad = resize_with_pad


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    h = image_handle(image)
    if _unk(h):
        return h
    sizes = with_sizes(h, size_of(target_height), size_of(target_width))
    starts = [0] * len(sizes)
    starts[at(h)], starts[at(h) + 1] = offset_height, offset_width
    return wrap(cut(h, starts, sizes))


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    h = image_handle(image)
    if _unk(h):
        return h
    d = at(h)
    top, left = number_of(offset_height), number_of(offset_width)
    height, width = size_of(target_height), size_of(target_width)
    if top is None or left is None or height < _shape(h)[d] or width < _shape(h)[d + 1]:
        return wrap(_tilewise.input(with_sizes(h, height, width), _tilewise.dtype(h), "image",
                                    None))
    low, high = [0] * len(_shape(h)), [0] * len(_shape(h))
    low[d], low[d + 1] = int(top), int(left)
    high[d], high[d + 1] = height - _shape(h)[d] - low[d], width - _shape(h)[d + 1] - low[d + 1]
    return wrap(_op("tw.pad", [h], {"low": low, "high": high, "value": 0}))


def central_crop(image, central_fraction):
    h = image_handle(image)
    f = number_of(central_fraction)
    if _unk(h) or f is None:
        return h if _unk(h) else wrap(h)
    d = at(h)
    starts = [0] * len(_shape(h))
    starts[d] = int((_shape(h)[d] - _shape(h)[d] * f) / 2)
    starts[d + 1] = int((_shape(h)[d + 1] - _shape(h)[d + 1] * f) / 2)
    return wrap(cut(h, starts, with_sizes(h, _shape(h)[d] - 2 * starts[d],
                                          _shape(h)[d + 1] - 2 * starts[d + 1])))


def random_crop(value, size, seed=None, name=None):
    h = handle(value) if not isinstance(value, Shapeless) else image_handle(value)
    if _unk(h):
        return h
    from tensorflow._array import ints
    sizes = ints(size)
    if _unk(sizes):
        sizes = [_tilewise.open_dim(), _tilewise.open_dim()] + list(_shape(h))[2:]
    sizes = [most if n < 0 else n for n, most in zip(sizes, _shape(h))]
    places = [0 if n == most else wrap(_tilewise.input([], "s32", "place", None))
              for n, most in zip(sizes, _shape(h))]
    return wrap(cut(h, places, sizes))


def stateless_random_crop(value, size, seed=None, name=None):
    return random_crop(value, size)


def _flip(offset):
    def function(image, name=None):
        h = image_handle(image)
        return h if _unk(h) else wrap(_op("tw.reverse", [h], {"dims": [at(h) + offset]}))
    return function


flip_left_right, flip_up_down = _flip(1), _flip(0)


def _random_flip(flip, offset):
    def function(image, seed=None, name=None):
        h = image_handle(image)
        if _unk(h):
            return h
        sizes = [_shape(h)[0], 1, 1, 1] if len(_shape(h)) == 4 else []
        chance = _op("tw.random", [], {"kind": "uniform", "shape": sizes, "dtype": "f32"})
        turned = _op("tw.compare", [chance, _tilewise.known(0.5, "f32")], {"direction": "LT"})
        return wrap(_op("tw.select", [turned, flip(wrap(h))._h, h]))
    return function


random_flip_left_right = stateless_random_flip_left_right = _random_flip(flip_left_right, 1)
random_flip_up_down = stateless_random_flip_up_down = _random_flip(flip_up_down, 0)


def transpose(image, name=None):
    h = image_handle(image)
    order = [0, 2, 1, 3] if len(_shape(h)) == 4 else [1, 0, 2]
    return wrap(_op("tw.transpose", [h], {"permutation": order}))


transpose_image = transpose


def rot90(image, k=1, name=None):
    n = number_of(k)
    if n is None:
        return tensor(image)
    n = int(n) % 4
    if n == 0:
        return tensor(image)
    if n == 2:
        return flip_up_down(flip_left_right(image))
    turned = transpose(image)
    return flip_up_down(turned) if n == 1 else flip_left_right(turned)


def extract_patches(images, sizes=None, strides=None, rates=None, padding="VALID", name=None,
                    ksizes=None):
    """As a convolution with a kernel that picks each element, which XLA makes of it."""
    h = handle(images)
    if _unk(h):
        return h
    sizes = sizes or ksizes
    kh, kw = sizes[1], sizes[2]
    c = _shape(h)[3]
    if padding.upper() == "VALID" and list(strides[1:3]) == [kh, kw] and \
            list(rates[1:3]) == [1, 1]:
        return _blocks(h, kh, kw)
    from tensorflow._nn import conv
    kernel = _op("tw.reshape", [_op("tw.eye", [], {"rows": kh * kw * c,
                                                   "dtype": _tilewise.dtype(h)})],
                 {"shape": [kh, kw, c, kh * kw * c]})
    return wrap(conv(h, kernel, list(strides), padding, list(rates)))


extract_image_patches = extract_patches


def _blocks(h, kh, kw):
    """Patches that do not overlap: elements in another order."""
    n, height, width, c = _shape(h)
    rows, columns = height // kh, width // kw
    if (rows * kh, columns * kw) != (height, width):
        h = _op("tw.slice", [h], {"limits": [n, rows * kh, columns * kw, c]})
    h = _op("tw.reshape", [h], {"shape": [n, rows, kh, columns, kw, c]})
    h = _op("tw.transpose", [h], {"permutation": [0, 1, 3, 2, 4, 5]})
    return wrap(_op("tw.reshape", [h], {"shape": [n, rows, columns, kh * kw * c]}))


def crop_and_resize(image, boxes, box_indices=None, crop_size=None, method="bilinear",
                    extrapolation_value=0.0, name=None, box_ind=None):
    h, b = handle(image), handle(boxes)
    if _unk(h) or _unk(b):
        return h if _unk(h) else b
    height, width = sizes_of(crop_size)
    n, c = _shape(b)[0], _shape(h)[3]
    _tilewise.note("crop_and_resize is counted as one gather of each crop's elements")
    rows = _op("tw.reshape", [h], {"shape": [-1, c]})
    places = _op("tw.iota", [], {"shape": [n * height * width], "dim": 0, "dtype": "s32"})
    taken = _op("tw.take", [rows, places], {"axis": 0})
    return wrap(convert(_op("tw.reshape", [taken], {"shape": [n, height, width, c]}), "f32"))


def _boxes(count, code="s32"):
    return wrap(_tilewise.input([count], code, "chosen boxes", None))


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5,
                        score_threshold=0, name=None):
    _tilewise.note("the suppression of boxes is not counted")
    n = number_of(max_output_size)
    return _boxes(int(n) if n is not None else _tilewise.open_dim())


def non_max_suppression_padded(boxes, scores, max_output_size, *args, **options):
    _tilewise.note("the suppression of boxes is not counted")
    n = number_of(max_output_size)
    return _boxes(int(n)), wrap(_tilewise.input([], "s32", "chosen boxes", None))


def non_max_suppression_with_scores(boxes, scores, max_output_size, *args, **options):
    n = int(number_of(max_output_size))
    return _boxes(n), _boxes(n, "f32")


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size,
                                 *args, **options):
    _tilewise.note("the suppression of boxes is not counted")
    batch, n = _shape(handle(boxes))[0], int(number_of(max_total_size))

    def made(sizes, code="f32"):
        return wrap(_tilewise.input(sizes, code, "chosen boxes", 0))
    return (made([batch, n, 4]), made([batch, n]), made([batch, n]), made([batch], "s32"))


def sample_distorted_bounding_box(image_size, bounding_boxes=None, seed=0, *args, **options):
    def made(sizes, code="s32"):
        return wrap(_tilewise.input(sizes, code, "box", None))
    return made([3]), made([3]), made([1, 1, 4], "f32")


stateless_sample_distorted_bounding_box = sample_distorted_bounding_box
sample_distorted_bounding_box_v2 = sample_distorted_bounding_box


def draw_bounding_boxes(images, boxes, colors=None, name=None):
    return tensor(images)


def extract_glimpse(input, size, offsets, **options):
    h = handle(input)
    return wrap(_tilewise.input(with_sizes(h, *sizes_of(size)), "f32", "glimpse", 0))


def image_gradients(image):
    x = tensor(image)
    zero_row, zero_column = x[:, :1] * 0, x[:, :, :1] * 0
    from tensorflow._array import concat
    return (concat([x[:, 1:] - x[:, :-1], zero_row], 1),
            concat([x[:, :, 1:] - x[:, :, :-1], zero_column], 2))


def sobel_edges(image):
    x = tensor(image)
    n, h, w, c = _shape(x._h)
    from tensorflow._nn import conv
    kernel = _tilewise.full(1, [3, 3, 1, 2 * c], _tilewise.dtype(x._h))
    y = conv(x._h, kernel, 1, "SAME", 1, False, c)
    return wrap(_op("tw.reshape", [y], {"shape": [n, h, w, c, 2]}))
