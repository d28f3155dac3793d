"""torch.ops: ops of other libraries, of which only those of torchvision are known."""

import _tilewise
from ._tensor import int64, wrap


def load_library(path):
    pass


class _Torchvision:
    def _cuda_version(self):
        return -1

    def nms(self, boxes, scores, iou_threshold):
        _tilewise.record("dynamic", what="nms")
        return scores.argsort(descending=True)

    def roi_align(self, input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio,
                  aligned):
        index = rois[:, 0].to(int64)
        return wrap(_tilewise.op(
            "onnx.RoiAlign", [input._h, rois[:, 1:]._h, index._h],
            {"output_height": pooled_height, "output_width": pooled_width,
             "sampling_ratio": max(sampling_ratio, 0), "spatial_scale": float(spatial_scale)}))

    def deform_conv2d(self, input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w,
                      dil_h, dil_w, groups, offset_groups, use_mask):
        inputs = [input._h, weight._h, offset._h, bias._h, mask._h if use_mask else None]
        return wrap(_tilewise.op(
            "onnx.DeformConv", inputs,
            {"strides": [stride_h, stride_w], "pads": [pad_h, pad_w] * 2,
             "dilations": [dil_h, dil_w], "group": groups, "offset_group": offset_groups,
             "kernel_shape": list(weight.shape[2:])}))


torchvision = _Torchvision()
