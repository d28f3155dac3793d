// Folders are watched before their files are read, so that no change between
// is missed.

#include "cli/lint/watch.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/run.h"
#include "lint/watch.h"

namespace tilewise {
namespace {

// Files that the run writes itself.
std::vector<std::string> OwnFiles(const LintOptions& options) {
  std::vector<std::string> files = {options.output.path, options.baseline.write};
  for (const std::string& report : options.output.reports) {
    files.push_back(report.substr(report.find('=') + 1));
  }
  return files;
}

void ClearTerminal() {
  if (isatty(STDOUT_FILENO) != 1) return;
  std::fputs("\x1b[2J\x1b[H", stdout);  // ECMA-48: erase all, cursor to 1,1
}

}  // namespace

absl::StatusOr<int> WatchLint(const LintOptions& options, const WatchedRun& run) {
  TW_ASSIGN_OR_RETURN(Watcher watcher, Watcher::Make());
  // Where nothing could be planned yet, the working directory has the
  // configuration.
  TW_RETURN_IF_ERROR(watcher.Watch({.folders = {"."}, .ignored = OwnFiles(options)}));
  absl::Status watching;
  const auto planned = [&](const std::vector<std::string>& folders) {
    WatchedPaths paths = {.folders = folders, .ignored = OwnFiles(options)};
    paths.folders.emplace_back(".");
    watching = watcher.Watch(paths);
  };
  do {
    ClearTerminal();
    const absl::StatusOr<int> code = run(planned);
    TW_RETURN_IF_ERROR(watching);
    if (!code.ok()) {
      std::fprintf(stderr, "tilewise: error: %s\n", OneLine(Message(code.status())).c_str());
    }
    std::fputs("watching for changes; Ctrl-C ends\n", stderr);
    std::fflush(stdout);
  } while (watcher.Wait());
  return kExitClean;
}

}  // namespace tilewise
