// Reads computations of HLO text, one pass over the bytes.

#include "frontend/hlo/text_computation.h"

#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "frontend/hlo/text_literal.h"

namespace tilewise::hlo {
namespace {

// Instructions in the place of operands, and computations in the place of
// names, stand at most this deep.
constexpr int kMaxNesting = 64;

// "slice-start" -> "slice" and "-start", of operations that have no such form
// of their own; an empty part for all others.
std::string_view AsyncPart(std::string_view word) {
  for (const std::string_view part : {"-start", "-update", "-done"}) {
    if (!word.ends_with(part)) continue;
    const Opcode wrapped = ParseOpcode(word.substr(0, word.size() - part.size()));
    return wrapped == Opcode::kUnknown ? std::string_view() : part;
  }
  return {};
}

}  // namespace

ComputationReader::ComputationReader(TextCursor& cursor, ShapeReader& shapes, Module& module,
                                     const StackFrames& frames)
    : cursor_(cursor),
      shapes_(shapes),
      module_(module),
      attributes_(cursor, module, frames, [this](int32_t& at) { return ReadInline(at); }) {}

bool ComputationReader::ReadNamed(std::string_view name, const char* at, bool is_entry) {
  if (cursor_.PeekSign() == '(' && !cursor_.SkipBalanced()) return false;
  if (cursor_.PeekSign() == '-') {
    cursor_.Take('-');
    if (!cursor_.Expect('>') || !ShapeReader::Skip(cursor_)) return false;
  }
  if (is_entry && has_entry_) {
    return cursor_.FailAt(at, "found a second ENTRY, expected one in a module");
  }
  Scope scope;
  scope.computation.name = name;
  if (!cursor_.Expect('{') || !ReadBody(scope)) return false;
  const int32_t number = AddComputation(std::move(scope));
  places_.back() = at;
  const auto [known, is_new] = computations_.emplace(name, number);
  if (!is_new) {
    return cursor_.FailAt(at, fmt::format("found a second computation named {}", name));
  }
  if (is_entry) {
    has_entry_ = true;
    module_.entry = number;
  }
  while (cursor_.Take(',')) {  // execution_thread="..."
    cursor_.ExpectName("an attribute of a computation");
    if (!cursor_.Expect('=')) return false;
    cursor_.SkipValue();
  }
  return cursor_.ok();
}

bool ComputationReader::ReadBare() {
  if (has_entry_) {
    return cursor_.Fail("found an instruction outside of a computation");
  }
  Scope scope;
  scope.is_bare = true;
  scope.computation.name = "entry";
  while (true) {
    const char* before = cursor_.at();
    if (cursor_.done()) break;
    const bool is_root = cursor_.TakeWord("ROOT");
    const std::string_view name = cursor_.Name();
    const bool goes_on = is_root || (!name.empty() && cursor_.Take('='));
    cursor_.Return(before);
    if (!goes_on) break;
    if (!ReadInstruction(scope)) return false;
  }
  has_entry_ = true;
  module_.entry = AddComputation(std::move(scope));
  return cursor_.ok();
}

bool ComputationReader::ReadBody(Scope& scope) {
  const char* start = cursor_.at();
  const size_t lines = cursor_.LinesToBrace();
  scope.computation.instructions.reserve(lines);
  scope.values.Reserve(lines);
  while (cursor_.PeekSign() != '}') {
    if (!ReadInstruction(scope)) return false;
  }
  cursor_.Take('}');
  if (!scope.computation.instructions.empty()) return cursor_.ok();
  return cursor_.FailAt(
      start, fmt::format("found computation {} without instructions", scope.computation.name));
}

bool ComputationReader::ReadInline(int32_t& computation) {
  if (++inline_depth_ > kMaxNesting) {
    return cursor_.Fail(
        fmt::format("found computations inside each other more than {} deep", kMaxNesting));
  }
  Scope scope;
  scope.computation.name = "inline";
  if (!cursor_.Expect('{') || !ReadBody(scope)) return false;
  computation = AddComputation(std::move(scope));
  --inline_depth_;
  return true;
}

bool ComputationReader::ReadInstruction(Scope& scope) {
  const char* root_at = cursor_.at();
  bool is_root = cursor_.TakeWord("ROOT");
  if (is_root && cursor_.PeekSign() == '=') {  // a value of that name
    is_root = false;
    cursor_.Return(root_at);
  }
  Start start;
  cursor_.SkipSpace();
  start.at = cursor_.at();
  start.name = cursor_.ExpectName("an instruction such as %x = f32[8] ...");
  if (!cursor_.ok() || !cursor_.Expect('=')) return false;
  if (!shapes_.Read(cursor_, start.shape)) return false;
  const std::string_view name = start.name;
  const char* at = start.at;
  if (++instructions_ > kMostInstructions) {
    return cursor_.FailAt(at, fmt::format("found more than {} instructions, expected a module of "
                                          "at most that",
                                          FormatCount(kMostInstructions)));
  }
  int32_t number = 0;
  if (!ReadOperation(scope, std::move(start), number)) return false;
  if (is_root && scope.has_root) {
    return cursor_.FailAt(at, "found a second ROOT in a computation");
  }
  if (is_root) {
    scope.has_root = true;
    scope.computation.root = number;
  }
  return Define(scope, name, at);
}

bool ComputationReader::Define(Scope& scope, std::string_view name, const char* at) {
  const auto number = static_cast<int32_t>(scope.computation.instructions.size()) - 1;
  const int32_t known = scope.values.Insert(name, number);
  if (known < 0) return true;
  const size_t first = known;
  return cursor_.FailAt(at, fmt::format("found a second value named {}, the first is in line {}",
                                        name, scope.computation.instructions[first].line));
}

bool ComputationReader::ReadOperation(Scope& scope, Start start, int32_t& number) {
  Instruction instruction;
  instruction.line = cursor_.LineOf(start.at);
  instruction.name = start.name;
  instruction.shape = std::move(start.shape);
  const std::string_view word = cursor_.ExpectName("an operation");
  if (!cursor_.ok()) return false;
  if (instruction.name.empty()) {
    instruction.name = module_.texts.emplace_back(
        fmt::format("{}.{}", word, scope.computation.instructions.size()));
  }
  instruction.opcode = ParseOpcode(word);
  std::string_view part;
  if (instruction.opcode == Opcode::kUnknown) {
    part = AsyncPart(word);
    if (part.empty()) {
      instruction.Extras().opcode_text = word;
    } else {
      instruction.opcode = ParseOpcode(word.substr(0, word.size() - part.size()));
    }
  }
  if (!cursor_.Expect('(')) return false;
  std::vector<CalledName> called;
  if (instruction.opcode == Opcode::kConstant) {
    if (!ReadLiteral(cursor_, instruction.shape, *instruction.literal)) {
      return false;
    }
  } else if (instruction.opcode == Opcode::kParameter) {
    if (!cursor_.Integer(instruction.index)) return false;
    if (instruction.index < 0) return cursor_.Fail("found a parameter below 0");
    if (!cursor_.Expect(')')) return false;
  } else if (!ReadOperands(scope, instruction, start.depth)) {
    return false;
  }
  if (cursor_.PeekSign() == ',' && start.depth == 0 && !attributes_.Read(instruction, called)) {
    return false;
  }
  if (!part.empty() && !Wrap(scope, instruction, called, part)) return false;
  number = Add(scope, std::move(instruction), called);
  return cursor_.ok();
}

bool ComputationReader::ReadOperands(Scope& scope, Instruction& instruction, int depth) {
  const size_t base = operands_.size();
  while (cursor_.PeekSign() != ')') {
    if (operands_.size() > base && !cursor_.Expect(',')) return false;
    int32_t operand = 0;
    if (!ReadOperand(scope, depth, operand)) return false;
    operands_.push_back(operand);
  }
  cursor_.Take(')');
  instruction.operands.assign(operands_.begin() + static_cast<ptrdiff_t>(base), operands_.end());
  operands_.resize(base);
  return cursor_.ok();
}

bool ComputationReader::ReadOperand(Scope& scope, int depth, int32_t& number) {
  cursor_.SkipSpace();
  const char* shape_at = nullptr;
  if (cursor_.Peek() != '%' && ShapeReader::IsNext(cursor_)) {
    shape_at = cursor_.at();
    if (!ShapeReader::Skip(cursor_)) return false;
    cursor_.SkipSpace();
  }
  const char* at = cursor_.at();
  const std::string_view name = cursor_.ExpectName("an operand");
  if (!cursor_.ok()) return false;
  if (shape_at != nullptr && cursor_.Peek() == '(') {
    if (depth == kMaxNesting) {
      return cursor_.Fail(
          fmt::format("found operations inside each other more than {} deep", depth));
    }
    Start start;
    start.at = shape_at;
    start.depth = depth + 1;
    cursor_.Return(shape_at);
    return shapes_.Read(cursor_, start.shape) && ReadOperation(scope, std::move(start), number);
  }
  number = scope.values.Find(name);
  return number >= 0 || MissingOperand(scope, name, at, shape_at, number);
}

bool ComputationReader::MissingOperand(Scope& scope, std::string_view name, const char* at,
                                       const char* shape_at, int32_t& number) {
  if (!scope.is_bare || shape_at == nullptr) {
    return cursor_.FailAt(at, fmt::format("found operand {}, expected the name of a value that "
                                          "stands above",
                                          name));
  }
  Instruction parameter;
  parameter.name = name;
  parameter.opcode = Opcode::kParameter;
  for (const Instruction& i : scope.computation.instructions) {
    parameter.index += i.opcode == Opcode::kParameter ? 1 : 0;
  }
  const char* after = cursor_.at();
  cursor_.Return(shape_at);
  if (!shapes_.Read(cursor_, parameter.shape)) return false;
  cursor_.Return(after);
  parameter.line = cursor_.LineOf(shape_at);
  std::vector<CalledName> none;
  number = Add(scope, std::move(parameter), none);
  return Define(scope, name, at);
}

int32_t ComputationReader::Add(Scope& scope, Instruction instruction,
                               std::vector<CalledName>& called) {
  std::vector<Instruction>& all = scope.computation.instructions;
  const auto number = static_cast<int32_t>(all.size());
  for (const CalledName& callee : called) {
    if (callee.slot >= instruction.called.size()) {
      instruction.called.resize(callee.slot + 1, -1);
    }
    if (callee.computation >= 0) {
      instruction.called[callee.slot] = callee.computation;
    }
    scope.references.push_back({0, number, callee});
  }
  called.clear();
  all.push_back(std::move(instruction));
  return number;
}

bool ComputationReader::Wrap(Scope& scope, Instruction& instruction,
                             std::vector<CalledName>& called, std::string_view part) {
  Instruction outer;
  outer.name = instruction.name;
  outer.line = instruction.line;
  outer.shape = instruction.shape;
  outer.metadata = instruction.metadata;
  outer.operands = instruction.operands;
  if (part != "-start") {
    outer.opcode = part == "-done" ? Opcode::kAsyncDone : Opcode::kAsyncUpdate;
    called.clear();
    instruction = std::move(outer);
    return true;
  }
  outer.opcode = Opcode::kAsyncStart;
  // ((operands), result, context..)
  const std::vector<HloShape>& parts = outer.shape.elements;
  if (parts.size() > 1) instruction.shape = parts[1];
  Scope wrapped;
  wrapped.computation.name = instruction.name;
  std::vector<CalledName> none;
  for (size_t i = 0; i < outer.operands.size(); ++i) {
    const size_t at = outer.operands[i];
    Instruction parameter;
    parameter.opcode = Opcode::kParameter;
    parameter.name = scope.computation.instructions[at].name;
    parameter.shape = scope.computation.instructions[at].shape;
    parameter.index = static_cast<int64_t>(i);
    parameter.line = instruction.line;
    instruction.operands[i] = Add(wrapped, std::move(parameter), none);
  }
  wrapped.has_root = true;
  wrapped.computation.root = Add(wrapped, std::move(instruction), called);
  outer.called = {AddComputation(std::move(wrapped))};
  instruction = std::move(outer);
  return true;
}

int32_t ComputationReader::AddComputation(Scope scope) {
  const auto number = static_cast<int32_t>(module_.computations.size());
  for (Reference& reference : scope.references) {
    reference.computation = number;
    references_.push_back(reference);
  }
  if (!scope.has_root) {
    scope.computation.root = static_cast<int32_t>(scope.computation.instructions.size()) - 1;
  }
  module_.computations.push_back(std::move(scope.computation));
  places_.push_back(nullptr);
  return number;
}

}  // namespace tilewise::hlo
