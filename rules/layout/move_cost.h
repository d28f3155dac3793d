// What it costs to move data alone: kernels of the lowered step that bring a
// value into another order and compute nothing.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

struct MoveCost {
  Seconds time;   // of the kernels, in all phases of the step
  Bytes bytes;    // that they read and write in HBM, padded
  Bytes at_once;  // of them, in one iteration of the most expensive kernel
  // Of the lowered graph: the op of the most expensive such kernel; kNoOp:
  // there is none, as where the move is free or part of another kernel.
  OpId most_expensive = kNoOp;
};

// Of the kernels made for `op` of the forward graph that only move data, and
// whose root is of one of `kinds`.
MoveCost MoveCostOf(const Facts& facts, OpId op, std::initializer_list<OpKind> kinds);

// Of one kernel: all of it when it does nothing but move, else what it takes to
// bring its result to HBM and to read it again.
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

// From the moves of all ops those that take `min_share` of the step and at
// least 256 KiB: a smaller one is the fixed time of a kernel, whatever it
// moves.
std::vector<Moves> DearMoves(const Facts& facts, std::vector<Moves> moves, double min_share);

// "", ", with 25 more like it,".
std::string OthersText(const Moves& moves);

// The HBM bytes of a kernel, iterations of its loop included.
Bytes TrafficOf(const Kernel& kernel);

}  // namespace tilewise
