// Attributes of nodes and functions, decoded when asked for. Every answer is
// nullopt when there is no such attribute, or it holds something else.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/graph_def.h"
#include "library/known_value.h"

namespace tilewise::tf {

// The attribute's encoded value, or null.
const Attr* FindAttr(Attrs attrs, std::string_view name);

std::optional<int64_t> AttrInt(Attrs attrs, std::string_view name);
std::optional<double> AttrFloat(Attrs attrs, std::string_view name);
std::optional<bool> AttrBool(Attrs attrs, std::string_view name);
std::optional<std::string_view> AttrString(Attrs attrs, std::string_view name);
std::optional<DataType> AttrType(Attrs attrs, std::string_view name);
std::optional<TensorShape> AttrShape(Attrs attrs, std::string_view name);

std::optional<std::vector<int64_t>> AttrInts(Attrs attrs, std::string_view name);
std::optional<std::vector<double>> AttrFloats(Attrs attrs, std::string_view name);
std::optional<std::vector<std::string_view>> AttrStrings(Attrs attrs, std::string_view name);
std::optional<std::vector<DataType>> AttrTypes(Attrs attrs, std::string_view name);
std::optional<std::vector<TensorShape>> AttrShapes(Attrs attrs, std::string_view name);

// A function by name, with attributes that its body's placeholders refer to.
struct FunctionRef {
  std::string_view name;
  std::vector<Attr> attrs;
};
std::optional<FunctionRef> AttrFunction(Attrs attrs, std::string_view name);
std::optional<std::vector<FunctionRef>> AttrFunctions(Attrs attrs, std::string_view name);
// The attribute of the enclosing call that this one takes its value from.
std::optional<std::string_view> AttrPlaceholder(const Attr& attr);

// A constant. Small numbers are kept; of large ones only that all are equal.
struct TensorValue {
  DataType type = DataType::kInvalid;
  TensorShape shape;
  std::optional<KnownValue> known;        // at most kMaxKnownElements elements
  std::optional<double> splat;            // every element has this value
  std::vector<std::string_view> strings;  // the first few of a string tensor
};
std::optional<TensorValue> AttrTensor(Attrs attrs, std::string_view name);
// An encoded TensorProto.
std::optional<TensorValue> DecodeTensor(std::string_view bytes);
std::optional<TensorShape> DecodeShape(std::string_view bytes);

}  // namespace tilewise::tf
