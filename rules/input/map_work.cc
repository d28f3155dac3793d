// Words in the names of calls tell work from arrangement.

#include "rules/input/map_work.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr int64_t kTrivialNodes = 5;

// One call that is work enough: images, records, texts, Python.
bool CallsWork(const MapFunction& function) {
  constexpr std::string_view kWords[] = {"resize",  "decode", "parse",   "crop",
                                         "rotat",   "read",   "string",  "lookup",
                                         "py_func", "numpy_", "spectro", "stft"};
  return std::ranges::any_of(function.calls, [&](const std::string& call) {
    return std::ranges::any_of(kWords, [&](std::string_view word) { return Contains(call, word); });
  });
}

// Whether it only picks, names or shapes parts: no call of it computes tensors.
bool OnlyArranges(const MapFunction& function) {
  constexpr std::string_view kWords[] = {"str",     "int",   "len",   "range",      "dict",
                                         "list",    "tuple", "zip",   "enumerate",  "reshape",
                                         "squeeze", "shape", "items", "expand_dims"};
  return std::ranges::all_of(
      function.calls, [&](const std::string& call) { return IsOneOf(LastName(call), kWords); });
}

}  // namespace

bool OnlySetsShapes(const MapFunction& function) {
  constexpr std::string_view kWords[] = {"set_shape",   "get_shape",    "merge_with",
                                         "TensorShape", "ensure_shape", "partial"};
  return !function.calls.empty() &&
         std::ranges::all_of(function.calls, [&](const std::string& call) {
           return IsOneOf(LastName(call), kWords);
         });
}

bool DoesLittle(const MapFunction& function) {
  const bool few = function.nodes < kTrivialNodes || OnlyArranges(function);
  return function.resolved && few && !CallsWork(function);
}

}  // namespace tilewise
