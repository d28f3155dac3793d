// Graphs as HLO text and back: equal graphs.

#include "frontend/hlo/print.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "frontend/hlo/build_graph.h"
#include "frontend/hlo/native_graph.h"
#include "frontend/hlo/read_hlo.h"
#include "frontend/hlo/read_text.h"
#include "graph/graph_builder.h"
#include "graph/text.h"
#include "tests/reference/random_graph.h"

namespace tilewise::hlo {
namespace {

absl::StatusOr<Graph> ReadBack(const std::string& text) {
  TW_ASSIGN_OR_RETURN(const std::vector<Module> modules, ReadHloText(text));
  if (modules.size() != 1 || !IsNativeModule(modules[0])) {
    return InvalidInput("not a printed graph");
  }
  return BuildNativeGraph(modules[0]);
}

// Ops, shapes, attributes, names, places, outputs: the graph text has them all.
void ExpectSurvives(const Graph& graph) {
  const std::string text = PrintHlo(graph);
  const absl::StatusOr<Graph> again = ReadBack(text);
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  EXPECT_EQ(PrintGraph(graph), PrintGraph(*again)) << text;
}

Graph Parse(std::string_view text) {
  absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : Graph();
}

TEST(PrintHlo, WritesInstructionsOfXla) {
  const std::string text = PrintHlo(Parse(R"(graph "mlp" {
    x = f32[8,4] parameter(), at="a.py:3:7"
    w = f32[4,2] variable()
    d = f32[8,2] dot(x, w), lhs_contract={1}, rhs_contract={0}, precision_passes=6
    m = f32[8] reduce(d), dims={1}, reducer=max
    output result m
    output state w of w
  })"));
  EXPECT_NE(text.find("%x = f32[8,4] parameter(0), metadata={source_file="
                      "\"a.py\" source_line=3 source_column=7}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("dot(%x, %w), lhs_contracting_dims={1}, "
                      "rhs_contracting_dims={0}, operand_precision="
                      "{highest,highest}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("reduce(%d, %tilewise_initial.3), to_apply=%max.f32, "
                      "dimensions={1}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("input_output_alias={ {1}: (1, {}, may-alias) }"), std::string::npos) << text;
}

TEST(PrintHlo, KeepsNamesPlacesLoopsAndPhases) {
  ExpectSurvives(Parse(R"(graph "a \"b\" // c" {
    "x y" = f32[8] parameter(), item="layer \"1\""
    x_y = f32[8] variable(), trainable=false
    x/y = f32[8] add("x y", x_y), phase=backward, origin=none, at="b:c.py:cell 2:3:0"
    "%" = f32[8] negate(x/y), loop=2, trip_count=7, origin=1
    "" = f32[8] negate("%"), loop=-2, trip_count=7
    output loss ""
    output result "%"
    output state x/y of x_y
  })"));
}

// The kinds that HLO has, and some that it has not, with attributes.
TEST(PrintHlo, KeepsEveryKind) {
  ExpectSurvives(Parse(R"(graph "kinds" {
    x = f32[2,8,8,4] parameter()
    c = f32[] constant(), value=-0.1
    many = f32[3] constant(), value=2
    p = pred[] constant(), value=1
    i = s32[5] iota(), dims={0}
    s = s32[] constant(), value=3
    b = f32[2,8,8,4] broadcast(c), dims={}
    cmp = pred[2,8,8,4] compare(x, b), comparison=le
    sel = f32[2,8,8,4] select(cmp, x, b)
    cv = bf16[2,8,8,4] convert(sel)
    r = f32[2,64,4] reshape(x)
    t = f32[2,4,64] transpose(r), dims={0,2,1}
    rv = f32[2,4,64] reverse(t), dims={2}
    sl = f32[2,2,32] slice(t), starts={0,1,0}, limits={2,3,64}, strides={1,1,2}
    pd = f32[2,3,70] pad(sl, c), pad_low={0,0,3}, pad_high={0,1,4}, pad_interior={0,0,1}
    cc = f32[2,8,64] concatenate(t, rv), dims={1}
    ds = f32[1,4,64] dynamic-slice(t, s, s, s), dims={0,1,2}
    ds1 = f32[1,4,64] dynamic-slice(t, s), dims={0}
    du = f32[2,4,64] dynamic-update-slice(t, ds, s, s, s), dims={0,1,2}
    ob = f32[2,4,64] optimization-barrier(t)
    ob2 = f32[2,4,64] optimization-barrier(t, du)
    k = f32[3,3,4,6] variable()
    conv = f32[2,8,8,6] convolution(x, k), window={size=3x3 pad=1_1x1_1}, precision_passes=3
    red = f32[2,6] reduce(conv), dims={1,2}
    redmin = bf16[2] reduce(cv), dims={1,2,3}, reducer=min
    rw = f32[2,4,4,6] reduce-window(conv), window={size=2x2 stride=2x2}, reducer=max
    ss = f32[2,8,8,6] select-and-scatter(conv, rw), window={size=2x2 stride=2x2}
    cum = f32[2,6] cumulative(red), dims={1}, reverse=true
    sm = f32[2,6] softmax(red), dims={1}
    g = f32[2,6] gelu(red), approximate=true
    u = f32[4] rng-uniform(), label="stream, 1"
    so = f32[2,6] sort(red), dims={1}, descending=true
    tk = s32[2,3] top-k(red), k=3, result=1
    ar = f32[2,6] all-reduce(red), group_size=4, axis="data"
    op = f32[9] opaque(x, c), label="what \"is\" it"
    id = s32[] partition-id(), group_size=4, axis="model"
    output result op
  })"));
}

TEST(PrintHlo, RandomGraphsSurvive) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    ExpectSurvives(reference::RandomGraph(seed, 12).Bind(4));
  }
}

TEST(PrintHlo, GraphsOfTheCorpusSurvive) {
  const std::filesystem::path corpus =
      std::filesystem::path(TILEWISE_SOURCE_DIR) / "../shared/corpus";
  if (!std::filesystem::exists(corpus)) GTEST_SKIP() << "no " << corpus;
  for (const std::string folder : {"hlo_text", "hlo_proto", "hlo_textproto"}) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus / folder)) {
      if (entry.path().extension() == ".csv") continue;
      SCOPED_TRACE(entry.path().string());
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      const std::string text = bytes.str();
      const auto modules = ReadModules({entry.path().string(), text});
      ASSERT_TRUE(modules.ok()) << modules.status();
      const absl::StatusOr<Workload> workload = BuildWorkload(modules->front(), "model.hlo");
      ASSERT_TRUE(workload.ok()) << workload.status();
      if (!workload->graph || !workload->graph->is_static()) continue;
      const absl::StatusOr<Graph> again = ReadBack(PrintHlo(*workload->graph));
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_TRUE(PrintGraph(*workload->graph) == PrintGraph(*again));
    }
  }
}

TEST(PrintHlo, RefusesPrintedGraphsThatWereChanged) {
  const std::string text = PrintHlo(Parse(R"(graph "g" {
    x = f32[8,4] parameter()
    y = f32[8] reduce(x), dims={1}
    z = f32[8] softmax(y), dims={0}
    output result z
  })"));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"%y = f32[8]", "%y = f32[7]"},
      {"dims={0}", "dims={5}"},
      {"dims={0}", "dims={0} }"},
      {"tilewise.softmax", "tilewise.none"},
      {"result 2", "result 99"},
      {"result 2", "state 2 of 1"},
      {"f32[8,4] parameter", "f32[8,<=4] parameter"},
      {"dimensions={1}", "dimensions={-1}"},
  };
  for (const auto& [from, to] : changes) {
    std::string changed = text;
    const size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from << "\n" << text;
    changed.replace(at, from.size(), to);
    EXPECT_FALSE(ReadBack(changed).ok()) << to;
  }
}

}  // namespace
}  // namespace tilewise::hlo
