// Nodes that the graph cannot express: opaque ops of the shapes that the file
// states, values that the host makes, values without elements. And the
// comparison of stated with inferred shapes.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/graph_reader.h"
#include "frontend/onnx/tensor_data.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kShownMismatches = 20;

template <typename Is>
bool AnyOf(const std::vector<const Value*>& inputs, const Is& is) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Value* input) { return input != nullptr && is(*input); });
}

bool IsOnHost(const Value& value) { return value.kind == Value::Kind::kHost; }
bool IsEmpty(const Value& value) { return value.is_empty(); }

}  // namespace

// Returns the stated shape with stand-ins for dims that it does not state.
std::optional<Shape> GraphReader::StatedShape(const TypeView& type) const {
  const std::optional<DType> dtype = ElementOf(type.element);
  if (type.kind != TypeView::Kind::kTensor || !type.has_shape || !dtype) {
    return std::nullopt;
  }
  Shape shape(*dtype, {});
  for (size_t i = 0; i < type.dims.size(); ++i) {
    const std::optional<Dim> dim = dims_.Stated(type.dims[i], i);
    if (!dim) return std::nullopt;
    shape.dims.push_back(*dim);
  }
  return shape;
}

GraphReader::MaybeValues GraphReader::OnHost(const NodeView& node, const Frame& frame) {
  Values values;
  for (const std::string_view output : node.outputs) {
    const auto at =
        frame.stated == nullptr ? StatedTypes::const_iterator() : frame.stated->find(output);
    const bool stated = frame.stated != nullptr && at != frame.stated->end();
    const std::optional<Shape> shape = stated ? StatedShape(*at->second) : std::nullopt;
    if (!shape || HasNoElements(*shape)) {
      values.push_back(Value::Host());
      continue;
    }
    // The host makes it; the device gets it as an input.
    Enter(builder_, {ScopeOf(node, frame).location, "", {}});
    values.push_back(Value::Of(builder_.Parameter(*shape, output)));
  }
  if (noted_.insert(fmt::format("host {}", node.op_type)).second) {
    Note("RD003", &node,
         fmt::format("{} works on strings or maps: the host does it, its "
                     "results are inputs of the step",
                     node.op_type));
  }
  return values;
}

GraphReader::MaybeValues GraphReader::Fallback(const NodeView& node, const Frame& frame,
                                               const std::vector<const Value*>& inputs,
                                               const absl::Status& reason) {
  if (!builder_.ok()) return builder_.status();
  if (AnyOf(inputs, IsOnHost)) return OnHost(node, frame);
  if (AnyOf(inputs, IsEmpty)) {
    if (noted_.insert("empty").second) {
      Note("RD003", &node, "operands without elements: what is made of them is left out");
    }
    return Values(node.outputs.size(), Value::Empty({}));
  }
  ++summary_.not_lowered;
  if (summary_.first_failure.empty()) {
    summary_.first_failure = Message(reason);
  }
  NodeContext ctx(node, 0, settings_.training, frame, builder_, weights_, ScopeOf(node, frame),
                  inputs);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!ctx.Wants(i)) continue;
    const TypeView* stated = ctx.Stated(i);
    const std::optional<Shape> shape = stated == nullptr ? std::nullopt : StatedShape(*stated);
    if (!shape) {
      return Annotate(reason, fmt::format("node {} ({}): the file does not state the shape "
                                          "of its result {}",
                                          NameOf(node), node.op_type, node.outputs[i]));
    }
    if (HasNoElements(*shape)) {
      ctx.SetValue(i, Value::Empty(*shape));
    } else {
      ctx.SetOpaque(i, *shape);
    }
  }
  ++summary_.opaque_ops[node.domain.empty() ? std::string(node.op_type)
                                            : fmt::format("{}.{}", node.domain, node.op_type)];
  if (noted_.insert(fmt::format("opaque {}", node.op_type)).second) {
    Note("RD001", &node,
         fmt::format("{} is not lowered, its cost is unknown: {}", node.op_type, Message(reason)));
  }
  return ctx.Commit();
}

void GraphReader::CompareShapes(const NodeView& node, const Frame& frame, const Values& values) {
  if (frame.stated == nullptr || frame.stated->empty()) return;
  for (size_t i = 0; i < node.outputs.size() && i < values.size(); ++i) {
    const Value& value = values[i];
    const auto at = frame.stated->find(node.outputs[i]);
    if (at == frame.stated->end() || !value.is_tensor() ||
        at->second->kind != TypeView::Kind::kTensor) {
      continue;
    }
    const TypeView& type = *at->second;
    const Shape shape = ShapeOf(value).value_or(Shape());
    bool same = ElementOf(type.element) == shape.dtype;
    if (type.has_shape) {
      same = same && type.dims.size() == shape.dims.size();
      for (size_t d = 0; d < type.dims.size() && same; ++d) {
        const std::optional<Dim> dim = dims_.Stated(type.dims[d], d);
        const bool number = type.dims[d].kind == DimView::Kind::kValue;
        if (dim && number) same = *dim == shape.dims[d];
      }
    }
    if (same || ++mismatches_ > kShownMismatches) continue;
    const std::optional<Shape> stated = StatedShape(type);
    Note("RD004", &node,
         fmt::format("{} of {} is {}, the file states {}", node.outputs[i], node.op_type,
                     FormatShape(shape), stated ? FormatShape(*stated) : "another type"));
  }
}

}  // namespace tilewise::onnx
