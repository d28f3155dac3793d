"""tf.contrib.quantize: models are taken as they are."""


def create_training_graph(*args, **kw):
    return None


create_eval_graph = experimental_create_training_graph = create_training_graph
experimental_create_eval_graph = create_training_graph
