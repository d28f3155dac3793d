// Knows HLO files by their first words or fields.

#include "frontend/hlo/read_hlo.h"

#include <utility>

#include "frontend/hlo/read_proto.h"
#include "frontend/hlo/read_text.h"
#include "frontend/hlo/text_cursor.h"
#include "frontend/hlo/text_shape.h"

namespace tilewise::hlo {
namespace {

// A file that starts with comments longer than this is not looked into.
constexpr size_t kPrefix = size_t{1} << 20;

// "name = f32[8] add(": no other language writes that.
bool IsInstruction(TextCursor& cursor) {
  cursor.TakeWord("ROOT");
  if (cursor.Name().empty() || !cursor.Take('=')) return false;
  if (!ShapeReader::IsNext(cursor)) return false;
  HloShape shape;
  if (!ShapeReader().Read(cursor, shape)) return false;
  const std::string_view word = cursor.Name();
  return !word.empty() && cursor.Peek() == '(' &&
         (ParseOpcode(word) != Opcode::kUnknown || word.ends_with("-start"));
}

// "name {" or "name (a: f32[8]) -> f32[8] {" and an instruction after it.
bool IsComputation(TextCursor& cursor, bool is_entry) {
  if (cursor.Name().empty() && !is_entry) return false;
  if (cursor.PeekSign() == '(') {
    if (!cursor.SkipBalanced() || !cursor.Take('-') || !cursor.Take('>')) {
      return false;
    }
    if (!ShapeReader::IsNext(cursor) || !ShapeReader::Skip(cursor)) {
      return false;
    }
  }
  return cursor.Take('{') && IsInstruction(cursor);
}

std::string_view Prefix(const InputFile& file) { return file.bytes.substr(0, kPrefix); }

}  // namespace

bool LooksLikeHloText(const InputFile& file) {
  TextCursor cursor(Prefix(file));
  if (cursor.done()) return false;
  const char* start = cursor.at();
  if (cursor.TakeWord("HloModule")) {
    const char next = cursor.PeekSign();
    return next == '"' || next == '%' || IsHloNameChar(next);
  }
  if (cursor.TakeWord("ENTRY")) return IsComputation(cursor, true);
  if (IsInstruction(cursor)) return true;
  cursor = TextCursor(Prefix(file));
  cursor.SkipSpace();
  return cursor.at() == start && IsComputation(cursor, false);
}

bool LooksLikeHloProto(const InputFile& file) { return ModuleDepth(file.bytes).has_value(); }

bool LooksLikeHloTextproto(const InputFile& file) {
  return TextModuleDepth(Prefix(file)).has_value();
}

absl::StatusOr<std::vector<Module>> ReadModules(const InputFile& file) {
  std::vector<Module> modules;
  if (LooksLikeHloProto(file)) {
    TW_ASSIGN_OR_RETURN(Module module, ReadHloProto(file.bytes));
    modules.push_back(std::move(module));
    return modules;
  }
  if (LooksLikeHloTextproto(file)) {
    TW_ASSIGN_OR_RETURN(Module module, ReadHloTextProto(file.bytes));
    modules.push_back(std::move(module));
    return modules;
  }
  return ReadHloText(file.bytes);
}

void FuzzHloText(std::string_view bytes) { (void)ReadHloText(bytes).ok(); }

void FuzzHloProto(std::string_view bytes) { (void)ReadHloProto(bytes).ok(); }

void FuzzHloTextproto(std::string_view bytes) { (void)ReadHloTextProto(bytes).ok(); }

}  // namespace tilewise::hlo
