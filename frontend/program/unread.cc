// Reads the notes, in the order in which they were made.

#include "frontend/program/unread.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilewise::program {
namespace {

// "at line 5, "; nothing of a module of the reader's own, whose lines tell the user nothing.
std::string PlaceBefore(const Location& place, const std::string& path) {
  if (place.file.starts_with('<') || place.line == 0) return "";
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

std::string WhyUnread(const std::vector<Diagnostic>& notes, const std::string& path,
                      const std::set<std::string>& absent) {
  const auto find = [](const std::vector<Diagnostic>& among) {
    return Telling(
        among, {"unrecognized arguments", "names a configuration", "search path", "reading stopped",
                "() ends with", "not known", "the program ends here", "ends with", "a check of"});
  };
  // What stands for values that others give, or for sizes of data, explains nothing where there is
  // another reason.
  std::vector<Diagnostic> own;
  std::ranges::copy_if(notes, std::back_inserter(own), [](const Diagnostic& note) {
    const auto says = [&](std::string_view words) {
      return note.message.find(words) != std::string::npos;
    };
    return !says("which a launcher") && !says("which the caller of") &&
           !says("is called by nothing here") && !says("() is read again with ") &&
           !says("it is taken to") && !says("are assumed") && !says(" are taken") &&
           !says(" stands for it") && !note.message.ends_with(" is taken");
  });
  const Diagnostic* reason = find(own);
  if (reason == nullptr) reason = find(notes);
  if (reason == nullptr) {
    const std::string nothing = "nothing in it trains or returns one";
    return absent.empty() ? nothing
                          : fmt::format(
                                "{}; packages that it imports are not on the search path "
                                "({}); give --python-path",
                                nothing, fmt::join(absent, ", "));
  }
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
  return UnknownLoss(notes, path);
}

bool HasWeights(const Graph& graph) {
  return std::ranges::any_of(graph.ops(),
                             [](const tilewise::Op& op) { return op.kind == OpKind::kVariable; });
}

std::string Unfed(const std::vector<Diagnostic>& notes, const Graph& graph) {
  if (Telling(notes, {"read without", "goes on without"}) == nullptr) return "";
  const bool fed = std::ranges::any_of(graph.ops(), [](const tilewise::Op& op) {
    return op.kind == OpKind::kParameter && op.shape.rank() > 0;
  });
  return fed ? "" : "what the model is given is not known: no data go into the step";
}

std::string UnknownLoss(const std::vector<Diagnostic>& notes, const std::string& path) {
  for (const Diagnostic& note : notes) {
    const bool runs = note.message.find("which the caller of") == std::string::npos;
    if (runs && note.message.starts_with("the loss is not known: ")) {
      return PlaceBefore(note.location, path) + note.message;
    }
  }
  return "";
}

}  // namespace tilewise::program
