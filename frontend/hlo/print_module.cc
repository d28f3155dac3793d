// Writes a module as HLO text: one instruction a line, computations in their
// order. Names that are empty or taken get a number.

#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "frontend/hlo/print.h"
#include "frontend/hlo/print_values.h"

namespace tilewise::hlo {
namespace {

// Names as they are printed, unique among those given out so far.
class Names {
 public:
  std::string Give(std::string_view wanted) {
    const std::string stem(wanted.empty() ? "unnamed" : wanted);
    std::string name = stem;
    // The next number to try for the stem, so that many alike cost no more.
    for (int64_t* next = nullptr; !numbers_.try_emplace(name, 1).second;) {
      if (next == nullptr) next = &numbers_[stem];
      name = fmt::format("{}.{}", stem, (*next)++);
    }
    return name;
  }

 private:
  std::unordered_map<std::string, int64_t> numbers_;  // never iterated
};

class ModulePrinter {
 public:
  explicit ModulePrinter(const Module& module) : module_(module) {}

  std::string Print() {
    Names names;
    computations_.reserve(module_.computations.size());
    for (const Computation& computation : module_.computations) {
      computations_.push_back(names.Give(computation.name));
    }
    Header();
    for (size_t i = 0; i < module_.computations.size(); ++i) {
      Print(module_.computations[i], i);
    }
    return std::move(text_);
  }

 private:
  void Header() {
    text_ += "HloModule ";
    // A name stands without the % of others here.
    std::string name;
    AppendName(module_.name.empty() ? "module" : module_.name, name);
    text_ += name.substr(1);
    if (module_.is_scheduled) text_ += ", is_scheduled=true";
    if (!module_.aliases.empty()) Aliases();
    if (module_.replica_count != 1) {
      text_ += fmt::format(", replica_count={}", module_.replica_count);
    }
    if (module_.num_partitions != 1) {
      text_ += fmt::format(", num_partitions={}", module_.num_partitions);
    }
    if (!module_.frontend.empty()) {
      AppendFrontendAttributes(module_.frontend, text_);
    }
    text_ += "\n";
  }

  void Aliases() {
    text_ += ", input_output_alias={";
    for (size_t i = 0; i < module_.aliases.size(); ++i) {
      const Alias& alias = module_.aliases[i];
      text_ += i == 0 ? " " : ", ";
      AppendIntegers(alias.output, text_);
      text_ += fmt::format(": ({}, ", alias.parameter);
      AppendIntegers(alias.index, text_);
      text_ += ", may-alias)";
    }
    text_ += " }";
  }

  void Print(const Computation& computation, size_t number) {
    text_ += '\n';
    if (static_cast<int32_t>(number) == module_.entry) text_ += "ENTRY ";
    AppendName(computations_[number], text_);
    text_ += " {\n";
    Names names;
    values_.clear();
    values_.reserve(computation.instructions.size());
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const Instruction& instruction = computation.instructions[i];
      values_.push_back(names.Give(instruction.name));
      text_ += static_cast<int32_t>(i) == computation.root ? "  ROOT " : "  ";
      AppendName(values_.back(), text_);
      text_ += " = ";
      Print(instruction);
      text_ += '\n';
    }
    text_ += "}\n";
  }

  void Print(const Instruction& instruction) {
    AppendShape(instruction.shape, text_);
    text_ += ' ';
    AppendPlain(instruction.opcode == Opcode::kUnknown ? instruction.more().opcode_text
                                                       : OpcodeName(instruction.opcode),
                text_);
    text_ += '(';
    if (instruction.opcode == Opcode::kParameter) {
      text_ += std::to_string(instruction.index);
    } else if (instruction.opcode == Opcode::kConstant) {
      AppendLiteral(instruction.literal, instruction.shape, text_);
    }
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      if (i > 0) text_ += ", ";
      AppendName(values_[instruction.operands[i]], text_);
    }
    text_ += ')';
    Called(instruction);
    AppendAttributes(instruction, text_);
  }

  void Call(std::string_view attribute, const Instruction& instruction, size_t slot) {
    text_ += fmt::format(", {}=", attribute);
    AppendName(computations_[instruction.called[slot]], text_);
  }

  void Called(const Instruction& instruction) {
    const size_t count = instruction.called.size();
    const Opcode opcode = instruction.opcode;
    if (count == 0) return;
    if (opcode == Opcode::kWhile && count == 2) {
      Call("condition", instruction, 0);
      Call("body", instruction, 1);
    } else if (opcode == Opcode::kSelectAndScatter && count == 2) {
      Call("select", instruction, 0);
      Call("scatter", instruction, 1);
    } else if (count == 1 && opcode != Opcode::kConditional) {
      const bool calls = opcode == Opcode::kFusion || opcode == Opcode::kAsyncStart ||
                         opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
      Call(calls ? "calls" : "to_apply", instruction, 0);
    } else {
      text_ +=
          opcode == Opcode::kConditional ? ", branch_computations={" : ", called_computations={";
      for (size_t i = 0; i < count; ++i) {
        if (i > 0) text_ += ", ";
        AppendName(computations_[instruction.called[i]], text_);
      }
      text_ += '}';
    }
  }

  const Module& module_;
  std::string text_;
  std::vector<std::string> computations_;  // names
  std::vector<std::string> values_;        // names, of one computation
};

}  // namespace

std::string PrintModule(const Module& module) { return ModulePrinter(module).Print(); }

std::string PrintHlo(const Graph& graph) { return PrintModule(ModuleOf(graph)); }

}  // namespace tilewise::hlo
