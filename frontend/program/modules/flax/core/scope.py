"""flax.core.scope."""

from flax.linen._module import Scope, DenyList, Variable
from flax.linen._lift import broadcast

VariableDict = dict
FrozenVariableDict = dict
CollectionFilter = object
PRNGSequenceFilter = object
