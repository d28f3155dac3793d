// Words of MaxText, of recipes and of reports.

#include "accuracy/run_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "graph/training.h"

namespace tilewise {
namespace {

// Tensors by the words that reports have for them.
struct KeptTensor {
  std::string_view word;
  std::string_view names;  // of --remat, each before "="
};
constexpr KeptTensor kTensors[] = {
    {"layer input", "decoder_layer_input"},
    {"qkv", "query_proj key_proj value_proj"},
    {"projections", "query_proj key_proj value_proj"},
    {"attn-out", "out_proj"},
    {"attention out", "out_proj"},
    {"and attention", "context"},
};

std::string Actions(std::string_view names, std::string_view action) {
  std::string text;
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    text += fmt::format(",{}={}", names.substr(0, end), action);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return text;
}

// Returns the words from "remat" to the next part of the sentence.
std::string RematWords(const std::string& text) {
  const size_t begin = text.find("remat ");
  if (begin == std::string::npos) return "";
  const size_t end = std::min({text.find("flash", begin), text.find(';', begin), text.size()});
  return text.substr(begin, end - begin);
}

}  // namespace

int64_t SlicesIn(const TextMatch& text) {
  const auto stated = text.First({"([0-9]+) slices", "([0-9]+)-slice", "([0-9]+) pods of",
                                  "dcn fsdp ([0-9]+)", "dcn dp ([0-9]+)"});
  return stated.value_or(1);
}

std::string MeshIn(const TextMatch& text, double devices, int64_t slices) {
  const auto tensor = text.First({"\\btp ?([0-9]+)", "([0-9]+)-way (?:tensor|model) parallel"});
  auto data = text.First({"\\bdp ?([0-9]+)"});
  const auto expert = text.First({"\\bep ?([0-9]+)", "([0-9]+)-way expert parallel"});
  const auto context = text.First(
      {"\\b[cs]p ?([0-9]+)", "\\bcontext ?([0-9]+)", "([0-9]+)-way (?:context|sequence) parallel"});
  auto fsdp = text.First({"(?:^|[^n] )fsdp ?([0-9]+)"});
  if (const auto grid = text.Find("mesh \\(([0-9]+), ?([0-9]+)\\)")) {
    return fmt::format("fsdp={:.0f},tensor={:.0f}", (*grid)[0], (*grid)[1]);
  }
  const auto across = text.First({"dcn fsdp ([0-9]+)"});
  if (slices > 1 && !data && !across) data = slices;
  // MaxText puts all that is left on fsdp unless told otherwise.
  if (!fsdp && text.HasAny({"fsdp", "maxtext"})) {
    double rest = devices;
    for (const auto& axis : {tensor, data, expert, context}) {
      rest /= static_cast<double>(axis.value_or(1));
    }
    fsdp = std::max<int64_t>(1, std::llround(rest));
  } else if (fsdp && across) {
    *fsdp *= *across;
  }
  std::string mesh;
  const auto add = [&](const char* axis, const std::optional<int64_t>& size) {
    if (!size || *size < 2) return;
    mesh += fmt::format("{}{}={}", mesh.empty() ? "" : ",", axis, *size);
  };
  if (fsdp || tensor || context) add("data", data);
  add("fsdp", fsdp);
  add("expert", expert);
  add("context", context);
  add("tensor", tensor);
  return mesh;
}

std::string RematIn(const TextMatch& text, std::vector<std::string>& assumed) {
  std::string word = text.Word("remat ([a-z_]+)");
  if (word.empty()) return text.Has("gradient checkpointing") ? "full" : "";
  if (ParseRematPolicy(word).ok()) return word;
  const std::string words = RematWords(text.text());
  const bool offloads = words.find("offload") != std::string::npos;
  const bool keeps =
      words.find("kept") != std::string::npos || words.find("saved") != std::string::npos;
  std::string policy = "full";
  if (offloads || keeps) {
    for (const KeptTensor& tensor : kTensors) {
      if (words.find(tensor.word) == std::string::npos) continue;
      policy += Actions(tensor.names, offloads ? "offload" : "save");
    }
    if (policy != "full") return policy;
  }
  // The row does not say which are offloaded: these are those that published
  // recipes name.
  if (offloads) {
    policy += Actions("decoder_layer_input query_proj key_proj value_proj out_proj", "offload");
  }
  assumed.push_back("remat " + policy);
  return policy;
}

std::string FlagIn(const TextMatch& text) {
  const std::string flag = text.Word("\\b(xla_[a-z0-9_]+=[a-z0-9]+)");
  return flag.empty() ? "" : "--" + flag;
}

}  // namespace tilewise
