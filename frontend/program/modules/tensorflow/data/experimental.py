"""tf.data.experimental."""

from tensorflow.data._count import INFINITE as INFINITE_CARDINALITY
from tensorflow.data._count import UNKNOWN as UNKNOWN_CARDINALITY
from tensorflow.data._iterator import Optional
from tensorflow.data._options import (AutoShardPolicy, AutotuneAlgorithm, ExternalStatePolicy,
                                      Settings)
from tensorflow.data._sources import (CsvDataset, choose_from_datasets, load, make_csv_dataset,
                                      sample_from_datasets)
from tensorflow.data._transformations import *
from tensorflow.data._transformations import AUTOTUNE, Counter, RandomDataset

SHARD_HINT = -1
DistributeOptions = OptimizationOptions = ThreadingOptions = AutotuneOptions = Settings


class SqlDataset:
    def __new__(cls, driver_name, data_source_name, query, output_types):
        from tensorflow.data import _element
        from tensorflow.data._dataset import Dataset
        leaves = _element.of_types(output_types, ())
        return Dataset._made(leaves, UNKNOWN_CARDINALITY, None, "record_files",
                             "tf.data.experimental.SqlDataset")


class TFRecordWriter:
    def __init__(self, filename, compression_type=None):
        pass

    def write(self, dataset):
        return None


class CheckpointInputPipelineHook:
    def __init__(self, estimator, external_state_policy=None):
        pass


class service:
    """tf.data.experimental.service: workers elsewhere give the same elements."""

    class DispatchServer:
        def __init__(self, config=None, start=True):
            self.target = "grpc://localhost:5000"

        def start(self):
            pass

        def join(self):
            pass

    class WorkerServer(DispatchServer):
        pass

    class DispatcherConfig:
        def __init__(self, *args, **kwargs):
            pass

    WorkerConfig = DispatcherConfig

    class ShardingPolicy:
        OFF, DYNAMIC, FILE, DATA, FILE_OR_DATA, HINT = range(6)

    @staticmethod
    def distribute(processing_mode, service, job_name=None, **options):
        return lambda dataset: dataset._same("other", "distribute", service=service)
