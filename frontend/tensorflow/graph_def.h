// A GraphDef and what stands around it in files of TensorFlow, as read: plain
// structs whose texts are views into the file (or into `texts`), so that a
// graph of millions of nodes is read without copies. Attributes stay encoded
// until somebody asks for one (attr_value.h).

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/arena.h"
#include "frontend/tensorflow/data_type.h"

namespace tilewise::tf {

// Dims of -1 are unknown. `dims` is empty when the rank is unknown.
struct TensorShape {
  bool unknown_rank = false;
  std::vector<int64_t> dims;
  bool operator==(const TensorShape&) const = default;
};

// An attribute: its name, and the encoded AttrValue.
struct Attr {
  std::string_view name;
  std::string_view value;
};
using Attrs = std::span<const Attr>;

struct NodeDef {
  std::string_view name;  // "conv1/Conv2D"
  std::string_view op;    // "Conv2D", or the name of a function
  std::string_view device;
  // "node", "node:1", "^control"; in a function "argument", "node:out:0".
  std::span<const std::string_view> inputs;
  Attrs attrs;
};

// An argument or result of a function.
struct ArgDef {
  std::string_view name;
  DataType type = DataType::kInvalid;  // kInvalid: an attribute of the call
  std::string_view type_attr;          // names it
  std::string_view number_attr;        // so many tensors
  std::string_view type_list_attr;     // one tensor for each of these types
  // A resource holds this, when the file says so.
  std::optional<TensorShape> handle_shape;
  DataType handle_type = DataType::kInvalid;
};

struct FunctionDef {
  std::string_view name;
  std::span<const ArgDef> inputs, outputs;
  std::span<const NodeDef> nodes;
  // Result name -> "node:out:0"; control results are left out.
  std::span<const std::pair<std::string_view, std::string_view>> ret;
  Attrs attrs;
  // Argument number -> its attributes ("_output_shapes",
  // "_user_specified_name").
  std::map<uint32_t, Attrs> arg_attrs;
};

struct GraphDef {
  std::vector<NodeDef> nodes;
  std::vector<FunctionDef> functions;
  // Function -> the one that computes its gradient.
  absl::flat_hash_map<std::string_view, std::string_view> gradients;
  absl::flat_hash_map<std::string_view, int32_t> function_index;
  // versions.producer; 0: not stated.
  int32_t producer = 0;

  const FunctionDef* Function(std::string_view name) const;  // null: none

  // What the views point into besides the file.
  std::deque<std::string> texts;
  Arena<Attr> attr_pool;
  Arena<std::string_view> input_pool;
  Arena<ArgDef> arg_pool;
  Arena<NodeDef> node_pool;
  Arena<std::pair<std::string_view, std::string_view>> ret_pool;
};

// A tensor that a signature names.
struct TensorInfo {
  std::string_view name;  // "serving_default_x:0"; empty: not a plain tensor
  DataType type = DataType::kInvalid;
  std::optional<TensorShape> shape;
  // The tensors of a sparse or composite one.
  std::vector<std::string_view> components;
};

struct SignatureDef {
  std::string_view method;
  std::map<std::string_view, TensorInfo> inputs, outputs;
};

// A variable of the object graph of a SavedModel.
struct SavedVariable {
  std::string_view name;
  DataType type = DataType::kInvalid;
  TensorShape shape;
  bool trainable = false;
};

struct MetaGraph {
  std::vector<std::string_view> tags;
  std::string_view tensorflow_version;
  GraphDef graph;
  std::string_view debug_info;  // GraphDebugInfo, encoded; empty: none
  std::map<std::string_view, SignatureDef> signatures;
  // Names of collections of nodes, and their nodes: "train_op".
  std::map<std::string_view, std::vector<std::string_view>> node_collections;
  // Collections of encoded values: "trainable_variables" (VariableDef).
  std::map<std::string_view, std::vector<std::string_view>> bytes_collections;
  std::map<int32_t, SavedVariable> variables;  // by object number
  // Function -> objects that it captures, in the order of its last arguments.
  std::map<std::string_view, std::vector<int32_t>> concrete_functions;
};

}  // namespace tilewise::tf
