// inotify for the folders, signalfd for Ctrl-C, poll for both.

#include "lint/watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/paths.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF;
constexpr int kQuietMs = 100;
constexpr int kMostRounds = 1000;  // of changes that never stop

std::string Whole(const std::string& path) { return RealPath(path).string(); }

absl::Status Failed(std::string_view what) {
  return absl::UnavailableError(
      fmt::format("cannot watch files: {}: {}", what, std::strerror(errno)));
}

// Files of editors and tools; configurations count.
bool Counts(std::string_view name) {
  if (name == ".tilewise.yaml" || name == ".gitignore" || name == ".ignore") {
    return true;
  }
  return !name.starts_with('.') && !name.ends_with('~') && !name.ends_with(".swp") &&
         !name.ends_with(".tmp") && name != "4913";  // which Vim makes to see whether it can
}

}  // namespace

absl::StatusOr<Watcher> Watcher::Make() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  if (sigprocmask(SIG_BLOCK, &stops, nullptr) != 0) return Failed("signals");
  const int signals = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) return Failed("signalfd");
  const int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (events < 0) {
    close(signals);
    return Failed("inotify");
  }
  return Watcher(events, signals);
}

Watcher::Watcher(Watcher&& other) noexcept
    : events_(std::exchange(other.events_, -1)),
      signals_(std::exchange(other.signals_, -1)),
      watches_(std::move(other.watches_)),
      ignored_(std::move(other.ignored_)) {}

Watcher::~Watcher() {
  if (events_ >= 0) close(events_);
  if (signals_ >= 0) close(signals_);
}

absl::Status Watcher::Watch(const WatchedPaths& paths) {
  std::set<std::string> wanted;
  for (const std::string& folder : paths.folders) wanted.insert(Whole(folder));
  ignored_.clear();
  for (const std::string& path : paths.ignored) {
    if (!path.empty()) ignored_.push_back(Whole(path));
  }
  std::erase_if(watches_, [&](const auto& watch) {
    if (wanted.erase(watch.second) > 0) return false;
    inotify_rm_watch(events_, watch.first);
    return true;
  });
  for (const std::string& folder : wanted) {
    const int watch = inotify_add_watch(events_, folder.c_str(), kEvents);
    if (watch >= 0) watches_.emplace_back(watch, folder);
    if (watch < 0 && errno != ENOENT && errno != ENOTDIR) return Failed(folder);
  }
  return absl::OkStatus();
}

bool Watcher::Drain() {
  bool counts = false;
  alignas(inotify_event) std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t size = read(events_, buffer.data(), buffer.size());
    if (size <= 0) return counts;
    for (ssize_t at = 0; at < size;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof(event));
      const char* text = buffer.data() + at + sizeof(event);
      const std::string name = event.len > 0 ? text : "";
      at += static_cast<ssize_t>(sizeof(event) + event.len);
      const auto folder =
          std::ranges::find(watches_, event.wd, &std::pair<int, std::string>::first);
      if ((event.mask & IN_IGNORED) != 0) {
        if (folder != watches_.end()) watches_.erase(folder);
        continue;
      }
      if ((event.mask & IN_Q_OVERFLOW) != 0) counts = true;
      if (folder == watches_.end() || !Counts(name)) continue;
      const std::string path = folder->second + "/" + name;
      if (std::ranges::find(ignored_, path) == ignored_.end()) counts = true;
    }
  }
}

bool Watcher::Stopped() const {
  signalfd_siginfo info{};
  return read(signals_, &info, sizeof(info)) > 0;
}

bool Watcher::Wait() {
  bool changed = false;
  int rounds = 0;
  while (true) {
    std::array<pollfd, 2> files = {pollfd{events_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
    const int ready = poll(files.data(), files.size(), changed ? kQuietMs : -1);
    if (Stopped()) return false;
    if (ready == 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    changed = Drain() || changed;
    if (changed && ++rounds >= kMostRounds) return true;
  }
}

}  // namespace tilewise
