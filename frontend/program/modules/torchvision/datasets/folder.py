from . import DatasetFolder, ImageFolder, default_loader, pil_loader

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def has_file_allowed_extension(filename, extensions):
    return filename.lower().endswith(tuple(extensions))


is_image_file = has_file_allowed_extension
