// Names of the values of one computation: a hash table of views that asks for
// one cache line a name where the standard ones ask for more, since a module
// has millions of them.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewise::hlo {

class NameTable {
 public:
  // The value of a name; -1 when it has none.
  int32_t Find(std::string_view name) const;
  // Gives a name its value, and returns -1; one that has a value keeps it, and
  // that is returned.
  int32_t Insert(std::string_view name, int32_t value);
  // Room for so many names.
  void Reserve(size_t names);

 private:
  struct Slot {
    const char* text = nullptr;
    uint32_t size = 0;
    uint32_t hash = 0;
    int32_t value = -1;  // -1: free
  };

  void Resize(size_t slots);
  size_t SlotOf(std::string_view name, uint32_t hash) const;

  std::vector<Slot> slots_;  // a power of two; at most half are taken
  size_t taken_ = 0;
};

}  // namespace tilewise::hlo
