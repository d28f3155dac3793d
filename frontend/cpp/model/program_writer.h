// Lines of a program in Python, each with the line of the C++ source that it stands for.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/line_places.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// A source beside the program's that defines what that one declares, as a module of it.
struct TranslatedModule {
  std::string name, path, text;
  LinePlaces lines;
};

// What a C++ source does, as a program that the reader of training programs runs.
struct TranslatedProgram {
  std::string text;
  LinePlaces lines;
  bool trains = false;  // it is a program, with main()
  bool models = false;  // it uses LibTorch's or XLA's builder
  bool runs = false;    // it has a main(), or functions and tests that build and need no caller
  std::vector<TranslatedModule> modules = {};
  // The project's other files, with what the program comes to in them.
  std::vector<ImportedFile> files = {};
};

// Stands in an expression, within parentheses, where the source goes on at another line.
inline std::string LineMark(int32_t place) { return fmt::format("\x01{}\x02", place); }

class ProgramWriter {
 public:
  // `place`: as LinePlaces has it.
  void Line(int32_t place, std::string_view text) {
    std::string indent(static_cast<size_t>(depth_) * 4, ' ');
    while (true) {
      const size_t mark = text.find('\x01');
      Add(place, indent + std::string(text.substr(0, mark)));
      if (mark == std::string_view::npos) return;
      const size_t end = text.find('\x02', mark);
      place = std::stoi(std::string(text.substr(mark + 1, end - mark - 1)));
      text.remove_prefix(end + 1);
      indent.assign(static_cast<size_t>(depth_) * 4 + 4, ' ');
    }
  }
  void Indent() { ++depth_; }
  void Dedent() { --depth_; }
  size_t size() const { return places_.size(); }

  TranslatedProgram Take(std::vector<std::string> files = {}) && {
    return {.text = std::move(text_), .lines = {std::move(places_), std::move(files)}};
  }

 private:
  void Add(int32_t place, const std::string& text) {
    text_ += text;
    text_ += '\n';
    places_.push_back(place);
  }

  std::string text_;
  std::vector<int32_t> places_;
  int depth_ = 0;
};

}  // namespace tilewise::cpp
