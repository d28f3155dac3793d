// The records of all op kinds, by kind, and what follows from their attributes.

#include "graph/op_traits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <type_traits>

namespace tilewise {
namespace {

constexpr std::array kRecords = {
#define TW_OP(enumerator, name, op_class) &op_traits::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
};

class Mixer {
 public:
  size_t hash() const { return hash_; }
  void Mix(size_t value) {
    hash_ = (hash_ ^ value) * size_t{0x9e3779b97f4a7c15};
    hash_ ^= hash_ >> 29;
  }
  void Mix(double value) { Mix(std::bit_cast<uint64_t>(value + 0.0)); }  // -0 equals 0
  void Mix(const std::string& text) { Mix(std::hash<std::string>{}(text)); }
  void Mix(const std::vector<int64_t>& values) {
    Mix(values.size());
    for (const int64_t value : values) Mix(static_cast<size_t>(value));
  }
  void Mix(const std::vector<WindowDim>& window) {
    for (const WindowDim& dim : window) {
      for (const int64_t value :
           {dim.size, dim.stride, dim.pad_low, dim.pad_high, dim.dilation, dim.base_dilation}) {
        Mix(value);
      }
    }
  }
  template <typename Value>
  requires(std::is_integral_v<Value> || std::is_enum_v<Value>) void Mix(Value value) {
    Mix(static_cast<size_t>(value));
  }

 private:
  size_t hash_ = 0;
};

}  // namespace

const OpTraits& TraitsOf(OpKind kind) { return *kRecords[static_cast<size_t>(kind)]; }

bool HasAttributes(OpKind kind, const char* id) { return TraitsOf(kind).attributes.id == id; }

bool AlikeBut(std::string_view name, const Op& a, const Op& b) {
  const auto fields = TraitsOf(a.kind).attributes.fields;
  return std::all_of(fields.begin(), fields.end(), [&](const AttributeField& field) {
    return field.name == name ||
           std::visit(
               [&](const auto* value) {
                 return *value == *std::get<decltype(value)>(field.read(b.attrs));
               },
               field.read(a.attrs));
  });
}

size_t HashAttributes(const Op& op) {
  Mixer mixer;
  for (const AttributeField& field : TraitsOf(op.kind).attributes.fields) {
    std::visit([&](const auto* value) { mixer.Mix(*value); }, field.read(op.attrs));
  }
  return mixer.hash();
}

}  // namespace tilewise
