// What ranks say to each other.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "tuner/evaluate.h"

namespace tilewise {

// A worker sends this first.
struct CrewHello {
  std::string token;
  std::string key;   // see CrewKey
  std::string name;  // "rank 2 on node7"
  std::string machine;
  bool stands_by = false;  // see Hand
};

// Rank 0 sends this.
struct CrewOrder {
  enum class Kind : uint8_t { kWelcome, kSentAway, kEvaluate, kEnd };
  Kind kind = Kind::kEnd;
  std::string why;  // of being sent away
  int64_t number = 0;
  Candidate candidate;
};

// A worker sends this for an order.
struct CrewAnswer {
  int64_t number = 0;  // of the order
  Result result;
};

std::string WriteMessage(const CrewHello& message);
std::string WriteMessage(const CrewOrder& message);
std::string WriteMessage(const CrewAnswer& message);
// False: no such message.
bool ReadMessage(std::string_view text, CrewHello& message);
bool ReadMessage(std::string_view text, CrewOrder& message);
bool ReadMessage(std::string_view text, CrewAnswer& message);

}  // namespace tilewise
