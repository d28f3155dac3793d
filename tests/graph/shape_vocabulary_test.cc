// Types and sizes of the kinds that compilers' files have and layers do not:
// bits, complex numbers, windows of elements set apart.

#include <string>

#include <gtest/gtest.h>

#include "graph/text.h"

namespace tilewise {
namespace {

struct Case {
  const char* operands;  // "f32[4] f32[4]": parameters a, b..
  const char* shape;     // of the result, as the text states it
  const char* op;        // "atan2(a, b)"
  const char* error;     // part of the message; null: it is right
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.op; }

class Vocabulary : public testing::TestWithParam<Case> {};

TEST_P(Vocabulary, IsInferredOrRefused) {
  std::string text = "graph \"g\" {\n";
  std::string rest = GetParam().operands;
  if (!rest.empty()) rest += ' ';
  for (char name = 'a'; !rest.empty(); ++name) {
    const size_t end = rest.find(' ');
    text += std::string(1, name) + " = " + rest.substr(0, end) + " parameter()\n";
    rest.erase(0, end + 1);
  }
  text += std::string("y = ") + GetParam().shape + " " + GetParam().op + "\n}";
  const auto graph = ParseGraph(text);
  if (GetParam().error == nullptr) {
    EXPECT_TRUE(graph.ok()) << graph.status();
    return;
  }
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(Message(graph.status()).find(GetParam().error), std::string::npos) << graph.status();
}

INSTANTIATE_TEST_SUITE_P(
    Types, Vocabulary,
    testing::Values(Case{"s32[4] s32[4]", "s32[4]", "xor(a, b)", nullptr},
                    Case{"pred[4] pred[4]", "pred[4]", "xor(a, b)", nullptr},
                    Case{"f32[4] f32[4]", "f32[4]", "and(a, b)", "expected pred or an int"},
                    Case{"c64[4] c64[4]", "c64[4]", "or(a, b)", "expected pred or an int"},
                    Case{"pred[4] pred[4]", "pred[4]", "shift-left(a, b)", "an integer"},
                    Case{"u8[4]", "u8[4]", "popcnt(a)", nullptr},
                    Case{"f32[4]", "pred[4]", "is-finite(a)", nullptr},
                    Case{"s32[4]", "pred[4]", "is-finite(a)", "a real floating-point"},
                    Case{"c64[4]", "c64[4]", "ceil(a)", "a real floating-point"},
                    Case{"c64[4]", "c64[4]", "exponential(a)", nullptr},
                    Case{"s32[4]", "s32[4]", "tan(a)", "a floating-point type"},
                    Case{"c64[4]", "f32[4]", "abs(a)", nullptr},
                    Case{"c128[4]", "f64[4]", "real(a)", nullptr},
                    Case{"f64[4] f64[4]", "c128[4]", "complex(a, b)", nullptr},
                    Case{"bf16[4] bf16[4]", "c64[4]", "complex(a, b)", "f32 or f64"},
                    Case{"f32[4] f32[4]", "f32[4]", "atan2(a, b)", nullptr},
                    Case{"f32[4] u32[4]", "bf16[4]", "stochastic-convert(a, b)", nullptr},
                    Case{"bf16[4] u32[4]", "s8[4]", "stochastic-convert(a, b)", "expected u16[4]"},
                    Case{"s32[4] u32[4]", "s8[4]", "stochastic-convert(a, b)", "a real float"},
                    Case{"", "f32[4]", "rng-bits()", "expected an integer type"},
                    Case{"f32[4,2]", "s32[4]", "arg-reduce(a), dims={1}, reducer=max", nullptr},
                    Case{"f32[4,2]", "s32[4]", "arg-reduce(a), dims={1}", "a max or a min"},
                    Case{"f32[4,2]", "f32[4]", "reduce(a), dims={1}, reducer=or",
                         "expected pred or an integer type"},
                    Case{"pred[4,2]", "pred[4]", "reduce(a), dims={1}, reducer=or", nullptr}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, Vocabulary,
    testing::Values(
        Case{"f32[N,4]", "s32[N,4]", "bitcast-convert(a)", nullptr},
        Case{"f32[N]", "u8[N,4]", "bitcast-convert(a)", nullptr},
        Case{"u16[N,2]", "f32[N]", "bitcast-convert(a)", nullptr},
        Case{"u8[N,2]", "f32[N]", "bitcast-convert(a)", "a last dim of 4"},
        Case{"f32[2]", "c64[2]", "bitcast-convert(a)", "a type to read as c64"},
        Case{"f32[1,4,2]", "f32[1,6,2]", "reduce-window(a), window={size=2 base_dilation=2}",
             nullptr},
        Case{"f32[1,4,2]", "f32[1,2,2]", "reduce-window(a), window={size=1 pad=-1_-1}", nullptr},
        Case{"f32[1,4,2]", "f32[1,2,2]", "reduce-window(a), window={size=1 pad=-2_-2}",
             "does not fit"},
        Case{"f32[1,4,2]", "f32[1,2,2]", "reduce-window(a), window={size=1 base_dilation=0}",
             "expected"},
        Case{"f32[1,34359738368,2]", "f32[1,2,2]",
             "reduce-window(a), window={size=1 base_dilation=2147483647}", "expected at most"},
        Case{"f32[4] f32[]", "f32[1]", "pad(a, b), pad_low={-2}, pad_high={-1}, pad_interior={0}",
             nullptr},
        Case{"f32[4] f32[]", "f32[1]", "pad(a, b), pad_low={-2}, pad_high={-2}, pad_interior={0}",
             "some of it to be left"}));

}  // namespace
}  // namespace tilewise
