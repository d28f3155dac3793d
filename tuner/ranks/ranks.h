// The ranks that mpirun started, of which this process is one.

#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "tuner/ranks/crew.h"

namespace tilewise {

// MPI tells the other ranks where rank 0 is, beside what this process does: its
// start takes longer than many a search. mpirun ends all ranks where one ends
// within MPI, so this waits for its end.
class InMpi {
 public:
  // `meet` returns once the process has left MPI; 0: all ranks have met.
  explicit InMpi(std::function<int()> meet);
  ~InMpi();
  InMpi(const InMpi&) = delete;
  InMpi& operator=(const InMpi&) = delete;

  // Waits for all ranks to meet. False: not all came in time, and the process
  // ends without tidying up around MPI.
  bool HaveMet();

 private:
  std::shared_future<int> code_;
  std::chrono::steady_clock::time_point latest_;
};

struct Rank {
  int number = 0;
  int count = 1;
  int threads = 1;
  std::string name;  // "rank 2 on node7"
  std::string machine;
  // The first rank of a machine works on all of its cores, as threads share what they lower; the
  // others stand by. Where it is said how many threads a rank has, all work.
  bool stands_by = false;
  // The other ranks wait here until rank 0 has said where it is.
  std::function<absl::StatusOr<MeetingPoint>()> find_rank_0;
  // Rank 0 has these; its crew ends first.
  std::unique_ptr<InMpi> in_mpi;
  std::unique_ptr<Crew> crew;
};

// Joins the others that mpirun started with this process. None: it is alone,
// which costs nothing. `threads`: of each rank; 0: see Rank::stands_by. Errors: a build without
// MPI, no other process can be made.
absl::StatusOr<std::optional<Rank>> JoinRanks(int threads);

}  // namespace tilewise
