"""absl."""

from absl import flags
from absl import app
from absl import logging
