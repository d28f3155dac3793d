"""flax.typing."""

from typing import Any

Array = Any
PRNGKey = Any
RNGSequences = Any
Dtype = Any
Shape = tuple
PrecisionLike = Any
DotGeneralT = Any
ConvGeneralDilatedT = Any
PaddingLike = Any
LaxPadding = Any
Initializer = Any
Axes = Any
Collection = Any
VariableDict = dict
FrozenVariableDict = dict
In = Any
Out = Any
EinsumT = Any
MutableVariableDict = dict
CollectionFilter = Any
ScanLengths = Any
KwArgs = Any
LogicalNames = Any
LogicalRules = Any
Sharding = Any
AxisName = Any
AxisNames = Any
PathParts = Any
PromoteDtypeFn = Any
