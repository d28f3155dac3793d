"""Types with bounds; the bounds are not checked."""

from pydantic import (NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, StrictBool,
                      StrictFloat, StrictInt, StrictStr, confloat, conint)
