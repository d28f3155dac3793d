// Reads a program from text, section by section. Indices are checked, so that
// whatever parses can be simulated.

#include <algorithm>

#include <fmt/format.h>

#include "graph/text.h"
#include "sim/lowering/field_reader.h"
#include "sim/lowering/text.h"
#include "sim/lowering/text_fields.h"

namespace tilewise {
namespace {

constexpr std::string_view kFirstWords = "program,";
constexpr int64_t kLargestTile = 4096;

class Parser {
 public:
  absl::Status TakeLine(std::string_view line, int number);
  absl::StatusOr<ProgramText> Finish() &&;

 private:
  bool in_graph() const { return !graph_text_.empty(); }
  absl::Status TakeGraphLine(std::string_view line);
  absl::Status TakeGraph();
  absl::Status TakeFields(FieldLine line);
  absl::StatusOr<OpId> OpOf(const FieldLine& line) const;
  absl::Status Header(FieldLine line);
  absl::Status TakeLayout(FieldLine line);
  absl::Status TakeKernel(FieldLine line);
  absl::Status TakeBuffer(FieldLine line);
  absl::Status TakeMemory(FieldLine line);

  ProgramText text_;
  OpNames names_;
  int graphs_ = 0;
  int line_ = 0;
  int graph_line_ = 0;      // where the graph that is being read starts
  std::string graph_text_;  // of it, up to now
  bool has_header_ = false;
  bool has_memory_ = false;
};

absl::Status Parser::TakeLine(std::string_view line, int number) {
  line_ = number;
  if (in_graph() || line.starts_with("graph ")) return TakeGraphLine(line);
  absl::StatusOr<FieldLine> fields = ReadFieldLine(line);
  if (!fields.ok()) {
    return Annotate(fields.status(), fmt::format("line {}", number));
  }
  if (fields->head.empty()) return absl::OkStatus();
  return Annotate(TakeFields(*std::move(fields)), fmt::format("line {}", number));
}

absl::Status Parser::TakeGraphLine(std::string_view line) {
  if (!in_graph()) graph_line_ = line_;
  graph_text_ += line;
  graph_text_ += '\n';
  return line == "}" ? TakeGraph() : absl::OkStatus();
}

// The first is the forward graph, the second the program's. Blank lines in
// front of a graph keep the line numbers of its errors right.
absl::Status Parser::TakeGraph() {
  const std::string before(graph_line_ - 1, '\n');
  TW_ASSIGN_OR_RETURN(Graph graph, ParseGraph(before + graph_text_));
  graph_text_.clear();
  ++graphs_;
  if (!graph.is_static()) {
    return InvalidInput(fmt::format(
        "line {}: found a graph with per-batch sizes, expected constant ones", graph_line_));
  }
  if (graphs_ == 1) {
    text_.context.source = std::move(graph);
    return absl::OkStatus();
  }
  if (graphs_ > 2) {
    return InvalidInput(fmt::format("line {}: found a third graph, expected two", graph_line_));
  }
  for (const Op& op : graph.ops()) names_.emplace(op.name, op.id);
  text_.program.graph = std::move(graph);
  return absl::OkStatus();
}

absl::Status Parser::TakeFields(FieldLine line) {
  if (!has_header_) return Header(std::move(line));
  if (graphs_ != 2) {
    return InvalidInput(
        fmt::format("found {} after {} graphs, expected a graph", line.head, graphs_));
  }
  if (line.head == "layout") return TakeLayout(std::move(line));
  if (line.head == "kernel") return TakeKernel(std::move(line));
  if (line.head == "buffer") return TakeBuffer(std::move(line));
  if (line.head == "memory") return TakeMemory(std::move(line));
  return InvalidInput(
      fmt::format("found {}, expected layout, kernel, buffer or memory", line.head));
}

absl::StatusOr<OpId> Parser::OpOf(const FieldLine& line) const {
  const std::string name = line.subjects.empty() ? "" : line.subjects.front();
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  return InvalidInput(
      fmt::format("{}: found \"{}\", expected an op of the graph", line.head, name));
}

absl::Status Parser::Header(FieldLine line) {
  if (line.head != "program") {
    return InvalidInput(fmt::format("found {}, expected program", line.head));
  }
  has_header_ = true;
  FieldReader fields(std::move(line), names_);
  HeaderFields(fields, text_.context, text_.program);
  return fields.Finish();
}

absl::Status Parser::TakeLayout(FieldLine line) {
  TW_ASSIGN_OR_RETURN(const OpId op, OpOf(line));
  Program& program = text_.program;
  if (op != static_cast<OpId>(program.layouts.size())) {
    return InvalidInput("found a layout out of the order of the ops");
  }
  struct Tile {
    std::vector<int64_t> sizes;
  } tile;
  Layout layout;
  FieldReader fields(std::move(line), names_);
  fields.Sizes("order", layout, &Layout::minor_to_major);
  fields.Plain("on_chip", layout, &Layout::on_chip);
  fields.Sizes("tile", tile, &Tile::sizes);
  TW_RETURN_IF_ERROR(fields.Finish());
  std::vector<int64_t> sorted = layout.minor_to_major;
  std::sort(sorted.begin(), sorted.end());
  bool is_order = static_cast<int64_t>(sorted.size()) == program.graph.op(op).shape.rank();
  for (size_t i = 0; i < sorted.size(); ++i) {
    is_order = is_order && sorted[i] == static_cast<int64_t>(i);
  }
  if (!is_order) {
    return InvalidInput("found an order that does not name each dim once");
  }
  const auto is_size = [](int64_t size) { return size >= 1 && size <= kLargestTile; };
  if (tile.sizes.size() != 2 || !is_size(tile.sizes[0]) || !is_size(tile.sizes[1])) {
    return InvalidInput(
        fmt::format("expected tile={{sublanes,lanes}}, each from 1 to {}", kLargestTile));
  }
  layout.tile_sublanes = tile.sizes[0];
  layout.tile_lanes = tile.sizes[1];
  program.layouts.push_back(std::move(layout));
  return absl::OkStatus();
}

absl::Status Parser::TakeKernel(FieldLine line) {
  Kernel kernel;
  if (!line.subjects.empty()) kernel.name = line.subjects.front();
  FieldReader fields(std::move(line), names_);
  KernelFields(fields, kernel);
  TW_RETURN_IF_ERROR(fields.Finish());
  if (kernel.root == kNoOp) return InvalidInput("found a kernel without root");
  if (!kernel.traffic.empty() && kernel.traffic.size() != kernel.inputs.size()) {
    return InvalidInput(fmt::format("found traffic of {} inputs, expected {}",
                                    kernel.traffic.size(), kernel.inputs.size()));
  }
  text_.program.kernels.push_back(std::move(kernel));
  return absl::OkStatus();
}

absl::Status Parser::TakeBuffer(FieldLine line) {
  Buffer buffer;
  TW_ASSIGN_OR_RETURN(buffer.value, OpOf(line));
  FieldReader fields(std::move(line), names_);
  BufferFields(fields, buffer);
  TW_RETURN_IF_ERROR(fields.Finish());
  text_.program.buffers.push_back(buffer);
  return absl::OkStatus();
}

absl::Status Parser::TakeMemory(FieldLine line) {
  if (has_memory_) return InvalidInput("found memory twice, expected once");
  has_memory_ = true;
  Memory& memory = text_.program.memory;
  FieldReader fields(std::move(line), names_);
  MemoryFields(fields, memory);
  TW_RETURN_IF_ERROR(fields.Finish());
  return absl::OkStatus();
}

absl::StatusOr<ProgramText> Parser::Finish() && {
  const Program& program = text_.program;
  const size_t ops = program.graph.size();
  const size_t layouts = program.layouts.size();
  if (!has_header_ || graphs_ != 2 || in_graph() || !has_memory_) {
    return InvalidInput(
        fmt::format("line {}: found the end of the text, expected a graph or memory", line_));
  }
  const bool needs_layouts = !program.kernels.empty() || !program.buffers.empty();
  if (layouts != ops && (layouts != 0 || needs_layouts)) {
    return InvalidInput(fmt::format("found {} layouts, expected {}", layouts, ops));
  }
  return std::move(text_);
}

}  // namespace

bool IsProgramText(std::string_view text) { return text.starts_with(kFirstWords); }

absl::StatusOr<ProgramText> ParseProgram(std::string_view text) {
  Parser parser;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    TW_RETURN_IF_ERROR(parser.TakeLine(text.substr(0, end), ++number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(parser).Finish();
}

}  // namespace tilewise
