// Small models whose steps are partitioned: as text, for N examples.

#ifndef TILEWISE_TESTS_LOWERING_MESH_MODELS_H_
#define TILEWISE_TESTS_LOWERING_MESH_MODELS_H_

#include <cstdint>
#include <ostream>
#include <string>

#include <absl/strings/str_replace.h>

#include "tests/lowering/step_graphs.h"

namespace tilewise {

struct MeshModel {
  std::string name;
  std::string body;
  OptimizerKind optimizer = OptimizerKind::kAdam;
};

inline void PrintTo(const MeshModel& model, std::ostream* out) { *out << model.name; }

inline constexpr char kMlp[] = R"(
  x = f32[N,6] parameter()
  w1 = f32[6,30] variable()
  b1 = f32[30] variable()
  h = f32[N,30] dot(x, w1), lhs_contract={1}, rhs_contract={0}
  bb = f32[N,30] broadcast(b1), dims={1}
  hb = f32[N,30] add(h, bb)
  t = f32[N,30] tanh(hb)
  w2 = f32[30,12] variable()
  y = f32[N,12] dot(t, w2), lhs_contract={1}, rhs_contract={0}
  s = f32[12] variable()
  ss = f32[N,12] broadcast(s), dims={1}
  z = f32[N,12] add(y, ss)
  output result z
)";

// Gated layer with a residual and a norm, weights cast to bf16.
inline constexpr char kGated[] = R"(
  x = f32[N,6] parameter()
  g = f32[6] variable()
  o = f32[6] variable()
  n = f32[N,6] layer-norm(x, g, o), dims={1}, epsilon=0.001
  nb = bf16[N,6] convert(n)
  w1 = f32[6,30] variable()
  w1b = bf16[6,30] convert(w1)
  w2 = f32[6,30] variable()
  w2b = bf16[6,30] convert(w2)
  w3 = f32[30,6] variable()
  w3b = bf16[30,6] convert(w3)
  a = bf16[N,30] dot(nb, w1b), lhs_contract={1}, rhs_contract={0}
  l = bf16[N,30] logistic(a)
  m = bf16[N,30] dot(nb, w2b), lhs_contract={1}, rhs_contract={0}
  p = bf16[N,30] multiply(l, m)
  d = bf16[N,6] dot(p, w3b), lhs_contract={1}, rhs_contract={0}
  df = f32[N,6] convert(d)
  y = f32[N,6] add(x, df)
  output result y
)";

inline std::string AttentionBlock(bool flash) {
  return std::string(R"(
  ids = s32[N,4] parameter()
  table = f32[30,12] variable()
  x = f32[N,4,12] gather(table, ids)
  wq = f32[12,24] variable()
  q1 = f32[N,4,24] dot(x, wq), lhs_contract={2}, rhs_contract={0}
  q = f32[N,4,12,2] reshape(q1)
  wk = f32[12,12] variable()
  k1 = f32[N,4,12] dot(x, wk), lhs_contract={2}, rhs_contract={0}
  k = f32[N,4,6,2] reshape(k1)
  wv = f32[12,12] variable()
  v1 = f32[N,4,12] dot(x, wv), lhs_contract={2}, rhs_contract={0}
  v = f32[N,4,6,2] reshape(v1)
  a = f32[N,4,12,2] attention(q, k, v), causal=true, scale=0.7)") +
         (flash ? ", flash=true" : "") + R"(
  a1 = f32[N,4,24] reshape(a)
  wo = f32[24,12] variable()
  p = f32[N,4,12] dot(a1, wo), lhs_contract={2}, rhs_contract={0}
  y = f32[N,4,12] add(x, p)
  wl = f32[12,30] variable()
  z = f32[N,4,30] dot(y, wl), lhs_contract={2}, rhs_contract={0}
  output result z
)";
}

