"""ml_collections."""

from ml_collections.config_dict import (ConfigDict, FrozenConfigDict, FieldReference,
                                        placeholder, required_placeholder)
from ml_collections import config_dict
from ml_collections import config_flags
