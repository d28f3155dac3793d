"""slim.evaluation."""

from tensorflow.contrib.training import evaluate_once, evaluate_repeatedly

evaluation_loop = evaluate_repeatedly
