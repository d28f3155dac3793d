// Two measured rates, scaled.

#include "session/compile_time.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr double kLeastPerOp = 210.0 / 136'000;
constexpr double kMostPerOp = 410.0 / 15'425;

}  // namespace

CompileTime CompileTimeOf(int64_t ops) {
  const auto count = static_cast<double>(ops);
  return {{count * kLeastPerOp}, {count * kMostPerOp}};
}

std::string FormatCompileTime(const CompileTime& time) {
  return fmt::format("{} to {}", FormatSeconds(time.least), FormatSeconds(time.most));
}

}  // namespace tilewise
