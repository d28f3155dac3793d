// What the function of a dataset's map does: the library calls in its body and
// in the functions of the script that it calls, read from the text.

#include <algorithm>

#include "frontend/python/dataset_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool IsRandom(std::string_view name) {
  const std::string_view last = LastPart(name);
  return Under(name, "tensorflow.random") || Under(name, "numpy.random") || Under(name, "random") ||
         Has(name, ".image.random_") || Has(name, ".image.stateless_random") ||
         last.starts_with("random_") || last.starts_with("Random");
}

bool IsStateful(std::string_view name) {
  return name == "tensorflow.py_function" || name == "tensorflow.numpy_function" ||
         name == "tensorflow.py_func" || name == "tensorflow.print" || name == "builtins.print" ||
         name == "builtins.open";
}

bool Decodes(std::string_view name) {
  const std::string_view last = LastPart(name);
  return last.starts_with("decode_") || last.starts_with("parse_single_") ||
         last == "parse_example" || last == "parse_sequence_example" ||
         last == "decode_and_crop_jpeg";
}

// x["image"], which picks a part of a structure, and x[..., None], which keeps
// all of a tensor.
bool ByName(Node subscript) {
  std::vector<Node> parts = subscript.children();
  if (parts.size() < 2) return false;
  return std::all_of(parts.begin() + 1, parts.end(), [](const Node& part) {
    return part.is("string") || part.is("ellipsis") || part.is("none") ||
           part.text().ends_with("newaxis");
  });
}

class Reader {
 public:
  Reader(Interpreter& in, MapFunction& out) : in_(in), out_(out) {}

  void ReadFunction(const Function& function, int nesting) {
    const auto id =
        std::pair(static_cast<const void*>(function.node.tree()), function.node.raw().id);
    if (nesting > 16 || !visited_.insert(id).second) return;
    in_.dataset_functions.insert(id);
    std::set<std::string, std::less<>> locals;
    for (const Node& p : function.node.field("parameters").children()) {
      const Node name = p.is("identifier") ? p : p.field("name");
      locals.emplace(name.text());
    }
    Walk(function.node.field("body"), function, locals, nesting);
  }

  void Count(std::string_view name) {
    out_.calls.emplace_back(name);
    out_.random = out_.random || IsRandom(name);
    out_.stateful = out_.stateful || IsStateful(name);
    out_.decodes = out_.decodes || Decodes(name);
  }

 private:
  void Walk(Node node, const Function& function, const std::set<std::string, std::less<>>& locals,
            int nesting) {
    const std::string_view type = node.type();
    if (type == "call") {
      ++out_.nodes;
      ReadCallee(node.field("function"), function, locals, nesting);
    }
    if (type == "binary_operator" || type == "unary_operator" || type == "comparison_operator") {
      ++out_.nodes;
    }
    if (type == "subscript" && !ByName(node)) out_.indexes = true;
    if (type == "global_statement" || type == "nonlocal_statement") {
      out_.stateful = true;
    }
    if (!in_.Charge(1)) return;
    for (const Node& child : node.children()) {
      Walk(child, function, locals, nesting);
    }
  }

  void ReadCallee(Node callee, const Function& function,
                  const std::set<std::string, std::less<>>& locals, int nesting) {
    Node root = callee;
    while (root.is("attribute")) root = root.field("object");
    const std::string written(callee.text().substr(0, 200));
    if (!root.is("identifier") || locals.contains(root.text())) {
      const Node method = callee.field("attribute");
      Count(method ? "." + std::string(method.text()) : written);
      return;
    }
    const std::string name(root.text());
    const Value* value = function.closure == nullptr ? nullptr : function.closure->Find(name);
    if (value == nullptr && root == callee) {
      Count("builtins." + name);
      return;
    }
    if (value == nullptr) {
      const bool tf = name == "tf" || name == "np";
      const std::string base = name == "tf" ? "tensorflow" : "numpy";
      Count(tf ? base + written.substr(name.size()) : written);
      return;
    }
    if (const Path* path = value->as<Path>()) {
      Count(CanonicalName(path->name + written.substr(name.size())));
    } else {
      ReadValue(*value, written, nesting);
    }
  }

 public:
  // A callee, or the function given to map itself.
  void ReadValue(const Value& value, const std::string& written, int nesting) {
    if (const Function* called = value.ref<Function>()) {
      if (!called->library.empty()) Count(CanonicalName(called->library));
      if (called->node) ReadFunction(*called, nesting + 1);
    } else if (const LayerRef* layer = value.as<LayerRef>()) {
      Count("tensorflow.keras.layers." + in_.keras.layer(layer->layer).class_name);
    } else if (const Model* model = value.ref<Model>()) {
      if (nesting > 16) return;
      for (const Value& part : model->stack) {
        ReadValue(part, written, nesting + 1);
      }
    } else {
      Count(written);
    }
  }

 private:
  Interpreter& in_;
  MapFunction& out_;
  std::set<std::pair<const void*, const void*>> visited_;
};

}  // namespace

MapFunction AnalyzeMapFunction(Interpreter& in, const Value& value) {
  MapFunction result;
  Reader reader(in, result);
  if (const Path* path = value.as<Path>()) {
    result.resolved = !Under(path->name, "builtins");
    result.name = std::string(LastPart(path->name));
    result.nodes = 1;
    if (result.resolved) reader.Count(CanonicalName(path->name));
    return result;
  }
  if (const Function* function = value.ref<Function>()) {
    result.name =
        function->library.empty() ? function->name : std::string(LastPart(function->library));
    result.resolved = true;
    reader.ReadValue(value, result.name, 0);
    return result;
  }
  if (const Object* object = value.ref<Object>(); object != nullptr && object->type != nullptr) {
    const Value* call = object->type->Find("__call__");
    if (call == nullptr) return result;
    result.name = object->type->name;
    result.resolved = true;
    reader.ReadValue(*call, result.name, 0);
    return result;
  }
  if (value.as<LayerRef>() != nullptr || value.ref<Model>() != nullptr) {
    result.resolved = true;
    result.nodes = 1;
    reader.ReadValue(value, "", 0);
    return result;
  }
  return result;
}

}  // namespace tilewise::python
