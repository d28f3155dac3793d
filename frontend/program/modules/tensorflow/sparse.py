"""tf.sparse."""
from tensorflow._sparse import (SparseTensor, add, concat, expand_dims, eye, fill_empty_rows,
                                from_dense, reduce_max, reduce_sum, reorder, reshape, retain,
                                softmax, sparse_dense_matmul, to_dense, transpose)
