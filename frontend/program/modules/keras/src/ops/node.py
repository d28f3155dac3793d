"""keras.src.ops.node"""

from keras._node import Node
