from _timm.layers import *
from _timm.layers import _assert
