from torchmetrics import Metric, __getattr__
