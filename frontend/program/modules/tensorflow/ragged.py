"""tf.ragged."""
from tensorflow._ragged import (RaggedTensor, boolean_mask, constant, map_flat_values, ragged_range,
                                row_splits_to_segment_ids, stack)

range = ragged_range
