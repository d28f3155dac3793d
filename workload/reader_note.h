// What a reader says about a file as a whole: how it was taken.

#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace tilewise {

// `rule` as in the glossary (RD001 on), `name` its kind in words.
inline Diagnostic NoteOnFile(std::string_view rule, std::string_view name,
                             const std::string& file, std::string message) {
  Diagnostic note;
  note.rule = std::string(rule);
  note.name = std::string(name);
  note.severity = Severity::kInfo;
  note.location.file = file;
  note.message = std::move(message);
  return note;
}

}  // namespace tilewise
