// What a script says about training: compile() and fit(), strategies,
// estimators, custom loops, precision policy.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/python/value.h"
#include "graph/training.h"
#include "pipeline/host_loop.h"

namespace tilewise::python {

class Interpreter;
struct Call;

struct CompileCall {
  Model* model = nullptr;  // null: of something that is not followed
  TrainingSpec spec;
  Location location;
  Span arguments;
  Count steps_per_execution;
  Location steps_per_execution_location;
  bool run_eagerly = false;
};

struct FitCall {
  Model* model = nullptr;
  int32_t compile = -1;  // in `compiles`: the last one of the model before it
  Location location;
  Count epochs, steps_per_epoch, batch_size;
  std::vector<Callback> callbacks;
  Dataset* dataset = nullptr;    // null: arrays, or not known
  std::optional<Value> example;  // one element of what is trained on
};

struct TrainingCalls {
  std::vector<CompileCall> compiles;
  std::vector<FitCall> fits;
  Framework framework = Framework::kUnknown;  // when not from fit()
  Location framework_location;
  Count iterations_per_loop, train_batch_size;  // TPUEstimator
  Location iterations_location;
  bool tpu_strategy = false;
  std::optional<bool> remote_tpu;  // as HostLoop::remote_tpu
};

// model.compile(...), model.fit(...), evaluate, predict, on any receiver that
// may be a model.
std::optional<Value> CallTraining(Interpreter& in, const Call& call);
// tf.distribute.*, keras.mixed_precision.*, tf.estimator.tpu.*, optimizers,
// losses, callbacks: remembered as objects.
std::optional<Value> CallObjectMaker(Interpreter& in, const Call& call);
// strategy.run, strategy.experimental_distribute_dataset.
std::optional<Value> CallStrategy(Interpreter& in, const Call& call);
// keras_to_tpu_model and other functions that are called for an effect.
std::optional<Value> CallFramework(Interpreter& in, const Call& call);

// Optimizer and loss of compile() from their values.
void ReadOptimizer(Interpreter& in, const Value& value, Node at, TrainingSpec& spec);
void ReadLoss(Interpreter& in, const Value& value, Node at, TrainingSpec& spec);
std::vector<Callback> ReadCallbacks(Interpreter& in, const Value* value, Node at);

}  // namespace tilewise::python
