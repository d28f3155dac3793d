from .._recurrent import *
