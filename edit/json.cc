// JSON edits: members are found by their positions, so that everything else
// keeps its bytes.

#include <fmt/format.h>

#include "edit/data.h"
#include "edit/files.h"
#include "edit/json_text.h"
#include "edit/span_text.h"
#include "edit/value_path.h"

namespace tilewise {
namespace {

// This is where a path leads: the value, or the object that lacks its last key.
struct JsonPosition {
  JsonPart part;                // of the value when it is there
  std::vector<JsonPart> parts;  // of the object or array around it
  size_t around = 0;            // where that begins
  bool found = false;
  std::string_view missing;  // the last key, when only that is absent
};

JsonPosition Follow(std::string_view text, const std::vector<PathStep>& steps) {
  JsonPosition place;
  const size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  size_t at = SkipJsonSpace(text, mark);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (at >= text.size()) return {};
    const PathStep& step = steps[i];
    if (text[at] != (step.key.empty() ? '[' : '{')) return {};
    place.around = at;
    place.parts = JsonParts(text, at);
    const JsonPart* part = nullptr;
    if (!step.key.empty()) {
      part = FindJsonMember(place.parts, step.key);
    } else if (step.index < place.parts.size()) {
      part = &place.parts[step.index];
    }
    if (part == nullptr) {
      if (i + 1 == steps.size()) place.missing = step.key;
      return place;
    }
    place.part = *part;
    at = part->begin;
  }
  place.found = true;
  return place;
}

// A member after the last one, set apart as that is.
TextEdit AddMember(std::string_view text, const Span& start, const JsonPosition& place,
                   std::string_view value) {
  if (place.parts.empty()) {
    return {.span = At(start, place.around + 1),
            .replacement = fmt::format("\"{}\": {}", place.missing, value)};
  }
  const JsonPart& last = place.parts.back();
  const size_t before =
      place.parts.size() > 1 ? text.rfind(',', last.key_begin) + 1 : place.around + 1;
  const std::string_view space = text.substr(before, last.key_begin - before);
  const size_t key_end = last.key_begin + last.key.size() + 2;
  const std::string_view colon = text.substr(key_end, last.begin - key_end);
  return Replacing(start, last.end, last.end,
                   fmt::format(",{}\"{}\"{}{}", space, place.missing, colon, value));
}

}  // namespace

std::vector<TextEdit> SetJson(const Workload& workload, const std::string& file,
                              std::string_view path, std::string_view value) {
  const auto data = FindInData(workload, file, path);
  if (!data) return {};
  const auto& [start, text, steps] = *data;
  const JsonPosition place = Follow(text, steps);
  if (place.found) {
    return {Replacing(start, place.part.begin, place.part.end, value)};
  }
  if (place.missing.empty()) return {};
  return {AddMember(text, start, place, value)};
}

}  // namespace tilewise
