"""keras.src.ops.operation."""

from keras._names import Operation
