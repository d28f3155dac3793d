"""Whether code runs eagerly: programs of TensorFlow 1 build graphs."""

from tensorflow._tf1.graph import Quiet, get_default_graph


def executing_eagerly():
    return get_default_graph().eager


def in_eager_mode():
    return get_default_graph().eager


def in_graph_mode():
    return not get_default_graph().eager


def eager_mode():
    return Quiet()


def graph_mode():
    return Quiet()


def num_gpus():
    return 0


def context():
    return Quiet()


shared_name = str
EAGER_MODE, GRAPH_MODE = 1, 0
