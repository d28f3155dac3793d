from albumentations import BboxParams, Compose, KeypointParams, OneOf, OneOrOther, Sequential
