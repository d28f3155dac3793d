// Reads the notes, in the order in which they were made.

#include "frontend/program/unread.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace tilewise::program {
namespace {

// "at line 5, "; nothing of a module of the reader's own, whose lines tell the user nothing.
std::string PlaceBefore(const Location& place, const std::string& path) {
  if (place.file.starts_with('<')) return "";
  if (place.file == path) return fmt::format("at line {}, ", place.line);
  return fmt::format("at {}:{}, ", place.file, place.line);
}

}  // namespace

const Diagnostic* Telling(const std::vector<Diagnostic>& notes, Words words) {
  for (const char* each : words) {
    const auto found = std::ranges::find_if(notes, [&](const Diagnostic& note) {
      return note.message.find(each) != std::string::npos;
    });
    if (found != notes.end()) return &*found;
  }
  return nullptr;
}

std::string WhyUnread(const std::vector<Diagnostic>& notes, const std::string& path) {
  const Diagnostic* reason =
      Telling(notes, {"search path", "reading stopped", "not known", "a check of", "ends with"});
  if (reason == nullptr) return "nothing in it trains or returns one";
  const bool of_data = reason->message.starts_with("a loss whose gradient is asked for");
  return PlaceBefore(reason->location, path) + reason->message +
         (of_data ? "; --assume NAME='data(1000, 32)' gives data that NAME holds its shape" : "");
}

std::string LowerBound(const std::vector<Diagnostic>& notes, const std::string& path) {
  constexpr std::string_view kWords = "the count is a lower bound: ";
  for (const Diagnostic& note : notes) {
    if (!note.message.starts_with(kWords)) continue;
    return PlaceBefore(note.location, path) + note.message.substr(kWords.size());
  }
  return "";
}

}  // namespace tilewise::program
