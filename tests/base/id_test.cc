// Ids index, compare and print as their numbers, and never mix with other ids.

#include "base/id.h"

#include <concepts>
#include <functional>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using RowId = Id<struct Row>;
using ColumnId = Id<struct Column>;

static_assert(sizeof(RowId) == 4 && std::is_trivially_copyable_v<RowId>);
static_assert(!std::is_convertible_v<RowId, ColumnId>);
static_assert(!std::is_constructible_v<ColumnId, RowId>);
static_assert(!std::equality_comparable_with<RowId, ColumnId>);

TEST(Id, IndexesAVector) {
  const std::vector<int> values = {10, 11, 12};
  int sum = 0;
  for (RowId id = 0; id < values.size(); ++id) sum += values[id];
  EXPECT_EQ(sum, 33);
  EXPECT_EQ(values[RowId(1) + 1], 12);
}

TEST(Id, IsNoneUntilItIsSet) {
  const RowId none;
  EXPECT_EQ(none, -1);
  EXPECT_LT(none, 0);
  EXPECT_LT(none, RowId(0));
  EXPECT_EQ(static_cast<size_t>(none), std::numeric_limits<size_t>::max());
}

TEST(Id, ComparesWithNumbersOfAnySign) {
  const RowId id = 3;
  EXPECT_TRUE(id == 3u && id < size_t{4} && id > int64_t{-1} && 2 < id);
  EXPECT_FALSE(RowId(-1) > size_t{0});
  EXPECT_LT(id, int64_t{1} << 40);
}

TEST(Id, CountsUpAndDown) {
  RowId id(7);
  EXPECT_EQ(++id, 8);
  id -= 3;
  EXPECT_EQ(id, 5);
  EXPECT_EQ(id - RowId(2), 3);
  EXPECT_EQ(RowId(2) - id, -3);
  EXPECT_EQ(id - 6, RowId());
}

TEST(Id, IsOrderedHashedAndPrinted) {
  EXPECT_EQ(*std::set<RowId>({4, 2, 3}).begin(), 2);
  EXPECT_TRUE((absl::flat_hash_set<RowId>{RowId(4), RowId(2)}.contains(RowId(2))));
  EXPECT_NE(std::hash<RowId>()(RowId(1)), std::hash<RowId>()(RowId(2)));
  EXPECT_EQ(fmt::format("{} {:>3}", RowId(5), RowId()), "5  -1");
}

}  // namespace
}  // namespace tilewise
