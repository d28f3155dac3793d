"""tf.tpu."""

import _tilewise


class Topology:
    def __init__(self, *args, **kwargs):
        self.num_tasks = _tilewise.hosts()
        self.num_tpus_per_task = _tilewise.replicas() // _tilewise.hosts()
        self.mesh_shape = [_tilewise.replicas(), 1, 1, 1]

    def serialized(self):
        return b""


class DeviceAssignment:
    def __init__(self, *args, **kwargs):
        self.num_replicas = _tilewise.replicas()
        self.num_cores_per_replica = 1

    @classmethod
    def build(cls, topology, *args, **kwargs):
        return cls()


class XLAOptions:
    def __init__(self, *args, **kwargs):
        pass


class Settings:
    """Of a table of embeddings, or of what updates it."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


def embedding_column(categorical_column, dimension, combiner="mean", initializer=None, *args,
                     **kwargs):
    from tensorflow import feature_column
    return feature_column.embedding_column(categorical_column, dimension, combiner or "sum",
                                           initializer)


def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None,
                             shared_embedding_collection_name=None, *args, **kwargs):
    from tensorflow import feature_column
    return feature_column.shared_embeddings(categorical_columns, dimension, combiner or "sum",
                                            initializer, shared_embedding_collection_name)


class experimental:
    embedding_column = staticmethod(embedding_column)
    shared_embedding_columns = staticmethod(shared_embedding_columns)
    AdamParameters = AdagradParameters = FtrlParameters = Settings
    StochasticGradientDescentParameters = Settings
    Topology = Topology
    DeviceAssignment = DeviceAssignment
    HardwareFeature = DeviceAssignment

    @staticmethod
    def initialize_tpu_system(cluster_resolver=None):
        return Topology()

    @staticmethod
    def shutdown_tpu_system(cluster_resolver=None):
        return None

    class embedding:
        TableConfig = FeatureConfig = SGD = Adagrad = Adam = FTRL = Settings


def __getattr__(name):
    import importlib
    found = getattr(importlib.import_module("tensorflow.compat.v1.tpu"), name)
    if _tilewise.is_unknown(found):
        raise AttributeError(name)
    return found
