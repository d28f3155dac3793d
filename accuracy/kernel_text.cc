// Single kernels: matmuls, memory copies, collectives, attention.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "accuracy/workload_text.h"

namespace tilewise {
namespace {

WorkloadSpec Reason(std::string reason) {
  WorkloadSpec spec;
  spec.reason = std::move(reason);
  return spec;
}

int64_t Width(const std::string& dtype) {
  if (dtype == "f32") return 4;
  return dtype == "s8" ? 1 : 2;
}

// The type that the sentence names, else the row's, else bf16.
std::string TypeOf(const WorkloadWords& words) {
  const std::string named =
      words.text.Word("\\b(bf16|bfloat16|f32|float32|f16|float16|int8|s8)\\b");
  if (!named.empty()) return ReadDType(named);
  return words.dtype.empty() ? "bf16" : words.dtype;
}

// {m, k, n} of "[m,k]x[k,n]", "mxkxn" or "n^3".
std::optional<std::array<double, 3>> MatmulSizes(const TextMatch& text) {
  const auto matrices = text.Find("\\[([0-9]+), ?([0-9]+)\\] ?[x*@] ?\\[([0-9]+), ?([0-9]+)\\]");
  if (matrices && (*matrices)[1] == (*matrices)[2]) {
    return std::array{(*matrices)[0], (*matrices)[1], (*matrices)[3]};
  }
  const auto three = text.Find("\\b([0-9]+) ?[x*] ?([0-9]+) ?[x*] ?([0-9]+)\\b");
  if (three) return std::array{(*three)[0], (*three)[1], (*three)[2]};
  const auto cube = text.Find("\\b([0-9]+) ?\\^ ?3\\b");
  if (cube) return std::array{(*cube)[0], (*cube)[0], (*cube)[0]};
  return std::nullopt;
}

// Reads the blocks of a kernel of [m,k] x [k,n] with "blocks bm=512 bk=1024
// bn=1024" or "blocks bm=bk=bn=128".
std::optional<MatmulCuts> BlocksOf(const TextMatch& text, const std::array<double, 3>& sizes) {
  auto blocks = text.Find("bm=([0-9]+) bk=([0-9]+) bn=([0-9]+)");
  if (!blocks) {
    const auto one = text.Find("bm=bk=bn=([0-9]+)");
    if (!one) return std::nullopt;
    blocks = std::vector<double>(3, one->front());
  }
  const auto cuts = [&](size_t i) {
    return static_cast<int64_t>(std::ceil(sizes[i] / (*blocks)[i]));
  };
  return MatmulCuts{.n = cuts(2), .m = cuts(0), .k = cuts(1), .hand_written = true};
}

WorkloadSpec ReadMatmul(const WorkloadWords& words) {
  if (!words.text.HasAny({"matmul", "gemm", "matrix product", "dot product"})) {
    return {};
  }
  const auto sizes = MatmulSizes(words.text);
  if (!sizes) return {};
  WorkloadSpec spec;
  if (words.text.HasAny({"pallas", "blocked", "blocks"})) {
    spec.matmul_cuts = BlocksOf(words.text, *sizes);
    if (!spec.matmul_cuts) return Reason("hand-written kernel, blocks unknown");
  }
  spec.spec = fmt::format("zoo:gemm,m={:.0f},n={:.0f},k={:.0f},dtype={}", (*sizes)[0], (*sizes)[2],
                          (*sizes)[1], TypeOf(words));
  return spec;
}

struct ByteUnit {
  const char* name;
  double bytes;
};
constexpr ByteUnit kByteUnits[] = {
    {"bytes", 1}, {"kib", 1024.0}, {"mib", 1024.0 * 1024}, {"gib", 1073741824.0}, {"kb", 1e3},
    {"mb", 1e6},  {"gb", 1e9}};

// "2097152 bytes", "33.55 MB".
double StatedBytes(const TextMatch& text) {
  for (const ByteUnit& unit : kByteUnits) {
    const auto found = text.Find(fmt::format("\\b([0-9][0-9,]*\\.?[0-9]*) ?{}\\b", unit.name));
    if (found) return found->front() * unit.bytes;
  }
  return 0;
}

// "bf16[8,1024,8192]", "bf16 17408x17408", "f32 input 262144 elements".
double ElementsOf(const TextMatch& text) {
  const std::string type = "(?:bf16|bfloat16|f32|float32|f16|float16|int8|s8)";
  const auto of = [&](const std::string& rest) {
    const auto found = text.Find(type + rest);
    double product = found ? 1 : 0;
    if (found) {
      for (const double size : *found) product *= size;
    }
    return product;
  };
  for (const char* rest :
       {"\\[([0-9]+)\\]", "\\[([0-9]+), ?([0-9]+)\\]", "\\[([0-9]+), ?([0-9]+), ?([0-9]+)\\]",
        " ([0-9]+) ?x ?([0-9]+)\\b", "[ a-z]* ([0-9][0-9,]*) elements"}) {
    if (const double elements = of(rest); elements > 0) return elements;
  }
  return 0;
}

// Returns the bytes of one array; 0 when the text does not say.
double ArrayBytes(const WorkloadWords& words) {
  const double elements = ElementsOf(words.text);
  const auto width = static_cast<double>(Width(TypeOf(words)));
  return elements > 0 ? elements * width : StatedBytes(words.text);
}

WorkloadSpec ReadCopy(const WorkloadWords& words) {
  if (!words.text.Has("copy") || !words.text.HasAny({"hbm", "memory"})) {
    return {};
  }
  const double bytes = ArrayBytes(words);
  if (bytes < 1) return {};
  WorkloadSpec spec;
  spec.spec = fmt::format("zoo:copy,bytes={:.0f},dtype={}", bytes, TypeOf(words));
  spec.moved_bytes = 2 * bytes;  // read and written
  return spec;
}

struct CollectiveName {
  const char* pattern;
  const char* kind;
  // Bytes that a bandwidth counts, of the bytes of the largest of input and
  // result, for rings: (n - 1) / n of them, twice where they go round twice.
  double rounds;
};
constexpr CollectiveName kCollectives[] = {
    {"(psum[_ -]?scatter|reduce[_ -]?scatter)", "reduce_scatter", 1},
    {"(psum|all[_ -]?reduce)", "all_reduce", 2},
    {"(all[_ -]?gather)", "all_gather", 1},
    {"(all[_ -]?to[_ -]?all)", "all_to_all", 1}};

// The input of each core is `bytes`. A source that states the bytes counted
// ("transferred data 0.0063 GB") is taken as it is.
double BytesCounted(const CollectiveName& collective, double bytes, double cores,
                    const TextMatch& details) {
  const auto stated = details.Find("transferred data ([0-9.]+) ?gb");
  if (stated) return stated->front() * 1e9;
  const bool grows = std::string_view(collective.kind) == "all_gather";
  return collective.rounds * bytes * (grows ? cores : 1) * (cores - 1) / cores;
}

// "over 2-way model axis"; else all devices. A result of "(x4 out)" on more
// devices is one group on each core of the chips: together they send over the
// links what one group of all devices does.
double Participants(const TextMatch& text, double devices) {
  const auto part = text.First({"over ([0-9]+)-way"});
  if (part) return static_cast<double>(*part);
  const auto out = text.First({"\\(x([0-9]+) out\\)"});
  return out ? std::max(static_cast<double>(*out), devices) : devices;
}

WorkloadSpec ReadCollective(const WorkloadWords& words, double devices) {
  for (const CollectiveName& collective : kCollectives) {
    if (words.text.Word(collective.pattern).empty()) continue;
    const double bytes = ArrayBytes(words);
    if (bytes < 1) return {};
    const double cores = Participants(words.text, devices);
    if (cores < 2) return Reason("number of cores not stated");
    WorkloadSpec spec;
    spec.spec = fmt::format("zoo:collective,kind={},bytes={:.0f},cores={:.0f},dtype={}",
                            collective.kind, bytes, cores, TypeOf(words));
    spec.moved_bytes = BytesCounted(collective, bytes, cores, words.details);
    return spec;
  }
  return {};
}

// "batch 2, seq 2048, 32 heads x 64".
WorkloadSpec ReadAttention(const WorkloadWords& words) {
  const TextMatch& text = words.text;
  if (!text.Has("attention") || text.HasAny({"layers", "bert", "ffn", "fsdp"})) {
    return {};
  }
  const auto heads = text.Find("([0-9]+) heads ?x ?([0-9]+)");
  const auto seq = text.First({"seq(?:uence)?(?: length)? ([0-9]+)"});
  const auto batch = text.First({"batch ([0-9]+)"});
  if (!heads || !seq || !batch) return {};
  WorkloadSpec spec;
  spec.spec = fmt::format("zoo:attention,batch={},seq={},heads={:.0f},head_dim={:.0f}", *batch,
                          *seq, (*heads)[0], (*heads)[1]);
  if (const auto kv = text.First({"([0-9]+) kv heads"})) {
    spec.spec += fmt::format(",kv_heads={}", *kv);
  }
  const bool causal = text.Has("causal") && !text.Has("non-causal");
  spec.spec += causal ? ",causal=1" : ",causal=0";
  if (text.Has("bias")) spec.spec += ",bias=1";
  if (text.HasAny({"grad", "backward"})) spec.spec += ",grad=1";
  spec.spec += text.Has("flash") ? ",kind=flash" : ",kind=reference";
  spec.spec += ",dtype=" + TypeOf(words);
  return spec;
}

}  // namespace

WorkloadSpec ReadKernelText(const WorkloadWords& words, double devices) {
  WorkloadSpec found = ReadMatmul(words);
  const auto none = [&] { return found.spec.empty() && found.reason.empty(); };
  if (none()) found = ReadCopy(words);
  if (none()) found = ReadCollective(words, devices);
  if (none()) found = ReadAttention(words);
  return found;
}

}  // namespace tilewise
