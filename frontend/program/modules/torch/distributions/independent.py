from ._base import Independent
