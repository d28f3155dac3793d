// How values are divided among devices: mhlo.sharding strings, and sdy.sharding
// by the axes of a mesh.

#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/hlo/module.h"
#include "frontend/mlir/module_lowering.h"

namespace tilewise::mlir {

// <["x"=2, "y"=4]>, also as #sdy.mesh<...>.
std::vector<std::pair<std::string_view, int64_t>> ReadMeshAxes(std::string_view text);

// The axes of the mesh in "<@mesh, [..]>", or in "<mesh<["a"=2]>, [..]>".
std::vector<std::pair<std::string_view, int64_t>> AxesOfSharding(const ModuleLowering& lowering,
                                                                 std::string_view text);

// [{"x"}, {}] or [{"x", "y":(1)2}: 0->1]: for each list of axes, among how many
// devices it divides, and the numbers behind it.
struct AxisList {
  int64_t devices = 1;
  std::vector<int64_t> numbers;
};
std::vector<AxisList> ReadAxisLists(std::string_view text,
                                    const std::vector<std::pair<std::string_view, int64_t>>& axes);

// "<@mesh, [{"x"}, {}]>": tiles by the axes of each dim.
hlo::Sharding SdySharding(const ModuleLowering& lowering, std::string_view text);

// Reads the sharding of argument `i` of a function; kNone when none is stated.
hlo::Sharding ReadSharding(ModuleLowering& lowering, const Operation& function, size_t i);
// Reads the sharding of the result of an operation.
hlo::Sharding ReadSharding(ModuleLowering& lowering, const Operation& op);

}  // namespace tilewise::mlir
