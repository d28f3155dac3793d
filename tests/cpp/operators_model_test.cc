// Operators of a program's own classes, places in lists that loops count, pairs: the sizes that
// they leave known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using testing::HasSubstr;
using testing::Not;

// Trains a layer of 8 values for `outputs` classes, behind `before`, which opens main().
Workload WithClasses(const std::string& before, const std::string& outputs) {
  return Read(std::string(kTorch) + "#include <string>\n#include <utility>\n#include <vector>\n" +
              before + "  torch::nn::Linear net(8, " + outputs +
              ");\n  torch::optim::SGD sgd(net->parameters(), 0.1);\n"
              "  auto loss = net(torch::randn({16, 8})).sum();\n  loss.backward();\n  sgd.step();\n"
              "}\n");
}

TEST(CppOperators, OfTheProgramsClassesAreItsFunctions) {
  const Workload w = WithClasses(R"(
struct Width {
  int n;
  Width operator+(const Width& other) const { return {n + other.n}; }
  Width operator-() const { return {-n}; }
  Width operator-(const Width& other) const { return {n - other.n}; }
  Width& operator+=(int more) { n += more; return *this; }
  bool operator<(const Width& other) const { return n < other.n; }
};
Width operator*(int times, const Width& width) { return {times * width.n}; }
int main() {
  Width a{3}, b{4};
  a += 2;
  Width c = a < b ? a : 2 * (a + b) - b;
)",
                                 "c.n");
  EXPECT_EQ(Parameters(w), 9 * 14) << Notes(w);
}

TEST(CppOperators, OfStreamsAndLiteralsLeaveTheProgramReadable) {
  const Workload w = WithClasses(R"(
#include <iostream>
struct Width { int n; };
std::ostream& operator<<(std::ostream& out, const Width& width) { return out << width.n; }
long long operator""_wide(unsigned long long n) { return static_cast<long long>(n) * 2; }
int main() {
  Width a{12};
  std::cout << a << "\n";
)",
                                 "a.n");
  EXPECT_EQ(Parameters(w), 9 * 12) << Notes(w);
  EXPECT_THAT(Notes(w), Not(HasSubstr("syntax error")));
}

TEST(CppOperators, PlacesThatALoopCountsSeeTheItemsBeside) {
  const Workload w = WithClasses(R"(
int main() {
  std::vector<int> widths = {2, 3, 5, 7};
  int sum = 0;
  for (auto it = widths.cbegin(); it < widths.cend() - 1; ++it) sum += *it * *(it + 1);
  for (auto it = widths.begin() + 1; it != widths.end(); ++it) {
    sum += (it - widths.begin()) * (*it - *std::prev(it));
  }
)",
                                 "sum");
  // 2 * 3 + 3 * 5 + 5 * 7, and 1 * 1 + 2 * 2 + 3 * 2.
  EXPECT_EQ(Parameters(w), 9 * (56 + 11)) << Notes(w);
}

TEST(CppOperators, PartsOfPairsAreSet) {
  const Workload w = WithClasses(R"(
int main() {
  std::pair<int, int> shape = std::make_pair(3, 4);
  shape.first = 10;
  shape.second += shape.first;
  auto [rows, columns] = shape;
)",
                                 "rows + columns");
  EXPECT_EQ(Parameters(w), 9 * 24) << Notes(w);
}

TEST(CppOperators, CountsTheOneThatAConditionChooses) {
  const Workload w = WithClasses(R"(
int main() {
  int small = 1, large = 1;
  for (int i = 0; i < 10; ++i) (i < 3 ? small : large)++;
)",
                                 "small * large");
  EXPECT_EQ(Parameters(w), 9 * 4 * 8) << Notes(w);
}

TEST(CppOperators, ANumberForAViewOfAListIsAListOfOne) {
  const Workload w = WithClasses(R"(
int SizeOf(torch::IntArrayRef shape) { return shape.empty() ? 1 : shape[0] * shape.size(); }
int main() {
)",
                                 "SizeOf(12)");
  EXPECT_EQ(Parameters(w), 9 * 12) << Notes(w);
}

}  // namespace
}  // namespace tilewise
