// Reads what instructions say besides what they compute: metadata, sharding,
// frontend attributes and their strings.

#include <array>
#include <limits>

#include <fmt/format.h>

#include "frontend/hlo/text_values.h"

namespace tilewise::hlo {
namespace {

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Reads up to `most` digits of `base` at `at`, which it moves past them.
char NumberedChar(std::string_view text, size_t& at, int base, size_t most) {
  int value = 0;
  for (size_t i = 0; i < most && at < text.size() && Digit(text[at]) < base; ++i) {
    value = value * base + Digit(text[at++]);
  }
  return static_cast<char>(value);
}

std::string WithoutEscapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c != '\\' || at == text.size()) {
      plain += c;
      continue;
    }
    const char escaped = text[at];
    if (escaped >= '0' && escaped <= '7') {
      plain += NumberedChar(text, at, 8, 3);
      continue;
    }
    ++at;
    switch (escaped) {
      case 'n':
        plain += '\n';
        break;
      case 't':
        plain += '\t';
        break;
      case 'r':
        plain += '\r';
        break;
      case 'x':
        plain += NumberedChar(text, at, 16, 2);
        break;
      default:
        plain += escaped;
    }
  }
  return plain;
}

bool ReadSmall(TextCursor& cursor, int32_t& number) {
  int64_t value = 0;
  if (!cursor.Integer(value)) return false;
  const bool fits = value >= 0 && value <= std::numeric_limits<int32_t>::max();
  number = fits ? static_cast<int32_t>(value) : 0;
  return true;
}

// The part of a sharding inside its braces.
bool ReadShardingParts(TextCursor& cursor, Sharding& sharding) {
  while (cursor.PeekSign() != '}') {
    const std::string_view word = cursor.Name();
    if (word == "replicated") {
      sharding.kind = Sharding::Kind::kReplicated;
    } else if (word == "manual") {
      sharding.kind = Sharding::Kind::kManual;
    } else if (word == "maximal") {
      sharding.kind = Sharding::Kind::kMaximal;
    } else if (word == "last_tile_dim_replicate") {
      sharding.last_dim_replicated = true;
    } else if (word == "devices") {
      sharding.kind = Sharding::Kind::kTiled;
      if (!cursor.Expect('=') || !cursor.Expect('[')) return false;
      while (cursor.PeekSign() != ']') {
        if (!sharding.tiles.empty() && !cursor.Expect(',')) return false;
        if (!cursor.Integer(sharding.tiles.emplace_back())) return false;
      }
      cursor.Take(']');
      // The devices: a list of numbers, or <=[..] and a transposition.
      while (cursor.Peek() != ' ' && cursor.Peek() != '}') {
        const char* before = cursor.at();
        cursor.SkipValue();
        if (cursor.Peek() == ',') cursor.Take(',');
        if (!cursor.ok() || cursor.at() == before) return false;
        // SkipValue runs to a comma: the words after the devices with it.
        const std::string_view seen(before, cursor.at() - before);
        sharding.last_dim_replicated =
            sharding.last_dim_replicated ||
            seen.find("last_tile_dim_replicate") != std::string_view::npos;
      }
    } else if (word.empty() && cursor.Peek() == ',') {
      cursor.Take(',');
    } else {
      if (word.empty()) return false;
      if (cursor.Take('=')) cursor.SkipValue();
      if (!cursor.ok()) return false;
    }
  }
  return true;
}

}  // namespace

bool ReadString(TextCursor& cursor, Module& module, std::string_view& text) {
  if (cursor.PeekSign() != '"') return cursor.FailExpected("a string");
  if (!cursor.Quoted(text)) return false;
  if (text.find('\\') == std::string_view::npos) return true;
  text = module.texts.emplace_back(WithoutEscapes(text));
  return true;
}

Sharding ParseSharding(std::string_view text) {
  Sharding sharding;
  TextCursor cursor(text);
  int depth = 0;
  while (cursor.Take('{')) ++depth;
  const bool one = depth <= 2;
  if (!one || !ReadShardingParts(cursor, sharding)) sharding = Sharding();
  if (depth == 2) {
    // A tuple: of one element it is that element's, of more it is no one's.
    cursor.Take('}');
    if (cursor.PeekSign() != '}') sharding = Sharding();
  }
  sharding.text = text;
  return sharding;
}

bool ReadSharding(TextCursor& cursor, InstructionExtras& extras) {
  Sharding& sharding = *extras.sharding;
  if (cursor.PeekSign() != '{') {
    sharding.text = cursor.SkipValue();
    return cursor.ok();
  }
  const char* start = cursor.at();
  if (!cursor.SkipBalanced()) return false;
  sharding = ParseSharding({start, static_cast<size_t>(cursor.at() - start)});
  return true;
}

bool ReadMetadata(TextCursor& cursor, Module& module, const StackFrames& frames,
                  Metadata& metadata) {
  if (!cursor.Expect('{')) return false;
  int64_t frame = 0;
  while (cursor.PeekSign() != '}') {
    const std::string_view key = cursor.ExpectName("a key of metadata");
    if (!cursor.ok() || !cursor.Expect('=')) return false;
    bool read = true;
    if (key == "op_name") {
      read = ReadString(cursor, module, metadata.op_name);
    } else if (key == "op_type") {
      read = ReadString(cursor, module, metadata.op_type);
    } else if (key == "source_file") {
      read = ReadString(cursor, module, metadata.source_file);
    } else if (key == "source_line") {
      read = ReadSmall(cursor, metadata.source_line);
    } else if (key == "source_column") {
      read = ReadSmall(cursor, metadata.source_column);
    } else if (key == "stack_frame_id") {
      read = cursor.Integer(frame);
    } else if (cursor.PeekSign() == '"') {
      std::string_view skipped;
      read = cursor.Quoted(skipped);
    } else if (cursor.Peek() == '{') {
      read = cursor.SkipBalanced();
    } else {
      cursor.SkipWord();
    }
    if (!read) return false;
    cursor.Take(',');
  }
  if (frame != 0) frames.Locate(frame, metadata);
  return cursor.Expect('}');
}

bool ReadFrontendAttributes(
    TextCursor& cursor, Module& module,
    std::vector<std::pair<std::string_view, std::string_view>>& attributes) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    std::string_view key;
    std::string_view value;
    if (cursor.Peek() == '"') {
      if (!ReadString(cursor, module, key)) return false;
    } else {
      key = cursor.ExpectName("a key of frontend attributes");
    }
    if (!cursor.ok() || !cursor.Expect('=')) return false;
    if (cursor.PeekSign() == '"') {
      if (!ReadString(cursor, module, value)) return false;
    } else {
      value = cursor.SkipValue();
      if (!cursor.ok()) return false;
    }
    attributes.emplace_back(key, value);
    cursor.Take(',');
  }
  return cursor.Expect('}');
}

}  // namespace tilewise::hlo
