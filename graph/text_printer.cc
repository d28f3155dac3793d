// Writes a graph as text. Every attribute that differs from its default is
// written, so that nothing is lost on the way back.

#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "graph/op_traits.h"
#include "graph/text.h"
#include "graph/text_names.h"

namespace tilewise {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Place(const Location& location) {
  const bool all = location.file.find(':') != std::string::npos;
  std::string text = location.file;
  if (all || location.cell != 0) text += fmt::format(":cell {}", location.cell);
  if (all || location.line != 0 || location.column != 0) {
    text += fmt::format(":{}", location.line);
  }
  if (all || location.column != 0) text += fmt::format(":{}", location.column);
  return Quoted(text);
}

bool Differs(int64_t a, int64_t b, int64_t default_a, int64_t default_b) {
  return a != default_a || b != default_b;
}

// " key=1x2" of one number per window dim, when any is not the default.
std::string WindowPart(const std::vector<WindowDim>& window, std::string_view key,
                       int64_t WindowDim::*field) {
  bool plain = true;
  std::string text;
  for (const WindowDim& dim : window) {
    plain = plain && dim.*field == 1;
    text += fmt::format("{}{}", text.empty() ? "" : "x", dim.*field);
  }
  return plain ? "" : fmt::format(" {}={}", key, text);
}

std::string WindowText(const std::vector<WindowDim>& window) {
  bool padded = false;
  std::string size;
  std::string pad;
  for (const WindowDim& dim : window) {
    padded = padded || Differs(dim.pad_low, dim.pad_high, 0, 0);
    size += fmt::format("{}{}", size.empty() ? "" : "x", dim.size);
    pad += fmt::format("{}{}_{}", pad.empty() ? "" : "x", dim.pad_low, dim.pad_high);
  }
  return fmt::format("{{size={}{}{}{}}}", size, WindowPart(window, "stride", &WindowDim::stride),
                     padded ? " pad=" + pad : "",
                     WindowPart(window, "dilation", &WindowDim::dilation) +
                         WindowPart(window, "base_dilation", &WindowDim::base_dilation));
}

std::string ValueText(const std::vector<WindowDim>& window) { return WindowText(window); }
std::string ValueText(const std::vector<int64_t>& values) {
  return fmt::format("{{{}}}", fmt::join(values, ","));
}
std::string ValueText(const std::string& word) { return Quoted(word); }
std::string ValueText(DType dtype) { return std::string(DTypeName(dtype)); }
template <typename Value>
std::string ValueText(Value value) {
  if constexpr (std::is_enum_v<Value>) {
    return std::string(NamesOf(value)[static_cast<size_t>(value)]);
  } else {
    return fmt::format("{}", value);
  }
}

// The text tells -0 from 0.
template <typename Value>
bool ReadsAlike(const Value& a, const Value& b) {
  if constexpr (std::is_same_v<Value, double>) {
    if (std::signbit(a) != std::signbit(b)) return false;
  }
  return a == b;
}

template <typename Names, typename Value>
void PrintWord(std::string_view key, const Names& names, Value value, Value standard,
               std::string& text) {
  if (value == standard) return;
  text += fmt::format(", {}={}", key, names[static_cast<size_t>(value)]);
}

void PrintContext(const Op& op, std::string& text) {
  PrintWord("phase", kPhaseNames, op.phase, Phase::kForward, text);
  if (op.origin == kNoOp) {
    text += ", origin=none";
  } else if (op.origin != op.id) {
    text += fmt::format(", origin={}", op.origin);
  }
  if (op.loop != EnclosingLoop()) {
    text += fmt::format(", loop={}, trip_count={}", op.loop.id, op.loop.trip_count);
    if (op.loop.first != 0) text += fmt::format(", first_trip={}", op.loop.first);
    if (op.loop.layer != 0) text += fmt::format(", loop_layer={}", op.loop.layer);
  }
  const Location& at = op.location;
  if (at.known() || at.line != 0 || at.column != 0 || at.cell != 0) {
    text += ", at=" + Place(at);
  }
  if (!at.item.empty()) text += ", item=" + Quoted(at.item);
}

}  // namespace

std::string AttributesText(const Op& op) {
  std::string text;
  if (op.attrs.empty()) return text;
  for (const AttributeField& field : TraitsOf(op.kind).attributes.fields) {
    std::visit(
        [&](const auto* value) {
          if (ReadsAlike(*value, *std::get<decltype(value)>(field.read({})))) return;
          text += fmt::format(", {}={}", field.name, ValueText(*value));
        },
        field.read(op.attrs));
  }
  return text;
}

std::string DetailsText(const Op& op) {
  std::string text = AttributesText(op);
  PrintContext(op, text);
  return text.empty() ? text : text.substr(2);
}

std::string NameText(std::string_view name) {
  bool plain = !name.empty() && name.find("//") == std::string_view::npos;
  for (const char c : name) plain = plain && IsNameChar(c);
  return plain ? std::string(name) : Quoted(name);
}

std::string PrintGraph(const Graph& graph) {
  std::string text = fmt::format("graph {} {{\n", Quoted(graph.name()));
  for (const Op& op : graph.ops()) {
    std::string operands;
    for (const OpId id : op.operands) {
      if (!operands.empty()) operands += ", ";
      operands += NameText(graph.op(id).name);
    }
    text += fmt::format("  {} = {} {}({})", NameText(op.name), FormatShape(op.shape),
                        OpName(op.kind), operands);
    if (const std::string details = DetailsText(op); !details.empty()) text += ", " + details;
    text += '\n';
  }
  for (const Output& output : graph.outputs()) {
    text += fmt::format("  output {} {}", kRoleNames[static_cast<size_t>(output.role)],
                        NameText(graph.op(output.value).name));
    if (output.variable != kNoOp) {
      text += " of " + NameText(graph.op(output.variable).name);
    }
    text += '\n';
  }
  return text + "}\n";
}

}  // namespace tilewise
