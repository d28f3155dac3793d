// Writes a program as text.

#include <fmt/format.h>

#include "graph/text.h"
#include "sim/lowering/text.h"
#include "sim/lowering/text_fields.h"

namespace tilewise {
namespace {

std::string Plainly(int64_t value) { return fmt::format("{}", value); }
std::string Plainly(int value) { return fmt::format("{}", value); }
std::string Plainly(double value) { return fmt::format("{}", value); }
std::string Plainly(Bytes value) { return fmt::format("{}", value.value); }
template <class Tag>
std::string Plainly(Id<Tag> id) {
  return fmt::format("{}", id);
}
std::string Plainly(bool value) { return value ? "true" : "false"; }
std::string Plainly(const std::string& value) { return NameText(value); }

// ", key=value" for each field that has not its default.
class FieldWriter {
 public:
  FieldWriter(const Graph& graph, std::string& text) : graph_(graph), text_(text) {}

  template <class Object, class Type>
  void Plain(std::string_view key, const Object& object, Type Object::*field) {
    if (object.*field == Object{}.*field) return;
    Add(key, Plainly(object.*field));
  }
  template <class Object, class AnId>
  void Number(std::string_view key, const Object& object, AnId Object::*field) {
    Plain(key, object, field);
  }
  template <class Object, class Type, class Name>
  void Word(std::string_view key, const Object& object, Type Object::*field, Name name, int) {
    if (object.*field == Object{}.*field) return;
    Add(key, NameText(name(object.*field)));
  }
  template <class Object>
  void Op(std::string_view key, const Object& object, OpId Object::*field) {
    if (object.*field != kNoOp) Add(key, NameOf(object.*field));
  }
  template <class Object>
  void Ops(std::string_view key, const Object& object, std::vector<OpId> Object::*field) {
    std::string names;
    for (const OpId id : object.*field) {
      names += (names.empty() ? "" : ",") + NameOf(id);
    }
    AddList(key, names);
  }
  // Pairs of both numbers.
  template <class Object>
  void Traffic(std::string_view key, const Object& object,
               std::vector<InputTraffic> Object::*field) {
    std::string pairs;
    for (const InputTraffic& traffic : object.*field) {
      pairs += fmt::format("{}{},{}", pairs.empty() ? "" : ",", traffic.times,
                           traffic.first_window.value);
    }
    AddList(key, pairs);
  }

 private:
  std::string NameOf(OpId id) const { return NameText(graph_.op(id).name); }
  void Add(std::string_view key, std::string_view value) {
    text_ += fmt::format(", {}={}", key, value);
  }
  void AddList(std::string_view key, std::string_view values) {
    if (!values.empty()) text_ += fmt::format(", {}={{{}}}", key, values);
  }

  const Graph& graph_;
  std::string& text_;
};

void PrintLayouts(const Program& program, std::string& text) {
  for (size_t i = 0; i < program.layouts.size(); ++i) {
    const Layout& layout = program.layouts[i];
    text += fmt::format("layout {}, order={{{}}}, tile={{{},{}}}{}\n",
                        NameText(program.graph.op(static_cast<OpId>(i)).name),
                        fmt::join(layout.minor_to_major, ","), layout.tile_sublanes,
                        layout.tile_lanes, layout.on_chip ? ", on_chip=true" : "");
  }
}

}  // namespace

ProgramContext ContextOf(std::string_view pass, const Target& target, Graph source) {
  return {.pass = std::string(pass),
          .chip = target.chip.name,
          .host = target.host.name,
          .cores = target.cores,
          .mesh = target.mesh,
          .source = std::move(source)};
}

std::string PrintProgram(const Program& program, const ProgramContext& context) {
  std::string text = "program";
  FieldWriter fields(program.graph, text);
  HeaderFields(fields, context, program);
  text += '\n' + PrintGraph(context.source) + PrintGraph(program.graph);
  PrintLayouts(program, text);
  for (const Kernel& kernel : program.kernels) {
    text += "kernel " + NameText(kernel.name);
    KernelFields(fields, kernel);
    text += '\n';
  }
  for (const Buffer& buffer : program.buffers) {
    text += "buffer " + NameText(program.graph.op(buffer.value).name);
    BufferFields(fields, buffer);
    text += '\n';
  }
  text += "memory";
  MemoryFields(fields, program.memory);
  return text + '\n';
}

}  // namespace tilewise
