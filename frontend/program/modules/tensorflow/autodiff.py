"""tf.autodiff."""
from tensorflow._tape import ForwardAccumulator, GradientTape
