"""haiku._src.base."""

from haiku._core import (get_parameter, get_state, set_state, next_rng_key, next_rng_keys,
                         PRNGSequence, maybe_next_rng_key)
