// An ONNX model as views into the bytes of its file: names and numbers are
// where they stand, weights are not looked at. Good as long as the bytes are.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "frontend/onnx/onnx.pb.h"

namespace tilewise::onnx {

using ElementType = onnx_format::TensorProto::DataType;

struct TensorView {
  std::string_view name;
  int32_t data_type = 0;  // ElementType, as the file says
  std::vector<int64_t> dims;
  bool external = false;  // its data is in another file
  // The data is in one of these at most.
  std::string_view raw;
  std::string_view packed;      // of the field packed_field
  int32_t packed_field = 0;     // number of the field
  std::vector<double> singles;  // written one by one; the first few thousand
};

struct GraphView;

struct AttributeView {
  std::string_view name;
  std::string_view reference;  // in a function: the caller's attribute it takes
  int32_t type = 0;            // AttributeType; 0 in old files
  double f = 0;
  int64_t i = 0;
  std::string_view s;
  std::vector<double> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings;
  std::unique_ptr<TensorView> tensor;  // the dense form of a sparse one
  std::unique_ptr<GraphView> graph;
};

struct DimView {
  enum class Kind : uint8_t { kUnknown, kValue, kParameter };
  Kind kind = Kind::kUnknown;
  int64_t value = 0;
  std::string_view parameter;

  bool is_open() const { return kind != Kind::kValue || value <= 0; }
};

struct TypeView {
  // kHost: maps and other things that no device holds. For sequences and
  // optional values the rest is the type of their elements.
  enum class Kind : uint8_t { kNone, kTensor, kSequence, kOptional, kHost };
  Kind kind = Kind::kNone;
  int32_t element = 0;  // ElementType
  bool has_shape = false;
  std::vector<DimView> dims;
};

struct ValueInfoView {
  std::string_view name;
  TypeView type;
};

struct NodeView {
  std::string_view op_type, domain, name;
  std::vector<std::string_view> inputs, outputs;  // empty name: left out
  std::vector<AttributeView> attributes;

  const AttributeView* Find(std::string_view attribute) const {
    for (const AttributeView& candidate : attributes) {
      if (candidate.name == attribute) return &candidate;
    }
    return nullptr;
  }
};

struct GraphView {
  std::string_view name;
  std::vector<NodeView> nodes;
  std::vector<TensorView> initializers;
  std::vector<ValueInfoView> inputs, outputs, values;
};

struct OpsetView {
  std::string_view domain;
  int64_t version = 1;
};

struct FunctionView {
  std::string_view name, domain;
  std::vector<std::string_view> inputs, outputs;
  std::vector<AttributeView> defaults;
  std::vector<NodeView> nodes;
  std::vector<OpsetView> opsets;
};

struct ModelView {
  int64_t ir_version = 0;
  std::string_view producer, producer_version;
  std::vector<OpsetView> opsets;
  GraphView graph;
  bool has_graph = false;
  bool has_training = false;  // a training algorithm besides the graph
  std::vector<FunctionView> functions;
};

}  // namespace tilewise::onnx
