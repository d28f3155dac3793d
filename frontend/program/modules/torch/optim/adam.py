from . import Adam
