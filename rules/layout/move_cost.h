// What it costs to move data alone: kernels of the lowered step that bring a
// value into another order and compute nothing.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

struct MoveCost {
  Seconds time;   // of the kernels, in all phases of the step
  Bytes bytes;    // that they read and write in HBM, padded
  Bytes at_once;  // of them, in one iteration of the most expensive kernel
  // This is the op, in the lowered graph, of the most expensive such kernel;
  // kNoOp: there is none, as where the move is free or part of another kernel.
  OpId most_expensive = kNoOp;
  Seconds most;  // that it takes
  void Add(const MoveCost& other);
};

// Returns the cost of the kernels made for `op` of the forward graph that only
// move data, and whose root, an op of the lowered graph, is such a move.
MoveCost MoveCostOf(const Facts& facts, OpId op, const std::function<bool(const Op&)>& is_move);

// Returns the cost of one kernel: all of it when it does nothing but move, else
// what it takes to bring its result to HBM and to read it again.
MoveCost MoveCostOfKernel(const Facts& facts, size_t kernel);

// What one finding is about: a move that is expensive alone, or the most
// expensive of several of one kind and shape (in the layers of a model) that
// are together.
struct Moves {
  const Op* op = nullptr;  // of the forward graph
  int64_t count = 1;
  MoveCost cost;               // of all of them
  std::vector<OpId> all = {};  // of the forward graph, `op` first
};

// The ops of the forward graph whose moves, which `cost_of` gives, take
// `min_share` of the step and at least 256 KiB: a smaller one is the fixed time
// of a kernel, whatever it moves.
std::vector<Moves> CostlyMoves(const Facts& facts, double min_share,
                               const std::function<MoveCost(const Op&)>& cost_of);

// "", ", with 25 more like it,".
std::string OthersText(const Moves& moves);
// "the reshape of f32[..] to f32[..] takes 12 us a step (simulated on v3)".
std::string MoveText(const Facts& facts, const Moves& moves);

// The HBM bytes of a kernel, iterations of its loop included.
Bytes TrafficOf(const Kernel& kernel);

}  // namespace tilewise
