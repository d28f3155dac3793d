// The one file that looks at the terminal. In a pipe or file the output does
// not depend on the environment.

#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tilewise {
namespace {

constexpr int kDefaultWidth = 100;

// mpirun gives its ranks a terminal of its own, whatever its own output goes to.
bool OnTerminal(const OutputOptions& options) {
  const bool of_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  return options.path.empty() && !of_mpirun && isatty(STDOUT_FILENO) == 1;
}

bool UseColor(const OutputOptions& options) {
  if (options.color == "always") return true;
  if (options.color == "never" || !OnTerminal(options)) return false;
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) != "dumb";
}

int Width(const OutputOptions& options) {
  winsize size{};
  if (!OnTerminal(options) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kDefaultWidth;
  }
  return std::clamp<int>(size.ws_col, 60, 160);
}

// Only reports for other programs name files relative to it.
std::string CurrentFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  return error ? "" : folder.string();
}

absl::Status CannotWrite(const std::string& name) {
  return absl::UnavailableError(fmt::format("cannot write {}: {}", name, std::strerror(errno)));
}

}  // namespace

RenderOptions RenderOptionsOf(const OutputOptions& options) {
  return {.color = UseColor(options),
          .width = Width(options),
          .verbose = options.verbose,
          .plot = options.plot,
          .root = CurrentFolder()};
}

absl::Status WriteOutput(const std::string& text, const std::string& path) {
  const std::string name = path.empty() ? "standard output" : path;
  std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) return CannotWrite(name);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  absl::Status status = written ? absl::OkStatus() : CannotWrite(name);
  if (!path.empty() && std::fclose(file) != 0 && status.ok()) {
    return CannotWrite(name);
  }
  return status;
}

absl::Status Render(const Report& report, const OutputOptions& options) {
  for (const std::string& word : options.reports) {
    OutputOptions file = options;
    std::tie(file.format, file.path) = ReportTarget(word);
    file.color = "never";
    TW_RETURN_IF_ERROR(Render<Report>(report, file));
  }
  return Render<Report>(report, options);
}

absl::Status Render(std::string_view command, std::vector<ListingSection> sections,
                    const OutputOptions& options) {
  return Render(Listing{.version = TILEWISE_VERSION,
                        .command = std::string(command),
                        .sections = std::move(sections)},
                options);
}

std::string OneLine(const std::string& message) {
  constexpr size_t kLongest = 2000;
  std::string lines = message.substr(0, kLongest);
  std::ranges::replace(lines, '\n', ' ');
  return Printable(lines);
}

void Say(std::string_view kind, const std::string& message) {
  std::fprintf(stderr, "tilewise: %.*s: %s\n", static_cast<int>(kind.size()), kind.data(),
               OneLine(message).c_str());
}

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
