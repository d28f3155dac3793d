"""Pictures of pictures, which nothing that trains needs: what they hold is not known."""

import _tilewise


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False,
              pad_value=0.0, **kwargs):
    return _tilewise.unknown("a grid of pictures")


def save_image(tensor, fp, format=None, **kwargs):
    pass


def draw_bounding_boxes(image, *args, **kwargs):
    return image


draw_segmentation_masks = draw_keypoints = draw_bounding_boxes


def flow_to_image(flow):
    return _tilewise.unknown("a picture of a flow")


def _log_api_usage_once(obj):
    pass


def _make_ntuple(x, n):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n
