"""haiku._src.typing."""

from typing import Any

Params = State = Initializer = PRNGKey = Any
