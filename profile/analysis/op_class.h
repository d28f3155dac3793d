// What the time of an op is spent on, by its HLO category, its type in a
// framework or its name.

#pragma once

#include <cstdint>
#include <string_view>

#include "profile/profile.h"

namespace tilewise {

enum class ProfileOpClass : uint8_t {
  kMatmul,   // dots and convolutions with what is fused to them
  kCompute,  // all other work of the device
  kCopy,     // within the device: copies, transposes, reshapes
  kCollective,
  kHostTransfer,  // to and from host memory
  kInfeed,        // waits for the host's input
  kOutfeed,
  kNetwork,    // waits for a value of another device or machine
  kContainer,  // holds other ops: while, conditional, call
  kIgnored,    // a marker without work
};
inline constexpr int kProfileOpClasses = 10;
std::string_view ProfileOpClassName(ProfileOpClass kind);
ProfileOpClass ClassOf(const ProfileOp& op);

// What a function of the host is there for.
enum class HostClass : uint8_t { kOther, kInput, kCompile, kTransfer, kDispatch, kWaitsForDevice };
std::string_view HostClassName(HostClass kind);
HostClass HostClassOf(const ProfileOp& op);

// Ops of TensorFlow that take elements out of an input queue or reader of
// version 1, which run until there is one.
bool IsQueueDequeue(std::string_view kind);
// Returns whether the op takes elements out of an iterator of tf.data.
bool IsGetNext(std::string_view kind);

// Bytes of the largest array in the text of an HLO shape or line: what a copy
// moves; 0: none is named.
double LargestArrayBytes(std::string_view hlo);

}  // namespace tilewise
