"""tf.contrib.cluster_resolver."""

from tensorflow._tf1.graph import Quiet


class TPUClusterResolver(Quiet):
    def __init__(self, tpu=None, *args, **kw):
        import _tilewise
        self.tpu = tpu
        _tilewise.record("resolver", tpu=tpu)

    def get_master(self):
        return "grpc://tpu:8470"

    master = get_master

    def num_accelerators(self, *args, **kw):
        import _tilewise
        return {"TPU": _tilewise.replicas()}


class SimpleClusterResolver(Quiet):
    pass


class GCEClusterResolver(Quiet):
    pass
