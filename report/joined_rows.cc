// Rows are told apart by their names with a star for every number of the path.

#include "report/joined_rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr double kSameTime = 0.02;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Runs of digits and of other characters, in turn; numbers of the last
// component of the path are no numbers of layers.
std::vector<std::string> Pieces(const std::string& name) {
  const size_t path_end = name.rfind('/');
  std::vector<std::string> pieces;
  bool in_number = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool digit = path_end != std::string::npos && i < path_end && IsDigit(name[i]);
    if (pieces.empty() || digit != in_number) pieces.emplace_back();
    pieces.back() += name[i];
    in_number = digit;
  }
  return pieces;
}

// The name with a star for every number of the path.
std::string Pattern(const std::string& name) {
  const size_t path_end = name.rfind('/');
  if (path_end == std::string::npos) return name;
  std::string pattern;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool number = i < path_end && IsDigit(name[i]);
    if (!number) pattern += name[i];
    if (number && (pattern.empty() || pattern.back() != '*')) pattern += '*';
  }
  return pattern;
}

struct Joined {
  OpRow row;                        // sums
  std::vector<std::string> pieces;  // of the names, "*" where they differ
  Seconds one;                      // time of the first
  int64_t count = 0;
};

bool Fits(const Joined& joined, const OpRow& row) {
  return joined.row.kind == row.kind && joined.row.bound == row.bound &&
         std::abs((row.total() - joined.one).value) <= kSameTime * joined.one.value;
}

void Add(const OpRow& row, Joined& joined) {
  OpRow& sum = joined.row;
  const Seconds before = sum.total();
  const Seconds total = before + row.total();
  if (total > Seconds{}) {
    sum.mxu_use = (sum.mxu_use * before.value + row.mxu_use * row.total().value) / total.value;
  }
  sum.forward += row.forward;
  sum.backward += row.backward;
  sum.update += row.update;
  sum.share += row.share;
  sum.split += row.split;
  sum.location = {};
  const std::vector<std::string> pieces = Pieces(row.name);
  for (size_t i = 0; i < std::min(pieces.size(), joined.pieces.size()); ++i) {
    if (joined.pieces[i] != pieces[i]) joined.pieces[i] = "*";
  }
  ++joined.count;
}

}  // namespace

std::vector<OpRow> JoinEqualLayers(const std::vector<OpRow>& rows) {
  std::vector<Joined> joined;
  std::map<std::string, std::vector<size_t>> by_pattern;
  for (const OpRow& row : rows) {
    std::vector<size_t>& alike = by_pattern[Pattern(row.name)];
    const auto found =
        std::find_if(alike.begin(), alike.end(), [&](size_t i) { return Fits(joined[i], row); });
    if (found != alike.end()) {
      Add(row, joined[*found]);
      continue;
    }
    alike.push_back(joined.size());
    joined.push_back({row, Pieces(row.name), row.total(), 1});
  }
  std::vector<OpRow> result;
  for (Joined& one : joined) {
    if (one.count > 1) {
      one.row.name.clear();
      for (const std::string& piece : one.pieces) one.row.name += piece;
      one.row.name += fmt::format(" (x{})", one.count);
    }
    result.push_back(std::move(one.row));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const OpRow& a, const OpRow& b) { return a.total() > b.total(); });
  return result;
}

}  // namespace tilewise
