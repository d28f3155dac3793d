// Waits until something in a set of folders changes. Linux only: inotify.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace tilewise {

// What a watched run looks at. Named files are watched through their folders,
// because editors replace files rather than write to them.
struct WatchedPaths {
  std::vector<std::string> folders;  // themselves, not what is below
  // Changes of these (full or relative paths) count for nothing: the run's own
  // output.
  std::vector<std::string> ignored;
};

class Watcher {
 public:
  // Makes SIGINT and SIGTERM end Wait() from here on, not the process. Errors:
  // the system has no more watches.
  static absl::StatusOr<Watcher> Make();
  Watcher(Watcher&& other) noexcept;
  Watcher& operator=(Watcher&&) = delete;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  // Watches these folders and no others. Folders that are gone are left out.
  absl::Status Watch(const WatchedPaths& paths);

  // Waits until something changed and nothing more did for a tenth of a second:
  // true. False when the user asked to stop.
  bool Wait();

 private:
  Watcher(int events, int signals) : events_(events), signals_(signals) {}
  // Reads what is there; whether any of it counts.
  bool Drain();
  bool Stopped() const;

  int events_ = -1;
  int signals_ = -1;
  std::vector<std::pair<int, std::string>> watches_;
  std::vector<std::string> ignored_;
};

}  // namespace tilewise
