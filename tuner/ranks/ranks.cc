// MPI is used for one thing: all ranks learn where rank 0 is. A rank that dies
// after that would take the whole of an MPI program with it, but not processes
// that have left MPI. It is in a plug-in beside the program, which is loaded
// where mpirun says that there are several ranks. One that dies before that
// leaves the others waiting in MPI, which nothing ends but the process.

#include "tuner/ranks/ranks.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuner/ranks/mpi_plugin.h"

namespace tilewise {
namespace {

// Returns a variable that mpirun sets; 0 where it is not set.
int Variable(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return 0;
  int number = 0;
  std::from_chars(text, text + std::strlen(text), number);
  return number;
}

int CoresThatMayBeUsed() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return CPU_COUNT(&cores);
}

// Ranks that mpirun did not bind to cores of their own share all of them.
int ShareOfCores() {
  const int ranks = std::max(1, Variable("OMPI_COMM_WORLD_LOCAL_SIZE"));
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores / ranks, 1, std::max(1, CoresThatMayBeUsed()));
}

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

absl::StatusOr<MpiShareText*> LoadPlugin(int ranks) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = (program.parent_path() / kMpiPluginFile).string();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const function = library == nullptr ? nullptr : dlsym(library, kMpiShareTextName);
  if (function != nullptr) return reinterpret_cast<MpiShareText*>(function);
  return absl::UnavailableError(
      fmt::format("mpirun started {} ranks, but {} cannot be loaded, which a build with Open MPI "
                  "(libopenmpi-dev) makes: {}",
                  ranks, path, dlerror()));
}

constexpr std::chrono::seconds kMeetingTime{30};

// False: not all ranks came. Then the thread stays in MPI, and the process ends
// without tidying up around it.
bool MeetInTime(MpiShareText* share_text, std::string& text) {
  text.resize(kMpiTextSize);
  const auto shared = std::make_shared<std::string>(text);
  const auto met = std::make_shared<std::promise<int>>();
  std::future<int> code = met->get_future();
  std::thread([=] { met->set_value(share_text(shared->data(), kMpiTextSize)); }).detach();
  if (code.wait_for(kMeetingTime) == std::future_status::ready) {
    text = *shared;
    return code.get() == 0;
  }
  const auto leave = [](int status, void*) {
    std::fflush(nullptr);
    std::_Exit(status);
  };
  on_exit(leave, nullptr);
  return false;
}

// The process that mpirun started stays behind and looks after one that works,
// and which may be lost without a trace: mpirun does not always end where its own
// was killed.
void WorkInChild() {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

}  // namespace

absl::StatusOr<std::optional<Rank>> JoinRanks() {
  Rank rank;
  rank.count = Variable("OMPI_COMM_WORLD_SIZE");
  if (rank.count < 2) return std::nullopt;
  rank.number = Variable("OMPI_COMM_WORLD_RANK");
  rank.name = fmt::format("rank {} on {}", rank.number, HostName());
  rank.threads = ShareOfCores();
  TW_ASSIGN_OR_RETURN(MpiShareText* const share_text, LoadPlugin(rank.count));
  std::string text;
  if (rank.number == 0) {
    TW_ASSIGN_OR_RETURN(rank.crew, Crew::Make(rank.threads));
    text = rank.crew->meeting_point().Text();
  }
  // Rank 0 knows already, and does the work alone if it has to.
  if (!MeetInTime(share_text, text) && rank.number > 0) {
    return absl::UnavailableError(
        fmt::format("the {} ranks that mpirun started did not all come within {} s: one was lost, "
                    "or they cannot reach each other",
                    rank.count, kMeetingTime.count()));
  }
  TW_ASSIGN_OR_RETURN(rank.meeting_point, MeetingPoint::Parse(text.c_str()));
  if (rank.number > 0) WorkInChild();
  return rank;
}

}  // namespace tilewise
