from albumentations import BasicTransform, DualTransform, ImageOnlyTransform, NoOp
