from typing import Any

_size_1_t = _size_2_t = _size_3_t = _size_any_t = _size_2_opt_t = _size_3_opt_t = Any
_ratio_2_t = _ratio_3_t = _ratio_any_t = _maybe_indices_t = Any
