// What a reader says about a file, as a whole or at a place in it: how it was
// taken.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"

namespace tilewise {

// `rule` as in the glossary (RD001 on), `name` its kind in words.
inline Diagnostic NoteAt(std::string_view rule, std::string_view name, Location place,
                         std::string message) {
  Diagnostic note;
  note.rule = std::string(rule);
  note.name = std::string(name);
  note.severity = Severity::kInfo;
  note.location = std::move(place);
  note.message = std::move(message);
  return note;
}

inline Diagnostic NoteOnFile(std::string_view rule, std::string_view name, const std::string& file,
                             std::string message) {
  Location place;
  place.file = file;
  return NoteAt(rule, name, std::move(place), std::move(message));
}

}  // namespace tilewise
