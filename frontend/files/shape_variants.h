// How often each function was compiled, and for which shapes of its parameters.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "workload/compiler_report.h"

namespace tilewise {

// Collects compilations, whatever tells of them: modules of a dump, lines of a
// log.
class ShapeVariants {
 public:
  // `shapes`: of the parameters, in order, as printed.
  void Add(const std::string& function, std::vector<std::string> shapes, const Location& place);

  // Returns the functions that were compiled more than once, by name.
  std::vector<RecompiledFunction> Recompiled() const;

 private:
  struct Function {
    int64_t modules = 0;
    std::vector<std::vector<std::string>> variants;  // different ones
    Location first;
  };
  std::map<std::string, Function> functions_;
};

// Returns the shapes "f32[8]" and "s32[]", without layouts, of "HloModule
// jit_f, entry_computation_layout={(f32[8]{0}, s32[])->f32[8]{0}}". They are
// empty when the line does not say. Only the first line of `text` is looked at.
std::vector<std::string> EntryShapes(std::string_view text);

}  // namespace tilewise
