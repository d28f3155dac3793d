from transformers.utils import *
