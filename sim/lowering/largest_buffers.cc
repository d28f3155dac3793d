// Buffers are grouped by numbers first, as there are thousands of them, and by their names only
// where a group may be among the largest.

#include "sim/lowering/largest_buffers.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "graph/shape.h"
#include "sim/lowering/layout.h"

namespace tilewise {
namespace {

// What like buffers have in common but their names.
using Kind = std::tuple<int64_t, int64_t, BufferUse, OpKind, DType>;

struct Group {
  Bytes padded;  // of all
  std::vector<BufferId> buffers;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "layer12/dot_3": the text with a 0 for each number, and the numbers.
struct Numbered {
  std::string text;
  std::vector<std::string> numbers;
};

Numbered TakeNumbers(std::string_view name) {
  Numbered out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!IsDigit(name[i])) {
      out.text += name[i];
      continue;
    }
    const size_t begin = i;
    while (i + 1 < name.size() && IsDigit(name[i + 1])) ++i;
    out.text += '0';
    out.numbers.emplace_back(name.substr(begin, i + 1 - begin));
  }
  return out;
}

bool IsLess(const std::string& a, const std::string& b) {
  return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
}

// The text with the range of its numbers in all of `names`: "layer1..24/dot_3".
std::string NameOf(const std::vector<Numbered>& names) {
  std::string name;
  size_t number = 0;
  for (const char c : names.front().text) {
    if (c != '0') {
      name += c;
      continue;
    }
    const auto less = [&](const Numbered& a, const Numbered& b) {
      return IsLess(a.numbers[number], b.numbers[number]);
    };
    const auto [first, last] = std::minmax_element(names.begin(), names.end(), less);
    name += first->numbers[number];
    if (first->numbers[number] != last->numbers[number]) name += ".." + last->numbers[number];
    ++number;
  }
  return name;
}

LargeBuffer Describe(const Program& program, const std::vector<BufferId>& alike) {
  const Buffer& first = program.buffers[alike.front()];
  const Op& op = program.graph.op(first.value);
  LargeBuffer large = {.name = {},
                       .shape = FormatShape(op.shape) + FormatLayout(program.layouts[op.id]),
                       .padded = first.padded,
                       .unpadded = first.unpadded,
                       .count = static_cast<int64_t>(alike.size()),
                       .use = first.use,
                       .location = op.location};
  std::vector<Numbered> names;
  for (const BufferId id : alike) {
    const Op& other = program.graph.op(program.buffers[id].value);
    names.push_back(TakeNumbers(other.name));
    if (other.location != op.location) large.location = {};
  }
  large.name = NameOf(names);
  return large;
}

// Splits a group by names and shapes.
std::vector<LargeBuffer> Split(const Program& program, const Group& group) {
  std::map<std::pair<std::string, std::string>, std::vector<BufferId>> alike;
  for (const BufferId id : group.buffers) {
    const Op& op = program.graph.op(program.buffers[id].value);
    alike[{TakeNumbers(op.name).text, FormatShape(op.shape) + FormatLayout(program.layouts[op.id])}]
        .push_back(id);
  }
  std::vector<LargeBuffer> large;
  for (const auto& [key, buffers] : alike) large.push_back(Describe(program, buffers));
  return large;
}

std::vector<Group> GroupsAtPeak(const Program& program) {
  std::map<Kind, Group> groups;
  for (BufferId id = 0; id < program.buffers.size(); ++id) {
    const Buffer& buffer = program.buffers[id];
    if (!buffer.adds_at(program.memory.peak_at)) continue;
    const Op& op = program.graph.op(buffer.value);
    Group& group =
        groups[{buffer.padded.value, buffer.unpadded.value, buffer.use, op.kind, op.shape.dtype}];
    group.padded += buffer.padded;
    group.buffers.push_back(id);
  }
  std::vector<Group> sorted;
  for (auto& [kind, group] : groups) sorted.push_back(std::move(group));
  std::ranges::stable_sort(sorted,
                           [](const Group& a, const Group& b) { return a.padded > b.padded; });
  return sorted;
}

}  // namespace

std::vector<LargeBuffer> LargestBuffers(const Program& program, size_t count) {
  std::vector<LargeBuffer> largest;
  if (count == 0) return largest;
  for (const Group& group : GroupsAtPeak(program)) {
    if (largest.size() == count && largest.back().all_padded() >= group.padded) break;
    for (LargeBuffer& large : Split(program, group)) largest.push_back(std::move(large));
    std::ranges::stable_sort(largest, [](const LargeBuffer& a, const LargeBuffer& b) {
      return a.all_padded() > b.all_padded();
    });
    if (largest.size() > count) largest.resize(count);
  }
  return largest;
}

}  // namespace tilewise
