"""tf.distribute: every core runs the same step on its part of the batch."""

import _tilewise
from tensorflow import _distributed as _d
from tensorflow._distributed import (CentralStorageStrategy, DistributedDataset,
                                     DistributedIterator, DistributedValues, InputContext,
                                     InputOptions, InputReplicationMode, MirroredStrategy,
                                     MultiWorkerMirroredStrategy, OneDeviceStrategy,
                                     ParameterServerStrategy, ReduceOp, ReplicaContext, RunOptions,
                                     Strategy, StrategyExtended, TPUStrategy,
                                     experimental_set_strategy, get_replica_context, get_strategy,
                                     has_strategy, in_cross_replica_context)

StrategyExtendedV1 = StrategyExtended


class CrossDeviceOps:
    def __init__(self, *args, **kwargs):
        pass


HierarchicalCopyAllReduce = NcclAllReduce = ReductionToOneDevice = CrossDeviceOps


class Server:
    def __init__(self, *args, **kwargs):
        self.target = ""

    def join(self):
        pass


class experimental:
    TPUStrategy = TPUStrategy
    MultiWorkerMirroredStrategy = MultiWorkerMirroredStrategy
    ParameterServerStrategy = ParameterServerStrategy
    CentralStorageStrategy = CentralStorageStrategy
    CollectiveHints = CommunicationOptions = CrossDeviceOps

    class CollectiveCommunication:
        AUTO, RING, NCCL = "AUTO", "RING", "NCCL"

    CommunicationImplementation = CollectiveCommunication

    class ValueContext:
        def __init__(self, replica_id_in_sync_group=0, num_replicas_in_sync=1):
            self.replica_id_in_sync_group = replica_id_in_sync_group
            self.num_replicas_in_sync = num_replicas_in_sync

    class partitioners:
        MinSizePartitioner = MaxSizePartitioner = FixedShardsPartitioner = CrossDeviceOps

    class coordinator:
        ClusterCoordinator = _d.ClusterCoordinator


class coordinator:
    ClusterCoordinator = _d.ClusterCoordinator


class cluster_resolver:
    TPUClusterResolver = TFConfigClusterResolver = SimpleClusterResolver = _d.ClusterResolver
    ClusterResolver = GCEClusterResolver = KubernetesClusterResolver = _d.ClusterResolver
    SlurmClusterResolver = UnionResolver = _d.ClusterResolver
