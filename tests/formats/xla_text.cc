// Layouts are those of row-major arrays.

#include "tests/formats/xla_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace tilewise::formats {

std::string HloType(const Dims& dims, const std::string& type) {
  Dims order(dims.size());
  std::iota(order.rbegin(), order.rend(), 0);
  return fmt::format("{}[{}]{}", type, Joined(dims), dims.empty() ? "" : "{" + Joined(order) + "}");
}

std::string MlirType(const Dims& dims, const std::string& type) {
  const std::string element = type == "s32" ? "i32" : type == "pred" ? "i1" : type;
  return fmt::format("tensor<{}{}{}>", Joined(dims, "x"), dims.empty() ? "" : "x", element);
}

std::string MlirType(const Value& value) { return MlirType(value.dims, value.type); }

std::string HloNames(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "" : ", ") + value.name;
  }
  return text;
}

std::string MlirNames(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "%" : ", %") + value.name;
  }
  return text;
}

std::string MlirTypes(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "" : ", ") + MlirType(value);
  }
  return text;
}

std::string Underscored(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string Braced(const Dims& dims) { return "{" + Joined(dims) + "}"; }
std::string Bracketed(const Dims& dims) { return "[" + Joined(dims, ", ") + "]"; }

std::string NumberText(double number, const std::string& type, bool mlir) {
  if (type == "s32") return fmt::format("{}", static_cast<int64_t>(number));
  if (type == "pred") return number != 0 ? "true" : "false";
  if (number < -1e38) return mlir ? "0xFF800000" : "-inf";
  if (number > 1e38) return mlir ? "0x7F800000" : "inf";
  return mlir ? fmt::format("{:e}", number) : fmt::format("{}", number);
}

// "1_2x0_0"
std::string PadText(const Dims& low, const Dims& high) {
  std::string text;
  for (size_t i = 0; i < low.size(); ++i) {
    text += fmt::format("{}{}_{}", i == 0 ? "" : "x", low[i], high[i]);
  }
  return text;
}

// "[[1, 2], [0, 0]]"
std::string PadPairs(const Dims& low, const Dims& high) {
  std::string text;
  for (size_t i = 0; i < low.size(); ++i) {
    text += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", low[i], high[i]);
  }
  return "[" + text + "]";
}

std::string HloWindow(const Window& window) {
  std::string text = "window={size=" + Joined(window.sizes, "x");
  const auto add = [&](const char* name, const Dims& dims) {
    const auto is_one = [](int64_t dim) { return dim == 1; };
    if (std::all_of(dims.begin(), dims.end(), is_one)) return;
    text += fmt::format(" {}={}", name, Joined(dims, "x"));
  };
  add("stride", window.strides);
  text += " pad=" + PadText(window.low, window.high);
  add("rhs_dilate", window.dilations);
  return text;
}

}  // namespace tilewise::formats
