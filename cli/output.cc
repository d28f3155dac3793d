// The one place that looks at the terminal. In a pipe or file the output does
// not depend on the environment.

#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/check.h"

namespace tilewise {
namespace {

constexpr int kDefaultWidth = 100;

bool OnTerminal(const OutputOptions& options) {
  return options.path.empty() && isatty(STDOUT_FILENO) == 1;
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

RenderOptions RenderOptionsOf(const OutputOptions& options) {
  return {.color = UseColor(options),
          .width = Width(options),
          .verbose = options.verbose,
          .root = CurrentFolder()};
}

absl::Status CannotWrite(const std::string& name) {
  return absl::UnavailableError(fmt::format("cannot write {}: {}", name, std::strerror(errno)));
}

absl::Status WriteReportAs(std::string_view name, const std::string& path, const Report& report,
                           const RenderOptions& how) {
  const Format* format = FindFormat(name);
  TW_CHECK(format != nullptr);
  return WriteOutput(format->render(report, how), path);
}

}  // namespace

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

absl::Status WriteReport(const Report& report, const OutputOptions& options) {
  for (const std::string& word : options.reports) {
    const auto [format, path] = ReportTarget(word);
    RenderOptions how = RenderOptionsOf(options);
    how.color = false;
    how.width = kDefaultWidth;
    TW_RETURN_IF_ERROR(WriteReportAs(format, path, report, how));
  }
  return WriteReportAs(options.format, options.path, report, RenderOptionsOf(options));
}

absl::Status WriteListing(std::string_view command, std::vector<ListingSection> sections,
                          const OutputOptions& options) {
  const ListingFormat* format = FindListingFormat(options.format);
  TW_CHECK(format != nullptr);
  const Listing listing = {.version = TILEWISE_VERSION,
                           .command = std::string(command),
                           .sections = std::move(sections)};
  return WriteOutput(format->render(listing, RenderOptionsOf(options)), options.path);
}

absl::Status WriteAccuracy(const AccuracyReport& report, const OutputOptions& options) {
  const AccuracyFormat* format = FindAccuracyFormat(options.format);
  TW_CHECK(format != nullptr);
  return WriteOutput(format->render(report, RenderOptionsOf(options)), options.path);
}

absl::Status WriteInspection(const Inspection& inspection, const OutputOptions& options) {
  const InspectionFormat* format = FindInspectionFormat(options.format);
  TW_CHECK(format != nullptr);
  return WriteOutput(format->render(inspection, RenderOptionsOf(options)), options.path);
}

std::string OneLine(const std::string& message) {
  constexpr size_t kLongest = 2000;
  std::string line = message.substr(0, kLongest);
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t')
      c = ' ';
    else if (byte < 0x20 || byte == 0x7F)
      c = '?';
  }
  return line;
}

}  // namespace tilewise
