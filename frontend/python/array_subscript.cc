// Operators and indexing of arrays: what they do to dtype and shape.

#include <algorithm>

#include "frontend/python/array_calls.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {

std::optional<Value> ArrayOperator(Interpreter& in, std::string_view op, const Value& a,
                                   const Value& b) {
  const Array *x = a.ref<Array>(), *y = b.ref<Array>();
  if (x == nullptr && y == nullptr) return std::nullopt;
  const Array& main = x != nullptr && (y == nullptr || x->dims.size() >= y->dims.size()) ? *x : *y;
  const bool scalar = AsNumber(x == nullptr ? a : b).has_value();
  if (x == nullptr || y == nullptr) {
    if (!scalar) return std::nullopt;
  }
  const bool compares =
      op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=";
  std::string dtype = main.dtype;
  const bool integral = dtype.find("int") != std::string::npos;
  // numpy: integers divided, or mixed with a real number, become float64.
  const Value& other = x == nullptr ? a : b;
  if (integral && (op == "/" || other.as<double>() != nullptr)) {
    dtype = "float64";
  }
  if (compares) dtype = "bool";
  return in.MakeArray(dtype, main.dims);
}

namespace {

// The size that begin:end leaves of a dim, -1 when not known. Nothing for
// slices with a step, which are not followed.
std::optional<int64_t> SlicedSize(Interpreter& in, Node slice, int64_t size) {
  std::vector<Value> bounds(2, Value{None{}});
  size_t side = 0;
  const uint32_t parts = ts_node_child_count(slice.raw());
  for (uint32_t i = 0; i < parts; ++i) {
    const Node part(ts_node_child(slice.raw(), i), slice.tree());
    if (part.is(":")) {
      ++side;
    } else if (side < 2) {
      bounds[side] = in.Eval(part);
    } else {
      return std::nullopt;
    }
  }
  if (bounds[0].none() && bounds[1].none()) return size;
  const auto known = [](const Value& bound) { return bound.none() || AsInt(bound).has_value(); };
  if (size < 0 || !known(bounds[0]) || !known(bounds[1])) return -1;
  const auto place = [size](const Value& bound, int64_t missing) {
    int64_t i = AsInt(bound).value_or(missing);
    if (i < 0) i += size;
    return std::clamp<int64_t>(i, 0, size);
  };
  return std::max<int64_t>(0, place(bounds[1], size) - place(bounds[0], 0));
}

bool IsNewAxis(const Value& index) {
  const Path* path = index.as<Path>();
  return index.none() || (path != nullptr && LastPart(path->name) == "newaxis");
}

}  // namespace

std::optional<Value> ArraySubscript(Interpreter& in, const Array& array,
                                    const std::vector<Node>& subscripts) {
  std::vector<int64_t> dims;
  size_t at = 0;
  for (const Node& subscript : subscripts) {
    if (subscript.is("ellipsis")) {
      const size_t rest = subscripts.size() - 1;
      while (at + rest < array.dims.size()) dims.push_back(array.dims[at++]);
    } else if (subscript.is("slice")) {
      if (at >= array.dims.size()) return std::nullopt;
      const auto size = SlicedSize(in, subscript, array.dims[at++]);
      if (!size.has_value()) return std::nullopt;
      dims.push_back(*size);
    } else {
      const Value index = in.Eval(subscript);
      if (IsNewAxis(index)) {
        dims.push_back(1);
      } else if (AsInt(index).has_value() && at < array.dims.size()) {
        ++at;
      } else {
        return std::nullopt;
      }
    }
  }
  while (at < array.dims.size()) dims.push_back(array.dims[at++]);
  return in.MakeArray(array.dtype, dims);
}

}  // namespace tilewise::python
