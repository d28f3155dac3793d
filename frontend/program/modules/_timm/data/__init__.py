"""Pictures for training."""

import _tilewise

IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
IMAGENET_INCEPTION_MEAN = IMAGENET_INCEPTION_STD = (0.5, 0.5, 0.5)
DEFAULT_CROP_PCT = 0.875


DEFAULT_CROP_MODE = "center"
OPENAI_CLIP_MEAN, OPENAI_CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (
    0.26862954, 0.26130258, 0.27577711)


class Mixup:
    """Labels become shares of the classes; pictures keep their shape."""

    def __init__(self, mixup_alpha=1.0, cutmix_alpha=0.0, cutmix_minmax=None, prob=1.0,
                 switch_prob=0.5, mode="batch", correct_lam=True, label_smoothing=0.1,
                 num_classes=1000):
        self.num_classes = num_classes
        self.mixup_enabled = True

    def __call__(self, x, target):
        import torch
        shares = torch.nn.functional.one_hot(target, self.num_classes).float()
        return x, shares


FastCollateMixup = Mixup


def create_transform(input_size=224, is_training=False, *args, **kwargs):
    from torchvision import transforms
    size = input_size[-2:] if isinstance(input_size, (tuple, list)) else input_size
    return transforms.Compose([transforms.RandomResizedCrop(size), transforms.ToTensor()])


def resolve_data_config(args=None, default_cfg=None, pretrained_cfg=None, model=None, **kwargs):
    cfg = default_cfg or pretrained_cfg or getattr(model, "default_cfg", None) or {}
    made = {"input_size": (3, 224, 224), "interpolation": "bicubic", "crop_pct": 0.875,
            "mean": IMAGENET_DEFAULT_MEAN, "std": IMAGENET_DEFAULT_STD}
    for values in (cfg, args if isinstance(args, dict) else {}):
        made.update({k: values[k] for k in made if values.get(k)})
    return made


def resolve_model_data_config(model, args=None, pretrained_cfg=None, **kwargs):
    return resolve_data_config(args, pretrained_cfg, model=model)


def create_dataset(name, root=None, split="validation", **kwargs):
    from torchvision import datasets
    return datasets.ImageFolder(str(root) + "/" + split, kwargs.get("transform"))


class _Loader:
    def __init__(self, inner):
        self.inner, self.mixup_enabled = inner, False

    def __iter__(self):
        return iter(self.inner)

    def __len__(self):
        return len(self.inner)

    @property
    def dataset(self):
        return self.inner.dataset

    @property
    def sampler(self):
        return self.inner.sampler


def create_loader(dataset, input_size, batch_size, is_training=False, **kwargs):
    from torch.utils.data import DataLoader
    dataset.transform = create_transform(input_size, is_training)
    return _Loader(DataLoader(dataset, batch_size))


class AugMixDataset:
    def __init__(self, dataset, num_splits=2):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, i):
        return self.dataset[i]


class ImageDataset(AugMixDataset):
    pass


# ---- transforms that leave the size of a picture as it is


class _Same:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, img):
        return img


class RandomErasing(_Same):
    pass


def rand_augment_transform(config_str="", hparams=None, **options):
    return _Same()


auto_augment_transform = augment_and_mix_transform = rand_augment_transform


def RandomResizedCropAndInterpolation(size, *args, **kwargs):
    from torchvision import transforms
    return transforms.RandomResizedCrop(size)


def ToNumpy():
    from torchvision import transforms
    return transforms.PILToTensor()


def str_to_pil_interp(mode_str):
    return mode_str


str_to_interp_mode = interp_mode_to_str = str_to_pil_interp


def transforms_imagenet_train(img_size=224, *args, **kwargs):
    return create_transform(img_size, True)


def transforms_imagenet_eval(img_size=224, *args, **kwargs):
    return create_transform(img_size)


def OrderedDistributedSampler(dataset, num_replicas=None, rank=None):
    from torch.utils.data.distributed import DistributedSampler
    return DistributedSampler(dataset, num_replicas, rank)


def RepeatAugSampler(dataset, num_replicas=None, rank=None, *args, **kwargs):
    from torch.utils.data.distributed import DistributedSampler
    return DistributedSampler(dataset, num_replicas, rank)
