"""The older name of transformers.utils."""

from transformers.utils import *
