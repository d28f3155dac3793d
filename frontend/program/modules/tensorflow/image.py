"""tf.image."""
from tensorflow import _names
from tensorflow._image import ResizeMethod
from tensorflow._public import export

_table = _names.table(
    ("_image", """resize resize_bilinear resize_nearest_neighbor resize_bicubic resize_area
     resize_with_crop_or_pad resize_image_with_crop_or_pad resize_with_pad resize_image_with_pad
     crop_to_bounding_box pad_to_bounding_box central_crop random_crop stateless_random_crop
     flip_left_right flip_up_down random_flip_left_right random_flip_up_down
     stateless_random_flip_left_right stateless_random_flip_up_down transpose transpose_image rot90
     extract_patches extract_image_patches crop_and_resize non_max_suppression
     non_max_suppression_padded non_max_suppression_with_scores combined_non_max_suppression
     sample_distorted_bounding_box stateless_sample_distorted_bounding_box
     sample_distorted_bounding_box_v2 draw_bounding_boxes extract_glimpse image_gradients
     sobel_edges"""),
    ("_image_color", """convert_image_dtype adjust_brightness adjust_contrast adjust_gamma
     adjust_saturation adjust_hue adjust_jpeg_quality random_brightness random_contrast
     random_saturation random_hue random_jpeg_quality stateless_random_brightness
     stateless_random_contrast stateless_random_saturation stateless_random_hue
     stateless_random_jpeg_quality per_image_standardization rgb_to_grayscale grayscale_to_rgb
     rgb_to_hsv hsv_to_rgb rgb_to_yuv yuv_to_rgb rgb_to_yiq yiq_to_rgb total_variation psnr ssim
     ssim_multiscale"""),
    ("io", """decode_image decode_jpeg decode_png decode_gif decode_bmp decode_and_crop_jpeg
     encode_jpeg encode_png extract_jpeg_shape is_jpeg"""))
_table.update({"resize_images": "_image:resize", "resize_images_v2": "_image:resize"})
__getattr__ = export(globals(), _table, "compat.v1.image")
