// How the host drives the device: compile() and fit(), as the user wrote them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// This says which loop runs the steps; hosts give its costs under the same name.
enum class Framework : uint8_t {
  kUnknown,
  kKeras,         // model.fit of TF 2 / tf.keras, Keras 3 on TensorFlow
  kKerasTf1,      // keras_to_tpu_model of TF 1
  kTpuEstimator,  // iterations_per_loop
  kCustomLoop,    // strategy.run in a user's loop
  kJax,           // a Python loop around a compiled function of JAX
  kTorchXla,      // a Python loop around steps of PyTorch/XLA
};
std::string_view FrameworkName(Framework framework);

// Whether its loop starts steps one by one and runs ahead of the device, so that
// there is no number of steps per execution to set.
inline bool RunsAhead(Framework framework) {
  return framework == Framework::kJax || framework == Framework::kTorchXla;
}

// The name of the setting that it has instead: "steps_per_execution",
// "iterations_per_loop"; "steps per tf.function"; empty: none.
std::string_view ExecutionSetting(Framework framework);

struct Callback {
  std::string name;  // "EarlyStopping"
  Location location;
  bool per_batch = false;  // does something on batch ends: save_freq=int, LR per step
};

struct HostLoop {
  Framework framework = Framework::kUnknown;
  bool uses_tpu_strategy = false;
  // The TPU is on another machine, which sees no local files of the script's:
  // a grpc address or the name of a TPU node. False: tpu="local". Nothing: the
  // files do not tell.
  std::optional<bool> remote_tpu;
  Location compile;        // of compile(); unknown when there is none
  Span compile_arguments;  // between the parentheses of compile()
  Location fit;
  Count steps_per_execution;  // kAbsent: the framework's default of 1
  Location steps_per_execution_location;
  Count epochs;
  Count steps_per_epoch;
  std::optional<int64_t> run_steps;  // in all, where an estimator or a user's loops tell it
  bool one_pass = false;             // a user's loop goes over the data, and none is around it
  bool length_assumed = false;       // files that are not there were assumed: so was their number
  Count fit_batch_size;              // fit(batch_size=) on arrays: per-step global batch
  bool process_per_core = false;     // each with a loader of its own: the batch is that of all
  std::vector<Callback> callbacks;
  bool run_eagerly = false;

  int64_t steps_per_execution_or_default() const {
    return steps_per_execution.kind == Count::Kind::kValue ? steps_per_execution.value : 1;
  }
};

}  // namespace tilewise
