// Reads the header of a module and its tables of source locations.

#include "frontend/hlo/text_header.h"

#include "frontend/hlo/text_values.h"

namespace tilewise::hlo {
namespace {

// {1, 0}, or {} for a whole argument or result.
bool ReadAlias(TextCursor& cursor, Alias& alias) {
  if (!cursor.IntegerList(alias.output) || !cursor.Expect(':') || !cursor.Expect('(') ||
      !cursor.Integer(alias.parameter)) {
    return false;
  }
  if (cursor.Take(',') && !cursor.IntegerList(alias.index)) return false;
  if (cursor.Take(',')) cursor.SkipValue();
  return cursor.Expect(')');
}

bool ReadAliases(TextCursor& cursor, std::vector<Alias>& aliases) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    if (!aliases.empty() && !cursor.Expect(',')) return false;
    if (!ReadAlias(cursor, aliases.emplace_back())) return false;
  }
  return cursor.Expect('}');
}

// {(3, {}), (4, {1})}.
bool ReadDonors(TextCursor& cursor, Module& module) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    if (!module.donors.empty() && !cursor.Expect(',')) return false;
    auto& [parameter, index] = module.donors.emplace_back();
    if (!cursor.Expect('(') || !cursor.Integer(parameter)) return false;
    if (cursor.Take(',') && !cursor.IntegerList(index)) return false;
    if (!cursor.Expect(')')) return false;
  }
  return cursor.Expect('}');
}

bool ReadHeaderPart(TextCursor& cursor, std::string_view key, Module& module) {
  if (key == "num_partitions") return cursor.Integer(module.num_partitions);
  if (key == "replica_count") return cursor.Integer(module.replica_count);
  if (key == "input_output_alias") return ReadAliases(cursor, module.aliases);
  if (key == "buffer_donor") return ReadDonors(cursor, module);
  if (key == "frontend_attributes") {
    return ReadFrontendAttributes(cursor, module, module.frontend);
  }
  const std::string_view value = cursor.SkipValue();
  if (key == "is_scheduled") module.is_scheduled = value.starts_with("true");
  return cursor.ok();
}

// One row of numbers: {file_name_id=1 line=7 ..}.
bool ReadRow(TextCursor& cursor, StackFrames::FileLocation& location, int64_t& frame) {
  if (!cursor.Expect('{')) return false;
  while (cursor.PeekSign() != '}') {
    const std::string_view key = cursor.ExpectName("a key of a source place");
    int64_t value = 0;
    if (!cursor.ok() || !cursor.Expect('=') || !cursor.Integer(value)) {
      return false;
    }
    if (key == "file_name_id") location.file = value;
    if (key == "line") location.line = value;
    if (key == "column") location.column = value;
    if (key == "file_location_id") frame = value;
    cursor.Take(',');
  }
  return cursor.Expect('}');
}

}  // namespace

bool ReadHeader(TextCursor& cursor, Module& module) {
  cursor.SkipSpace();
  if (cursor.Peek() == '"') {
    if (!ReadString(cursor, module, module.name)) return false;
  } else {
    module.name = cursor.ExpectName("the name of a module");
  }
  cursor.Take(':');
  while (cursor.ok() && cursor.Take(',')) {
    const std::string_view key = cursor.ExpectName("a part of the header");
    if (!cursor.ok() || !cursor.Expect('=')) return false;
    if (!ReadHeaderPart(cursor, key, module)) return false;
  }
  return cursor.ok();
}

FrameTable TakeFrameTitle(TextCursor& cursor) {
  if (cursor.TakeWord("FileNames")) return FrameTable::kFiles;
  if (cursor.TakeWord("FunctionNames")) return FrameTable::kFunctions;
  if (cursor.TakeWord("FileLocations")) return FrameTable::kLocations;
  if (cursor.TakeWord("StackFrames")) return FrameTable::kFrames;
  return FrameTable::kNone;
}

bool ReadFrameTable(TextCursor& cursor, FrameTable table, Module& module, StackFrames& frames) {
  while (cursor.PeekSign() >= '0' && cursor.Peek() <= '9') {
    int64_t number = 0;
    if (!cursor.Integer(number)) return false;
    if (table == FrameTable::kFiles || table == FrameTable::kFunctions) {
      std::string_view name;
      if (!ReadString(cursor, module, name)) return false;
      if (table == FrameTable::kFiles) frames.files.push_back(name);
      continue;
    }
    StackFrames::FileLocation location;
    int64_t frame = 0;
    if (!ReadRow(cursor, location, frame)) return false;
    if (table == FrameTable::kLocations) frames.locations.push_back(location);
    if (table == FrameTable::kFrames) frames.frames.push_back(frame);
  }
  return cursor.ok();
}

}  // namespace tilewise::hlo
