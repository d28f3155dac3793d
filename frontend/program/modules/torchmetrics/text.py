from . import Metric, MetricCollection, __getattr__
