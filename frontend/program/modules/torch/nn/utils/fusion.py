from . import fuse_conv_bn_eval