// Decoding: so many key heads, six query heads, keys and values of earlier
// positions in a cache.
inline std::string Decoding(int64_t key_heads, bool flash, bool repeats) {
  const std::string heads = std::to_string(key_heads);
  const std::string features = std::to_string(2 * key_heads);
  std::string model = R"(
  x = f32[2,1,12] parameter()
  first = s32[] constant(), value=3
  wq = f32[12,12] variable()
  q1 = f32[2,1,12] dot(x, wq), lhs_contract={2}, rhs_contract={0}
  q = f32[2,1,6,2] reshape(q1)
  wk = f32[12,F] variable()
  k1 = f32[2,1,F] dot(x, wk), lhs_contract={2}, rhs_contract={0}
  k2 = f32[2,1,H,2] reshape(k1)
  keys = f32[2,4,H,2] variable(), trainable=false
  k = f32[2,4,H,2] dynamic-update-slice(keys, k2, first), dims={1}
  wv = f32[12,F] variable()
  v1 = f32[2,1,F] dot(x, wv), lhs_contract={2}, rhs_contract={0}
  v2 = f32[2,1,H,2] reshape(v1)
  values = f32[2,4,H,2] variable(), trainable=false
  v = f32[2,4,H,2] dynamic-update-slice(values, v2, first), dims={1}
REPEAT
  a = f32[2,1,6,2] attention(q, KEYS), causal=true, scale=0.7FLASH
  a1 = f32[2,1,12] reshape(a)
  wo = f32[12,12] variable()
  p = f32[2,1,12] dot(a1, wo), lhs_contract={2}, rhs_contract={0}
  y = f32[2,1,12] add(x, p)
  w1 = f32[12,18] variable()
  u = f32[2,1,18] dot(y, w1), lhs_contract={2}, rhs_contract={0}
  t = f32[2,1,18] tanh(u)
  w2 = f32[18,12] variable()
  z = f32[2,1,12] dot(t, w2), lhs_contract={2}, rhs_contract={0}
  output result z
  output state k of keys
  output state v of values
)";
  const std::string times = std::to_string(6 / key_heads);
  const std::string repeated = R"(
  kb = f32[2,4,H,T,2] broadcast(k), dims={0,1,2,4}
  kr = f32[2,4,6,2] reshape(kb)
  vb = f32[2,4,H,T,2] broadcast(v), dims={0,1,2,4}
  vr = f32[2,4,6,2] reshape(vb)
)";
  return absl::StrReplaceAll(absl::StrReplaceAll(model, {{"REPEAT", repeats ? repeated : ""},
                                                         {"KEYS", repeats ? "kr, vr" : "k, v"},
                                                         {"FLASH", flash ? ", flash=true" : ""}}),
                             {{"H,", heads + ","}, {"F]", features + "]"}, {"T,", times + ","}});
}

// The first product starts the residual stream.
inline constexpr char kProjected[] = R"(
  x = f32[N,4] parameter()
  w0 = f32[4,12] variable()
  h = f32[N,12] dot(x, w0), lhs_contract={1}, rhs_contract={0}
  t0 = f32[N,12] tanh(h)
  w1 = f32[12,30] variable()
  a = f32[N,30] dot(t0, w1), lhs_contract={1}, rhs_contract={0}
  t = f32[N,30] tanh(a)
  w2 = f32[30,12] variable()
  b = f32[N,12] dot(t, w2), lhs_contract={1}, rhs_contract={0}
  y = f32[N,12] add(h, b)
  w3 = f32[12,6] variable()
  z = f32[N,6] dot(y, w3), lhs_contract={1}, rhs_contract={0}
  output result z
)";

// The table is also the output matrix.
inline constexpr char kTied[] = R"(
  ids = s32[N,3] parameter()
  table = f32[30,6] variable()
  x = f32[N,3,6] gather(table, ids)
  t = f32[N,3,6] tanh(x)
  z = f32[N,3,30] dot(t, table), lhs_contract={2}, rhs_contract={1}
  output result z
)";

// The same behind a residual block; the rows cannot be shared out.
inline constexpr char kTiedBlock[] = R"(
  ids = s32[N,3] parameter()
  table = f32[31,6] variable()
  x = f32[N,3,6] gather(table, ids)
  w1 = f32[6,12] variable()
  a = f32[N,3,12] dot(x, w1), lhs_contract={2}, rhs_contract={0}
  t = f32[N,3,12] tanh(a)
  w2 = f32[12,6] variable()
  b = f32[N,3,6] dot(t, w2), lhs_contract={2}, rhs_contract={0}
  y = f32[N,3,6] add(x, b)
  z = f32[N,3,31] dot(y, table), lhs_contract={2}, rhs_contract={1}
  output result z
)";

// A table by itself, looked up in what is known of two places.
inline constexpr char kLookup[] = R"(
  ids = s32[N,3] parameter()
  table = f32[30,6] variable()
  x = f32[N,3,6] gather(table, ids)
  back = s32[N,3] reverse(ids), dims={1}
  y = f32[N,3,6] gather(table, back)
  s = f32[N,3,6] add(x, y)
  t = f32[N,3,6] tanh(s)
  w = f32[6,5] variable()
  z = f32[N,3,5] dot(t, w), lhs_contract={2}, rhs_contract={0}
  output result z
)";

// The table is read by two products, in bf16.
inline constexpr char kTiedProducts[] = R"(
  ids = s32[N,3] parameter()
  table = f32[30,6] variable()
  place = s32[N,3,30] broadcast(ids), dims={0,1}
  row = s32[N,3,30] iota(), dims={2}
  here = pred[N,3,30] compare(place, row), comparison=eq
  hot = bf16[N,3,30] convert(here)
  table16 = bf16[30,6] convert(table)
  x = bf16[N,3,6] dot(hot, table16), lhs_contract={2}, rhs_contract={0}
  t = bf16[N,3,6] tanh(x)
  last16 = bf16[30,6] convert(table)
  y = bf16[N,3,30] dot(t, last16), lhs_contract={2}, rhs_contract={1}
  z = f32[N,3,30] convert(y)
  output result z
)";

