// Loops of a script that run one training step after another, what each step
// leaves on the device, and where the script waits for it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/host_loop/compiled_functions.h"
#include "workload/source_facts.h"

namespace tilewise {

// How a loop runs its step.
enum class StepDriver : uint8_t {
  kCompiled,     // calls a compiled function
  kStrategyRun,  // strategy.run(...) by itself
  kTrainOnBatch,
  kEager,  // applies the updates of optax op by op
  kTape,   // applies the gradients of TensorFlow's tape op by op
  kTorch,  // backward() of PyTorch, which torch_xla runs lazily
};

struct StepLoop {
  StepDriver driver = StepDriver::kCompiled;
  // The context of the loop; of kTorch also of a function that is one step and
  // that a loop calls.
  int32_t loop = -1;
  bool is_function = false;
  Location location = {};                      // of that context
  const SourceCall* call = nullptr;            // of the step
  const CompiledFunction* compiled = nullptr;  // of kCompiled
  bool several = false;                        // a call is several steps
  // Variables of the loop that hold what the device has computed: results of
  // the step and what is made of them without a fetch.
  std::vector<std::string> on_device;
  // Variables that hold such values if they are tensors at all.
  std::vector<std::string> maybe_on_device = {};
};

// Loops that step through examples or counts, innermost ones only; not those
// that evaluate, warm up, or run a handful of times. `compiled` outlives the
// result.
std::vector<StepLoop> StepLoops(const SourceFacts& facts,
                                const std::vector<CompiledFunction>& compiled);

// Whether the function holds a loop of TensorFlow, so that a call of it is
// several steps.
bool HasLoop(const SourceFacts& facts, int32_t function);

// Whether the program runs on a TPU as far as the text tells: JAX and torch_xla
// programs do.
bool IsTpuProgram(const SourceFacts& facts);
bool IsTorchXla(const SourceFacts& facts);
bool IsTorch(const SourceFacts& facts);
// A program for a TPU, or one of PyTorch that is not ported yet: what is said
// of it holds on XLA.
bool MayRunOnXla(const SourceFacts& facts);

// "every step of the loop at line 3", "every call of train_step()".
std::string EachStepOf(const SourceFacts& facts, const StepLoop& loop, const Location& from);

// Whether `text`, which reads the variables `read`, takes one of `names` for
// more than its shape and type.
bool ReadsValue(std::string_view text, const std::vector<std::string>& read,
                const std::vector<std::string>& names);

// Whether the function draws what it computes: a figure, no step of training.
bool DrawsFigures(const SourceFacts& facts, int32_t function);

// strategy.run(...)
bool IsStrategyRun(const SourceCall& call);

// Whether the call brings one of `on_device` to the host, or waits for it:
// float(loss), loss.item(), print(loss), jax.device_get(metrics).
bool Fetches(const SourceCall& call, const std::vector<std::string>& on_device);

// float, .item() and the like, of whatever.
bool IsHostConversion(const SourceCall& call);
// Whether the call waits until the device is done.
bool Waits(const SourceCall& call);

// "; so do lines 12, 15": those of the places that are on another line of the first one's file.
std::string OtherLines(const std::vector<Location>& places);

}  // namespace tilewise
