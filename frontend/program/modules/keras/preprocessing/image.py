"""Pictures in batches, as Keras 2 makes them of arrays, folders and tables."""

import _tilewise
import numpy
from keras.utils._basics import PyDataset, save_img
from _tilewise_public import folder
from keras.utils._folders import CHANNELS, image_dataset_from_directory
from keras.utils._image import (apply_affine_transform, apply_brightness_shift,
                                apply_channel_shift, array_to_img, img_to_array, load_img,
                                random_brightness, random_channel_shift, random_rotation,
                                random_shear, random_shift, random_zoom, smart_resize)

_unk = _tilewise.is_unknown


class Iterator(PyDataset):
    """Batches without end; `n` examples are gone through in one epoch."""

    def __init__(self, n, batch_size, shuffle=True, seed=None):
        self.n = self.samples = n
        self.batch_size, self.shuffle, self.seed = batch_size, shuffle, seed
        self.batch_index = self.total_batches_seen = 0

    def _batch(self):
        raise NotImplementedError

    def __len__(self):
        return -(-self.n // self.batch_size) if not _unk(self.n) else self.n

    def __getitem__(self, index):
        return self._batch()

    def __next__(self, *args, **kwargs):
        return self._batch()

    next = __next__

    def __iter__(self):
        while True:
            yield self._batch()

    def reset(self):
        pass

    on_epoch_end = reset

    def set_processing_attrs(self, *args, **kwargs):
        pass


class NumpyArrayIterator(Iterator):
    def __init__(self, x, y, batch_size, share, shuffle=True, seed=None, weight=None):
        self._others = []
        if isinstance(x, (list, tuple)) and x and not _unk(x[0]) and hasattr(x[0], "shape"):
            x, self._others = x[0], x[1] if isinstance(x[1], list) else [x[1]]
        self.x, self.y, self.sample_weight = x, y, weight
        n = x if _unk(x) else x.shape[0]
        if not _unk(n):
            n = _tilewise.unknown("how many pictures") if _tilewise.open_size(n) is None \
                else int(n * share)
        Iterator.__init__(self, n, batch_size, shuffle, seed)

    def _part(self, a):
        if a is None or _unk(a):
            return a
        a = numpy.array(a)
        return numpy.ndarray((self.batch_size,) + tuple(a.shape[1:]),
                             "float32" if a is self.x else a.dtype)

    def _batch(self):
        x = self._part(self.x)
        if self._others:
            x = [x] + [self._part(o) for o in self._others]
        if self.y is None:
            return x
        if self.sample_weight is not None:
            return x, self._part(self.y), self._part(self.sample_weight)
        return x, self._part(self.y)


class DirectoryIterator(Iterator):
    """Pictures of a folder; how many is not known, and how many classes only if they are named."""

    def __init__(self, directory, target_size=(256, 256), color_mode="rgb", classes=None,
                 class_mode="categorical", batch_size=32, shuffle=True, seed=None,
                 data_format=None, split=None, subset=None):
        files, names = folder(directory, split, subset)
        if files is None:
            files = _tilewise.unknown("how many pictures a folder has")
        Iterator.__init__(self, files, batch_size, shuffle, seed)
        classes = names if classes is None else classes
        self.directory, self.class_mode, self.color_mode = directory, class_mode, color_mode
        size = (target_size, target_size) if isinstance(target_size, int) else target_size
        if _unk(size):
            size = (_tilewise.open_dim(), _tilewise.open_dim())
        self.target_size, n = tuple(size), CHANNELS.get(color_mode, 3)
        self.image_shape = (n,) + self.target_size if data_format == "channels_first" \
            else self.target_size + (n,)
        named = classes is not None and not _unk(classes)
        what = "the classes of a folder"
        self.class_indices = {c: i for i, c in enumerate(classes)} if named \
            else _tilewise.unknown(what)
        self.num_classes = len(classes) if named else _tilewise.unknown("how many classes")
        self.classes = self.labels = _tilewise.unknown("the labels of pictures in a folder")
        self.filenames = self.filepaths = _tilewise.unknown("the files of a folder")

    @property
    def num_class(self):
        return self.num_classes

    def _batch(self):
        n = self.batch_size
        x = numpy.ndarray((n,) + self.image_shape, "float32")
        mode = self.class_mode
        if mode is None:
            return x
        if mode == "input":
            return x, x
        if mode in ("binary", "sparse", "raw", "other"):
            return x, numpy.ndarray((n,), "float32")
        if _unk(self.num_classes):
            return x, _tilewise.unknown("how many classes a folder has")
        return x, numpy.ndarray((n, self.num_classes), "float32")


class DataFrameIterator(DirectoryIterator):
    def __init__(self, frame, y_col, classes, class_mode, **options):
        several = isinstance(y_col, (list, tuple)) and class_mode in ("raw", "other",
                                                                     "multi_output")
        DirectoryIterator.__init__(self, None, classes=classes, class_mode=class_mode, **options)
        self._columns = len(y_col) if several else None
        n = getattr(frame, "_rows", None) if not _unk(frame) else None
        if n is not None and _tilewise.open_size(n) is not None:
            self.n = self.samples = n

    def _batch(self):
        if self._columns is None:
            return DirectoryIterator._batch(self)
        x = numpy.ndarray((self.batch_size,) + self.image_shape, "float32")
        return x, numpy.ndarray((self.batch_size, self._columns), "float32")


class ImageDataGenerator:
    """Augmentations of the host; they keep the size of a picture."""

    def __init__(self, featurewise_center=False, samplewise_center=False,
                 featurewise_std_normalization=False, samplewise_std_normalization=False,
                 zca_whitening=False, zca_epsilon=1e-6, rotation_range=0, width_shift_range=0.0,
                 height_shift_range=0.0, brightness_range=None, shear_range=0.0, zoom_range=0.0,
                 channel_shift_range=0.0, fill_mode="nearest", cval=0.0, horizontal_flip=False,
                 vertical_flip=False, rescale=None, preprocessing_function=None,
                 data_format=None, validation_split=0.0, interpolation_order=1, dtype=None):
        self.data_format, self.rescale, self._split = data_format, rescale, validation_split
        self.preprocessing_function = preprocessing_function
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rotation_range, self.zoom_range = rotation_range, zoom_range

    def fit(self, x, augment=False, rounds=1, seed=None):
        pass

    def _share(self, subset):
        split = 0.0 if _unk(self._split) else self._split
        return split if subset == "validation" else 1.0 - split if subset == "training" else 1.0

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None,
             save_to_dir=None, save_prefix="", save_format="png", ignore_class_split=False,
             subset=None):
        return NumpyArrayIterator(x, y, batch_size, self._share(subset), shuffle, seed,
                                  sample_weight)

    def flow_from_directory(self, directory, target_size=(256, 256), color_mode="rgb",
                            classes=None, class_mode="categorical", batch_size=32, shuffle=True,
                            seed=None, save_to_dir=None, save_prefix="", save_format="png",
                            follow_links=False, subset=None, interpolation="nearest",
                            keep_aspect_ratio=False):
        return DirectoryIterator(directory, target_size, color_mode, classes, class_mode,
                                 batch_size, shuffle, seed, self.data_format, self._split, subset)

    def flow_from_dataframe(self, dataframe, directory=None, x_col="filename", y_col="class",
                            weight_col=None, target_size=(256, 256), color_mode="rgb",
                            classes=None, class_mode="categorical", batch_size=32, shuffle=True,
                            seed=None, *args, **kwargs):
        return DataFrameIterator(dataframe, y_col, classes, class_mode, target_size=target_size,
                                 color_mode=color_mode, batch_size=batch_size, shuffle=shuffle,
                                 seed=seed, data_format=self.data_format)

    def standardize(self, x):
        return x

    def random_transform(self, x, seed=None):
        return x

    apply_transform = random_transform

    def get_random_transform(self, img_shape, seed=None):
        return {}
