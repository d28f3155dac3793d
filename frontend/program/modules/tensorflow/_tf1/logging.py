"""tf.logging: nothing is written."""

from absl.logging import (
    DEBUG, ERROR, FATAL, INFO, WARN, debug, error, fatal, info, log, set_verbosity, vlog, warn,
    warning)
from absl.logging import log_every_n, log_first_n, log_if

get_verbosity = info
TaskLevelStatusMessage = flush = info
