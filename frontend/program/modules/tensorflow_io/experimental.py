"""tfio.experimental."""

from tensorflow_io import audio, image
