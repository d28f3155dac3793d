// What both branches of a condition that is not known leave behind: objects are
// copied before their first change, put back, and joined afterwards.

#pragma once

#include <vector>

#include "python/interpreter.h"

namespace tilewise::py {

// What the innermost frame runs while it lives is run on a condition that is not known.
class Interpreter::Undecided {
 public:
  explicit Undecided(Interpreter& in, bool is = true)
      : total_(in.undecided_), frame_(*in.frames_.back()), count_(is ? 1 : 0) {
    frame_.undecided += count_;
    total_ += count_;
  }
  ~Undecided() {
    frame_.undecided -= count_;
    total_ -= count_;
  }
  Undecided(const Undecided&) = delete;
  Undecided& operator=(const Undecided&) = delete;

 private:
  int& total_;
  Frame& frame_;
  int count_;
};

class BranchRun {
 public:
  explicit BranchRun(Interpreter& in);
  ~BranchRun();
  BranchRun(const BranchRun&) = delete;
  BranchRun& operator=(const BranchRun&) = delete;
  // Keeps `object` before it changes.
  void Save(Object& object);
  // The objects as they were; gives those that they had become.
  struct Change {
    Object* object = nullptr;
    std::unique_ptr<Object> before;
  };
  std::vector<Change> TakeBack();
  const std::vector<Change>& changes() const { return changes_; }

 private:
  Interpreter& in_;
  uint32_t epoch_;
  std::vector<Change> changes_;
};

}  // namespace tilewise::py
