// Types, names and attributes as HLO text and StableHLO write them.

#pragma once

#include <string>
#include <vector>

#include "tests/formats/model.h"

namespace tilewise::formats {

std::string HloType(const Dims& dims, const std::string& type);
std::string MlirType(const Dims& dims, const std::string& type);
std::string MlirType(const Value& value);
// Of operands, between commas.
std::string HloNames(const std::vector<Value>& values);
std::string MlirNames(const std::vector<Value>& values);
std::string MlirTypes(const std::vector<Value>& values);
std::string Underscored(std::string name);
std::string Braced(const Dims& dims);
std::string Bracketed(const Dims& dims);
std::string NumberText(double number, const std::string& type, bool mlir);
// "1_2x0_0" and "[[1, 2], [0, 0]]".
std::string PadText(const Dims& low, const Dims& high);
std::string PadPairs(const Dims& low, const Dims& high);
// "window={size=2x2 stride=2x2 pad=0_0x0_0", still open.
std::string HloWindow(const Window& window);

}  // namespace tilewise::formats
