from typing import Any, Optional, Tuple, Union

Adj = OptTensor = PairTensor = OptPairTensor = Size = Any
NodeType = EdgeType = Metadata = NoneType = Any

from torch_sparse import SparseTensor
