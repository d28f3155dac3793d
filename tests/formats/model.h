// Models described once, for writers that print them in each format:
//
//   x = input 28,28,1            sizes of one example; ids = input 64 type=s32
//   y = conv x filters=8 kernel=3,3 padding=same
//   z = add y x
//
// Lines end with a line break or a semicolon. Dim 0 of each value is the batch,
// features come last. The result of the last line is the output.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise::formats {

inline constexpr int64_t kBatch = 8;

using Dims = std::vector<int64_t>;

struct Value {
  std::string name;
  Dims dims;                 // with the batch
  std::string type = "f32";  // "f32", "s32" or "pred"

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t features() const { return dims.back(); }
  int64_t spatial() const { return rank() - 2; }
};

struct Layer {
  std::string op;
  std::vector<Value> inputs;
  Value result;
  std::map<std::string, std::string> attrs;

  const Value& x() const { return inputs[0]; }
  bool Has(const std::string& key) const { return attrs.contains(key); }
  std::string Word(const std::string& key, std::string otherwise = "") const;
  int64_t Int(const std::string& key, int64_t otherwise = 0) const;
  double Float(const std::string& key, double otherwise) const;
  // One number stands for one per spatial dim.
  Dims PerDim(const std::string& key, int64_t otherwise = 1) const;
  Dims List(const std::string& key) const;
  bool Same() const { return Word("padding", "valid") == "same"; }
  // A dim counted from the end if it is negative; the last one by default.
  int64_t Axis() const;
};

// A window over the spatial dims.
struct Window {
  Dims sizes, strides, dilations, low, high;
};
// Of convolutions ("kernel") and pools ("size", which is the stride, too).
Window WindowOf(const Layer& layer);

struct Model {
  std::string name;
  std::vector<Layer> layers;

  const Value& output() const { return layers.back().result; }
};

// Stops the test on text that is none of these.
Model ParseModel(std::string_view name, std::string_view text);

Dims Product(const Dims& a, const Dims& b);
int64_t Elements(const Dims& dims);
// "8,28,28"
std::string Joined(const Dims& dims, std::string_view between = ",");

}  // namespace tilewise::formats
