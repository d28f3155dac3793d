"""tfio.image."""


def decode_tiff(contents, index=0, name=None):
    from tensorflow._strings import outside
    return outside([None, None, 4], "uint8", "an image")


def decode_dicom_image(contents, color_dim=False, dtype="uint16", **options):
    from tensorflow._strings import outside
    return outside([None, None, None] + ([3] if color_dim else []), dtype, "an image")


decode_exr = decode_nv12 = decode_tiff
