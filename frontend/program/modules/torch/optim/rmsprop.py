from . import RMSprop
