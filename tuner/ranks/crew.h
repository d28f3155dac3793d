// Evaluation by several processes: rank 0 hands candidates out and evaluates some
// itself, the others evaluate what they are given. They talk over TCP, so that
// one that is lost takes none of the others with it.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "tuner/round.h"
#include "tuner/space.h"

namespace tilewise {

// How the others find rank 0, and how both know that they are of one run.
struct MeetingPoint {
  std::string token;
  std::string machine;    // of rank 0
  std::string addresses;  // see Listener
  std::string Text() const;
  static absl::StatusOr<MeetingPoint> Parse(const std::string& text);
};

// What all ranks have in common: the program, the machine and the settings, by
// their place in the space.
std::string CrewKey(const Session& session, const SearchSpace& search, const Space& space);

class Crew : public Executor {
 public:
  // `threads`: that evaluate in this process, which is on this machine.
  static absl::StatusOr<std::unique_ptr<Crew>> Make(int threads, std::string machine);
  // Tells the others that the search has ended.
  ~Crew() override;

  const MeetingPoint& meeting_point() const;
  // What others have to have in common with this one; others are sent away.
  void Expect(std::string key);
  void Run(Round& round) override;
  // Says who was lost or sent away, and why; each once.
  std::vector<std::string> TakeNotes();

 private:
  struct Parts;
  explicit Crew(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

struct Hand {
  std::string key;   // see CrewKey
  std::string name;  // "rank 2 on node7"
  std::string machine;
  bool stands_by = false;  // works where the machine's first rank is lost
  int threads = 1;
};

// Evaluates what rank 0 asks for until it ends the search. Errors: rank 0 is lost, or has another
// program before it. A rank 0 that is not there has ended already, which is no error.
absl::Status ServeCrew(const Space& space, const MeetingPoint& meeting_point, const Hand& hand);

}  // namespace tilewise
