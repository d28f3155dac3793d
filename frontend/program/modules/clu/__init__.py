"""clu."""

from clu import metric_writers, periodic_actions, metrics, parameter_overview, platform
from clu import deterministic_data, preprocess_spec, values, asynclib, checkpoint
