// One line that overwrites itself.

#include "cli/progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace tilewise {

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);  // ECMA-48 EL: erase the line
}

Progress ProgressLine::callback() {
  if (!terminal_) return {};
  return [this](int64_t done, int64_t total) {
    shown_ = true;
    std::fputs(fmt::format("\r{} {}/{}", what_, done, total).c_str(), stderr);
    std::fflush(stderr);
  };
}

}  // namespace tilewise
