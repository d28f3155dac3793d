// Tells XLA's module protobufs from each other and from all other files: the
// instructions of a module name opcodes.

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend/hlo/hlo.pb.h"
#include "frontend/hlo/module.h"
#include "frontend/hlo/read_proto.h"

namespace tilewise::hlo {
namespace {

// Fields of a message by hand: bytes may end anywhere, and nothing throws.
class FieldWalk {
 public:
  explicit FieldWalk(std::string_view bytes) : rest_(bytes) {}

  // The next field; false at the end or where this is no message.
  bool Next() {
    uint64_t key = 0;
    if (rest_.empty() || !Varint(key)) return false;
    number_ = static_cast<int64_t>(key >> 3);
    payload_ = {};
    uint64_t size = 0;
    switch (key & 7) {
      case 0:
        return number_ > 0 && Varint(size);
      case 1:
        size = 8;
        break;
      case 2:
        if (!Varint(size)) return false;
        payload_ = rest_.substr(0, size);
        break;
      case 5:
        size = 4;
        break;
      default:
        return false;
    }
    rest_ = size < rest_.size() ? rest_.substr(size) : std::string_view();
    return number_ > 0;
  }
  int64_t number() const { return number_; }
  std::string_view payload() const { return payload_; }

 private:
  bool Varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 70 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      if (shift < 64) value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::string_view rest_;
  int64_t number_ = 0;
  std::string_view payload_;
};

// The first `number` field among the first few; "" when there is none.
std::string_view First(std::string_view message, int64_t number) {
  FieldWalk walk(message);
  for (int fields = 0; fields < 64 && walk.Next(); ++fields) {
    if (walk.number() == number) return walk.payload();
  }
  return {};
}

bool IsModule(std::string_view bytes) {
  const std::string_view computation = First(bytes, wire::HloModuleProto::kComputationsFieldNumber);
  const std::string_view instruction =
      First(computation, wire::HloComputationProto::kInstructionsFieldNumber);
  const std::string_view opcode = First(instruction, wire::HloInstructionProto::kOpcodeFieldNumber);
  return ParseOpcode(opcode) != Opcode::kUnknown;
}

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Blanks and comments from # to the end of the line.
void SkipBlanks(std::string_view& text) {
  while (!text.empty()) {
    if (IsBlank(text[0])) {
      text.remove_prefix(1);
    } else if (text[0] == '#') {
      const size_t newline = text.find('\n');
      text = newline == std::string_view::npos ? std::string_view() : text.substr(newline);
    } else {
      return;
    }
  }
}

// The name of the field that `text` starts with, which is taken off, when a
// value follows it; "" otherwise.
std::string_view FirstField(std::string_view& text) {
  SkipBlanks(text);
  size_t size = 0;
  while (size < text.size() && IsWordChar(text[size])) ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  SkipBlanks(text);
  const bool has_value = !text.empty() && (text[0] == ':' || text[0] == '{' || text[0] == '<');
  return has_value ? word : std::string_view();
}

// ": value" of a string without escapes or a number.
bool SkipScalar(std::string_view& text) {
  if (text.empty() || text[0] != ':') return false;
  text.remove_prefix(1);
  SkipBlanks(text);
  if (text.empty()) return false;
  const char quote = text[0];
  if (quote == '"' || quote == '\'') {
    const size_t close = text.find(quote, 1);
    if (close == std::string_view::npos) return false;
    text.remove_prefix(close + 1);
    return true;
  }
  while (!text.empty() && (IsWordChar(text[0]) || text[0] == '-')) {
    text.remove_prefix(1);
  }
  return true;
}

}  // namespace

std::optional<int> ModuleDepth(std::string_view bytes) {
  static_assert(static_cast<int>(wire::HloProto::kHloModuleFieldNumber) == 1);
  static_assert(static_cast<int>(wire::HloSnapshot::kHloFieldNumber) == 1);
  for (int depth = 0; depth < 3; ++depth) {
    if (IsModule(bytes)) return depth;
    bytes = First(bytes, wire::HloProto::kHloModuleFieldNumber);
  }
  return std::nullopt;
}

std::optional<int> TextModuleDepth(std::string_view text) {
  std::string_view field = FirstField(text);
  if (field == "hlo") return 2;
  if (field == "hlo_module") return 1;
  // Fields that may stand before the one that tells: name: "x", id: 7.
  for (int fields = 0; fields < 8; ++fields) {
    if (field == "computations" || field == "entry_computation_name" ||
        field == "host_program_shape" || field == "entry_computation_id") {
      return 0;
    }
    if ((field != "name" && field != "id") || !SkipScalar(text)) break;
    field = FirstField(text);
  }
  return std::nullopt;
}

}  // namespace tilewise::hlo
