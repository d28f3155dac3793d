// MPI is used for one thing: all ranks learn where rank 0 is. A rank that dies
// after that would take the whole of an MPI program with it, but not processes
// that have left MPI. It is in a plug-in beside the program, which is loaded
// where mpirun says that there are several ranks, and runs beside the work. A
// rank that dies before they have met leaves the others waiting in MPI, which
// nothing ends but the process.

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
#include <fcntl.h>
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
  return std::max(1, CPU_COUNT(&cores));
}

// mpirun binds a rank to some cores; those that stand by leave it theirs. The system keeps a
// process to the cores that it may have.
void UnbindFromCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &cores);
  sched_setaffinity(0, sizeof(cores), &cores);
}

void ShareCores(int threads, Rank& rank) {
  rank.threads = threads;
  if (threads > 0) return;
  const int ranks = std::max(1, Variable("OMPI_COMM_WORLD_LOCAL_SIZE"));
  if (ranks > 1) UnbindFromCores();
  rank.stands_by = Variable("OMPI_COMM_WORLD_LOCAL_RANK") > 0;
  rank.threads = std::max(1, CoresThatMayBeUsed() / (rank.stands_by ? ranks : 1));
}

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

// Ranks in network namespaces of their own stand for machines.
std::string MachineName() {
  std::error_code error;
  const std::string network = std::filesystem::read_symlink("/proc/self/ns/net", error).string();
  std::string name = HostName() + "/" + network;
  std::ranges::replace(name, ' ', '_');
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

// MPI carries one short text: looking for fast networks would double the time of its start.
void KeepMpiSimple() {
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,tcp", 0);
}

std::string ReadAll(int fd) {
  std::string text;
  char part[512];
  for (;;) {
    const ssize_t n = read(fd, part, sizeof(part));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(part, static_cast<size_t>(n));
  }
}

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

// Passes on what rank 0 says, then ends as the child does.
[[noreturn]] void LookAfter(pid_t child, int to_child, MpiShareText* share_text) {
  std::signal(SIGPIPE, SIG_IGN);  // of a child that has ended before
  const auto text = std::make_shared<std::string>(kMpiTextSize, '\0');
  InMpi in_mpi([=] { return share_text(text->data(), kMpiTextSize); });
  if (in_mpi.HaveMet()) WriteAll(to_child, text->c_str());
  close(to_child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

// The process that mpirun started stays behind: it meets the others, and looks
// after a child that works and may be lost without a trace: mpirun does not
// always end where its own was killed. Only the child returns.
absl::Status WorkInChild(MpiShareText* share_text, Rank& rank) {
  int ends[2];
  std::fflush(nullptr);
  const bool has_pipe = pipe2(ends, O_CLOEXEC) == 0;
  const pid_t child = has_pipe ? fork() : -1;
  if (child < 0) {
    return absl::UnavailableError(
        fmt::format("no process can be made that works: {}", std::strerror(errno)));
  }
  if (child > 0) {
    close(ends[0]);
    LookAfter(child, ends[1], share_text);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(ends[1]);
  rank.find_rank_0 = [fd = ends[0], count = rank.count]() -> absl::StatusOr<MeetingPoint> {
    const std::string text = ReadAll(fd);
    close(fd);
    if (!text.empty()) return MeetingPoint::Parse(text);
    return absl::UnavailableError(
        fmt::format("the {} ranks that mpirun started did not all come within {} s: one was lost, "
                    "or they cannot reach each other",
                    count, kMeetingTime.count()));
  };
  return absl::OkStatus();
}

}  // namespace

// The promise outlives this, as the thread may.
InMpi::InMpi(std::function<int()> meet) : latest_(std::chrono::steady_clock::now() + kMeetingTime) {
  auto met = std::make_shared<std::promise<int>>();
  code_ = met->get_future().share();
  std::thread([met = std::move(met), meet = std::move(meet)] { met->set_value(meet()); }).detach();
}

InMpi::~InMpi() { HaveMet(); }

bool InMpi::HaveMet() {
  if (code_.wait_until(latest_) == std::future_status::ready) return code_.get() == 0;
  const auto leave = [](int status, void*) {
    std::fflush(nullptr);
    std::_Exit(status);
  };
  on_exit(leave, nullptr);
  return false;
}

absl::StatusOr<std::optional<Rank>> JoinRanks(int threads) {
  Rank rank;
  rank.count = Variable("OMPI_COMM_WORLD_SIZE");
  if (rank.count < 2) return std::nullopt;
  rank.number = Variable("OMPI_COMM_WORLD_RANK");
  rank.name = fmt::format("rank {} on {}", rank.number, HostName());
  rank.machine = MachineName();
  ShareCores(threads, rank);
  TW_ASSIGN_OR_RETURN(MpiShareText* const share_text, LoadPlugin(rank.count));
  KeepMpiSimple();
  if (rank.number > 0) {
    TW_RETURN_IF_ERROR(WorkInChild(share_text, rank));
    return rank;
  }
  TW_ASSIGN_OR_RETURN(rank.crew, Crew::Make(rank.threads, rank.machine));
  std::string text = rank.crew->meeting_point().Text();
  text.resize(kMpiTextSize);
  rank.in_mpi = std::make_unique<InMpi>(
      [share_text, text]() mutable { return share_text(text.data(), kMpiTextSize); });
  return rank;
}

}  // namespace tilewise
