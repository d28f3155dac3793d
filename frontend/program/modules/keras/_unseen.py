"""compile and fit of a model that is out of sight: what they say of the host is kept."""

import _tilewise as _t
from keras import _batch


def compile(optimizer="rmsprop", loss=None, metrics=None, loss_weights=None, run_eagerly=False,
            steps_per_execution=None, **ignored):
    if steps_per_execution is None:
        steps_per_execution = ignored.get("experimental_steps_per_execution")
    _t.record("compile", steps_per_execution=steps_per_execution, run_eagerly=run_eagerly,
              model=None, optimizer=optimizer, loss=loss)


def fit(x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None,
        validation_split=0.0, validation_data=None, shuffle=True, class_weight=None,
        sample_weight=None, initial_epoch=0, steps_per_epoch=None, **ignored):
    _batch.used(x, "train")
    _batch.used(validation_data, "evaluate")
    _t.record("fitting", model=None, steps_per_epoch=steps_per_epoch, batch_size=batch_size,
              epochs=epochs, callbacks=callbacks, x=x)
    return _t.unknown("what fit() returns")
