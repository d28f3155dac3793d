// The system keeps the limits: an alarm for the time, refused memory for the rest. What ends the
// process runs in a signal handler or without memory, so that its line is made beforehand.

#include "cli/limits.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"

namespace tilewise {
namespace {

struct LastWords {
  std::array<char, 128> text = {};
  size_t size = 0;
};
LastWords out_of_time;
LastWords out_of_memory;

void Set(LastWords& line, std::string_view words) {
  line.size = words.copy(line.text.data(), line.text.size());
}

[[noreturn]] void EndWith(const LastWords& line) {
  const ssize_t written = write(STDERR_FILENO, line.text.data(), line.size);
  _exit(written < 0 ? EXIT_FAILURE : kExitFailure);
}

}  // namespace

void LimitProcess(const ProcessLimits& limits) {
  if (limits.seconds > 0) {
    Set(out_of_time,
        fmt::format("tilewise: error: stopped after {} s, the limit of --max-seconds\n",
                    limits.seconds));
    std::signal(SIGALRM, [](int) { EndWith(out_of_time); });
    alarm(static_cast<unsigned>(limits.seconds));
  }
  if (limits.mebibytes > 0) {
    Set(out_of_memory,
        fmt::format("tilewise: error: stopped at {} MiB of memory, the limit of --max-memory\n",
                    limits.mebibytes));
    std::set_new_handler([] { EndWith(out_of_memory); });
    const auto bytes = static_cast<rlim_t>(limits.mebibytes) << 20;
    const rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_DATA, &limit);
  }
}

}  // namespace tilewise
