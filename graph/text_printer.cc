// Writes a graph as text. Every attribute that differs from its default is
// written, whatever the kind, so that nothing is lost on the way back.

#include <cmath>
#include <string>

#include <fmt/format.h>

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

void PrintDims(const Attributes& attrs, std::string& text) {
  for (const DimsField& field : kDimsFields) {
    const std::vector<int64_t>& dims = attrs.*field.field;
    if (dims.empty()) continue;
    text += fmt::format(", {}={{{}}}", field.name, fmt::join(dims, ","));
  }
  for (const DotField& field : kDotFields) {
    const std::vector<int64_t>& dims = (*attrs.dot).*field.field;
    if (dims.empty()) continue;
    text += fmt::format(", {}={{{}}}", field.name, fmt::join(dims, ","));
  }
  for (const GatherField& field : kGatherFields) {
    const std::vector<int64_t>& dims = (*attrs.gather).*field.field;
    if (dims.empty()) continue;
    text += fmt::format(", {}={{{}}}", field.name, fmt::join(dims, ","));
  }
  if (attrs.gather->index_dim != 0) {
    text += fmt::format(", index_dim={}", attrs.gather->index_dim);
  }
  if (!attrs.window.empty()) text += ", window=" + WindowText(attrs.window);
}

template <typename Names, typename Value>
void PrintWord(std::string_view key, const Names& names, Value value, Value standard,
               std::string& text) {
  if (value == standard) return;
  text += fmt::format(", {}={}", key, names[static_cast<size_t>(value)]);
}

void PrintScalars(const Attributes& attrs, std::string& text) {
  const Attributes standard;
  for (const FlagField& field : kFlagFields) {
    const bool flag = attrs.*field.field;
    if (flag == standard.*field.field) continue;
    text += fmt::format(", {}={}", field.name, flag);
  }
  for (const IntegerField& field : kIntegerFields) {
    const int64_t number = attrs.*field.field;
    if (number == standard.*field.field) continue;
    text += fmt::format(", {}={}", field.name, number);
  }
  for (const RealField& field : kRealFields) {
    const double number = attrs.*field.field;
    const bool same = number == standard.*field.field &&
                      std::signbit(number) == std::signbit(standard.*field.field);
    if (!same) text += fmt::format(", {}={}", field.name, number);
  }
  PrintWord("reducer", kReducerNames, attrs.reducer, standard.reducer, text);
  PrintWord("comparison", kComparisonNames, attrs.comparison, standard.comparison, text);
  PrintWord("cell", kCellNames, attrs.cell, standard.cell, text);
  if (attrs.quantized != standard.quantized) {
    text += fmt::format(", quantized={}", DTypeName(attrs.quantized));
  }
  for (const TextField& field : kTextFields) {
    const std::string& word = attrs.*field.field;
    if (!word.empty()) text += fmt::format(", {}={}", field.name, Quoted(word));
  }
}

void PrintContext(const Op& op, std::string& text) {
  PrintWord("phase", kPhaseNames, op.phase, Phase::kForward, text);
  if (op.origin == kNoOp) {
    text += ", origin=none";
  } else if (op.origin != op.id) {
    text += fmt::format(", origin={}", op.origin);
  }
  if (op.loop != LoopPlace()) {
    text += fmt::format(", loop={}, trips={}", op.loop.id, op.loop.trips);
  }
  const Location& at = op.location;
  if (at.known() || at.line != 0 || at.column != 0 || at.cell != 0) {
    text += ", at=" + Place(at);
  }
  if (!at.item.empty()) text += ", item=" + Quoted(at.item);
}

}  // namespace

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
    PrintDims(op.attrs, text);
    PrintScalars(op.attrs, text);
    PrintContext(op, text);
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
