from typing import Any, Optional, Tuple, Union

Adj = OptTensor = PairTensor = OptPairTensor = Size = SparseTensor = Any
NodeType = EdgeType = Metadata = NoneType = Any
