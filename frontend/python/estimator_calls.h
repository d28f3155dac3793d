// TPUEstimator and Estimator: train(), evaluate(), train_and_evaluate().

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// estimator.train(input_fn=...), estimator.evaluate(...), .predict(...).
std::optional<Value> CallEstimatorMethod(Interpreter& in, const Call& call);
// tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec).
std::optional<Value> CallTrainAndEvaluate(Interpreter& in, const Call& call);

}  // namespace tilewise::python
