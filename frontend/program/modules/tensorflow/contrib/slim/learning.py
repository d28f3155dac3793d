"""slim.learning."""

from tensorflow.contrib.training import create_train_op, train

def clip_gradient_norms(gradients_to_variables, max_norm):
    return gradients_to_variables


def train_step(sess, train_op, global_step, train_step_kwargs=None):
    return sess.run(train_op), False
