// The readers of log_table.cc, each defined in the source of its kind.

#pragma once

#include <memory>

#include "frontend/logs/log_reader.h"

namespace tilewise {

std::unique_ptr<LogReader> OutOfMemoryLines();
std::unique_ptr<LogReader> ReshardLines();
std::unique_ptr<LogReader> StatedMemoryLines();
std::unique_ptr<LogReader> CompilationLines();
std::unique_ptr<LogReader> SlowCompileLines();
std::unique_ptr<LogReader> RetraceLines();
std::unique_ptr<LogReader> ProgressBars();
std::unique_ptr<LogReader> TrainingLines();
std::unique_ptr<LogReader> TorchMetrics();
std::unique_ptr<LogReader> TorchDebugLines();
std::unique_ptr<LogReader> FailureLines();
std::unique_ptr<LogReader> InputLines();

}  // namespace tilewise
