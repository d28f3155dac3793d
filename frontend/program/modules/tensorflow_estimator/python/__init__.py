"""tensorflow_estimator.python."""
