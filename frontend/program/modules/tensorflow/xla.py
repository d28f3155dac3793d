"""tf.xla."""

from tensorflow._control import context


class experimental:
    compile = staticmethod(lambda computation, inputs=None: computation(*(inputs or [])))
    jit_scope = context
