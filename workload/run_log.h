// What the log of a run says besides its failures: how long steps took, what was
// compiled and how long that took, what crossed to the host, how much memory the
// program states. Every number is the log's own.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/units.h"

namespace tilewise {

// One line about a step or several.
struct LoggedStep {
  int64_t number = -1;  // -1: the line does not say
  Seconds time;         // of one step
  int64_t count = 1;    // steps that the time is the mean of
  Seconds elapsed;      // of all of these, where the line says it with the mean
  double flops = 0;     // per second and device; 0: not said, as below
  double tokens = 0;    // the same of tokens
  double examples = 0;  // per second, as printed: of all devices or of one
  Location location;
};

// Times of steps that one writer printed, in the order of the log.
struct LoggedSteps {
  std::string writer;  // "MaxText", "Keras"
  std::vector<LoggedStep> lines;
  Location location;  // of the first of them
  // These are the median, the extremes and the number of the lines that are left once those of
  // compilation and of asynchronous dispatch are put aside.
  Seconds steady, least, most;
  int64_t settled = 0;     // 0: the log ends before steps are alike
  int64_t slow_first = 0;  // lines put aside because they hold compilation
  int64_t too_fast = 0;    // and because the device cannot have finished
  Seconds compilation;     // what those of compilation took beyond the steady time
  double flops = 0, tokens = 0, examples = 0;  // medians of the steady lines
  int64_t batch = 0;                           // examples of a step; 0: the log does not say
  bool averages = false;  // lines stand for many steps: an epoch, a mean since the start
};

// One compilation, or one instruction that the compiler folded.
struct LoggedCompile {
  enum class Kind : uint8_t { kModule, kFolding };
  Kind kind = Kind::kModule;
  std::string name;   // of the module, or the instruction as printed
  Seconds time;       // 0: the log does not say how long it took
  Seconds at_least;   // what passed before the alarm
  Seconds front;      // tracing and lowering by the framework
  int64_t times = 1;  // equal ones
  Location location;  // in the log
  Location source;    // the user's line, where the log has it
};

// That something was compiled or traced again and again.
struct RepeatedCompile {
  std::string writer;    // "JAX", "torch_xla", "tf.function"
  std::string name;      // of the function; empty: all of the program
  int64_t compiles = 0;  // in the part of the log that `steps` counts
  int64_t steps = 0;     // 0: the log does not count them
  Seconds time;          // of those compiles; 0: not known
  std::string cause;     // what the log says of the reason
  bool early = false;    // the log ends where compilations are still expected
  Location location;
};

// What the host read or ran in the middle of steps.
struct HostTraffic {
  int64_t steps = 0;                   // 0: the log does not count them
  int64_t executions = 0;              // programs started
  int64_t reads = 0;                   // values brought to the host
  Bytes bytes;                         // of them; 0: not said
  Seconds execution_time;              // of all executions; 0: not said
  std::vector<std::string> fallbacks;  // ops that ran on the host
  std::string where;                   // the user's line that reads
  Location location;
};

// A counter, a timer or a sum of torch_xla's metrics, since the program began.
struct LoggedMetric {
  std::string name;
  int64_t samples = 0;             // of a counter: its value
  Seconds total, median, longest;  // of a timer; longest: the highest stated percentile
  double sum = 0;                  // of what is no time: bytes, graphs
  bool is_counter = false, is_size = false;
};

// Memory that the program states without running out of it.
struct StatedMemory {
  enum class Kind : uint8_t { kProgram, kInUse, kRematerialized, kDenseGradient };
  Kind kind = Kind::kProgram;
  std::string writer;  // "MaxText"
  Bytes total;         // what is needed, or in use
  Bytes capacity;      // 0: not said; of kRematerialized: the limit
  Bytes arguments, output, temporaries, aliased, code;
  Location location;
};

// A run that ended for another reason than memory.
struct RunFailure {
  std::string code;  // "E0200"
  std::string what;  // sentence of ours: what the message means
  std::string advice;
  Bytes expected, found;  // of a layout mismatch
  int64_t times = 1;
  Location location;
};

// What the log says of the input.
struct InputWait {
  enum class Kind : uint8_t { kShuffleFill, kLoop };
  Kind kind = Kind::kShuffleFill;
  double rate = 0;   // examples per second into the buffer
  int64_t size = 0;  // of the buffer, in examples; of kLoop: batches of a loop
  Seconds gap;       // of kLoop: between two loops
  Location location;
};

struct RunLog {
  std::vector<LoggedSteps> steps;
  std::vector<LoggedCompile> compiles;
  std::vector<RepeatedCompile> repeated;
  std::vector<HostTraffic> traffic;
  std::vector<StatedMemory> memory;
  std::vector<RunFailure> failures;
  std::vector<InputWait> input;
  std::vector<LoggedMetric> metrics;  // of the last report, by name

  bool empty() const {
    return steps.empty() && compiles.empty() && repeated.empty() && traffic.empty() &&
           memory.empty() && failures.empty() && input.empty() && metrics.empty();
  }
  // The series that says most about the run: that of most settled lines; null:
  // the log has none.
  const LoggedSteps* best_steps() const;
  // The largest need that the log states; none where it states none.
  const StatedMemory* largest_need() const;
  // Returns the time of all modules that the log gives times of.
  Seconds compile_time() const;
  void Append(RunLog other);
};

}  // namespace tilewise
