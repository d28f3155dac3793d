"""keras.engine.keras_tensor"""

from tensorflow._tensor import KerasTensor
