from .._transformer import *
