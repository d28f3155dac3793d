// The table uses open addressing with linear probing.

#include "frontend/hlo/name_table.h"

#include <cstring>
#include <utility>

namespace tilewise::hlo {
namespace {

uint64_t Mix(uint64_t value) {
  value *= 0x9E3779B97F4A7C15;
  return value ^ (value >> 29);
}

uint32_t Hash(std::string_view name) {
  uint64_t hash = name.size();
  size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, name.data() + at, 8);
    hash = Mix(hash ^ word);
  }
  uint64_t word = 0;
  if (at < name.size()) std::memcpy(&word, name.data() + at, name.size() - at);
  hash = Mix(Mix(hash ^ word));
  return static_cast<uint32_t>(hash >> 32) ^ static_cast<uint32_t>(hash);
}

}  // namespace

size_t NameTable::SlotOf(std::string_view name, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.value < 0) return at;
    if (slot.hash == hash && slot.size == name.size() &&
        std::memcmp(slot.text, name.data(), name.size()) == 0) {
      return at;
    }
  }
}

int32_t NameTable::Find(std::string_view name) const {
  return slots_.empty() ? -1 : slots_[SlotOf(name, Hash(name))].value;
}

int32_t NameTable::Insert(std::string_view name, int32_t value) {
  if (2 * (taken_ + 1) > slots_.size()) {
    Resize(slots_.empty() ? 16 : 2 * slots_.size());
  }
  const uint32_t hash = Hash(name);
  Slot& slot = slots_[SlotOf(name, hash)];
  if (slot.value >= 0) return slot.value;
  slot = {name.data(), static_cast<uint32_t>(name.size()), hash, value};
  ++taken_;
  return -1;
}

void NameTable::Reserve(size_t names) {
  size_t slots = 16;
  while (slots < 2 * names) slots *= 2;
  if (slots > slots_.size()) Resize(slots);
}

void NameTable::Resize(size_t slots) {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
  const size_t mask = slots - 1;
  for (const Slot& slot : old) {
    if (slot.value < 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].value >= 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace tilewise::hlo
