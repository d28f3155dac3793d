// Two lanes of multiply and rotate over words of eight bytes, each with its own
// odd constant (the golden ratio, and primes of 64 bits), then a finish that
// lets every bit of the state reach every bit of the result.

#include "base/content_hash.h"

#include <bit>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr uint64_t kPrimeA = 0x9FB21C651E98DF25;
constexpr uint64_t kPrimeB = 0xD6E8FEB86659FD93;

uint64_t Finish(uint64_t word) {
  word ^= word >> 32;
  word *= kPrimeA;
  word ^= word >> 29;
  word *= kPrimeB;
  return word ^ (word >> 32);
}

// Little-endian, so that machines agree.
uint64_t WordAt(std::string_view bytes, size_t at, size_t count) {
  uint64_t word = 0;
  for (size_t i = 0; i < count; ++i) {
    word |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return word;
}

}  // namespace

void ContentHash::Mix(uint64_t word) {
  a_ = std::rotl((a_ ^ word) * kPrimeA, 29) + b_;
  b_ = std::rotl((b_ + word) * kPrimeB, 37) ^ a_;
}

ContentHash& ContentHash::Add(std::string_view bytes) {
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) Mix(WordAt(bytes, at, 8));
  Mix(WordAt(bytes, at, bytes.size() - at));
  return Add(uint64_t{bytes.size()});
}

ContentHash& ContentHash::Add(uint64_t number) {
  Mix(number);
  return *this;
}

std::string ContentHash::Hex() const {
  return fmt::format("{:016x}{:016x}", Finish(a_ ^ std::rotl(b_, 31)),
                     Finish(b_ + std::rotl(a_, 17) * kPrimeA));
}

}  // namespace tilewise
