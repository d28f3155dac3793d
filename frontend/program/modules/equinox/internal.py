"""equinox.internal: nothing of it is needed."""

from ._filters import tree_at
from ._module import Module
