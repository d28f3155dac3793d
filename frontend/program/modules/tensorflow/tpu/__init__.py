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


class experimental:
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
        pass


def __getattr__(name):
    import importlib
    found = getattr(importlib.import_module("tensorflow.compat.v1.tpu"), name)
    if _tilewise.is_unknown(found):
        raise AttributeError(name)
    return found