// Every token goes to all four experts, with weights.
inline constexpr char kExperts[] = R"(
  x = f32[N,3,6] parameter()
  r = f32[6,4] variable()
  c = f32[N,3,4] dot(x, r), lhs_contract={2}, rhs_contract={0}
  t = f32[N,3,4] tanh(c)
  s = f32[N,4,6] dot(t, x), lhs_batch={0}, rhs_batch={0}, lhs_contract={1}, rhs_contract={1}
  u = f32[4,6,9] variable()
  h = f32[4,N,9] dot(s, u), lhs_batch={1}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  a = f32[4,N,9] logistic(h)
  g = f32[4,6,9] variable()
  k = f32[4,N,9] dot(s, g), lhs_batch={1}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  m = f32[4,N,9] multiply(a, k)
  d = f32[4,9,6] variable()
  y = f32[4,N,6] dot(m, d), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  z = f32[N,3,6] dot(t, y), lhs_batch={0}, rhs_batch={1}, lhs_contract={2}, rhs_contract={0}
  output result z
)";

// The third position of an example goes to the third expert; weights in bf16,
// and a bias.
inline constexpr char kBiasedExperts[] = R"(
  x = f32[N,4,6] parameter()
  p = f32[4,N,6] transpose(x), dims={1,0,2}
  b = bf16[4,N,6] convert(p)
  u = f32[4,6,9] variable()
  v = bf16[4,6,9] convert(u)
  h = bf16[4,N,9] dot(b, v), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  o = f32[4,9] variable()
  q = f32[4,N,9] broadcast(o), dims={0,2}
  w = f32[4,N,9] convert(h)
  s = f32[4,N,9] add(w, q)
  two = f32[4,N,9] constant(), value=2
  e = f32[4,N,9] multiply(s, two)
  a = f32[4,N,9] tanh(e)
  d = f32[4,9,6] variable()
  y = f32[4,N,6] dot(a, d), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  z = f32[N,4,6] transpose(y), dims={1,0,2}
  r = f32[N,4,6] add(x, z)
  output result r
)";

// Biases that each token looks up.
inline constexpr char kLookedUpBiases[] = R"(
  x = f32[N,4,6] parameter()
  ids = s32[N,4] parameter()
  p = f32[4,N,6] transpose(x), dims={1,0,2}
  i = s32[4,N] transpose(ids), dims={1,0}
  j = s32[4N] reshape(i)
  u = f32[4,6,9] variable()
  h = f32[4,N,9] dot(p, u), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  o = f32[4,9] variable()
  q = f32[4N,9] gather(o, j)
  s = f32[4,N,9] reshape(q)
  t = f32[4,N,9] add(h, s)
  a = f32[4,N,9] tanh(t)
  d = f32[4,9,6] variable()
  y = f32[4,N,6] dot(a, d), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={1}
  e = f32[4,6] variable()
  g = f32[4N,6] gather(e, j)
  k = f32[4,N,6] reshape(g)
  m = f32[4,N,6] add(y, k)
  z = f32[N,4,6] transpose(m), dims={1,0,2}
  output result z
)";

// Tokens told half of the positions at a time.
inline constexpr char kTiles[] = R"(
  ids = s32[N,4] parameter()
  table = f32[30,12] variable()
  x = f32[N,4,12] gather(table, ids)
  w = f32[12,12] variable()
  h = f32[N,4,12] dot(x, w), lhs_contract={2}, rhs_contract={0}
  t = f32[N,4,12] tanh(h)
  last = f32[12,30] variable()
  a = f32[N,2,12] slice(t), starts={0,0,0}, limits={-1,2,12}, strides={1,1,1}
  y = f32[N,2,30] dot(a, last), lhs_contract={2}, rhs_contract={0}
  b = f32[N,2,12] slice(t), starts={0,2,0}, limits={-1,4,12}, strides={1,1,1}
  z = f32[N,2,30] dot(b, last), lhs_contract={2}, rhs_contract={0}
  output tile y
  output tile z
)";

inline constexpr char kConvolutions[] = R"(
  x = f32[N,6,6,3] parameter()
  k1 = f32[3,3,3,6] variable()
  c1 = f32[N,4,4,6] convolution(x, k1), window={size=3x3}
  b = f32[6] variable()
  bb = f32[N,4,4,6] broadcast(b), dims={3}
  s1 = f32[N,4,4,6] add(c1, bb)
  t1 = f32[N,4,4,6] tanh(s1)
  dk = f32[3,3,1,6] variable()
  d1 = f32[N,4,4,6] convolution(t1, dk), window={size=3x3 pad=1_1x1_1}, groups=6
  p1 = f32[N,2,2,6] reduce-window(d1), window={size=2x2 stride=2x2}, reducer=max
  k2 = f32[1,1,6,6] variable()
  c2 = f32[N,2,2,6] convolution(p1, k2), window={size=1x1}
  f = f32[N,24] reshape(c2)
  w = f32[24,12] variable()
  y = f32[N,12] dot(f, w), lhs_contract={1}, rhs_contract={0}
  output result y
)";

}  // namespace tilewise

#endif  // TILEWISE_TESTS_LOWERING_MESH_MODELS_H_
