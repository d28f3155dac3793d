// The order of the readers, and the types and layouts that all share. Readers:
// convolutional networks that are named by their published form; fully connected
// ones ("FC net: 4x8192, input 2000, output 1000"); transformers, encoders and
// decoders, by published name, by stated shape ("96L, d12288, 96 heads, ffn
// 49152, vocab 50257"), or both.

#include "accuracy/workload_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "accuracy/model_shapes.h"
#include "accuracy/run_text.h"

namespace tilewise {
namespace {

// Networks that are built around one of these, or differ from it.
constexpr std::string_view kOtherNetworks[] = {
    "r-cnn",        "rcnn",  "retina",    "fpn",
    "mask",         "bit ",  "groupnorm", "weight standardisation",
    "shapemask",    "cifar", "unet3d",    "3d u-net",
    "efficientnet", "amoeba"};

struct Family {
  const char* pattern;  // its group, where there is one, is the depth
  const char* spec;     // {} stands for the depth
};
constexpr Family kFamilies[] = {
    {"stable diffusion", "zoo:stable_diffusion"},          {"ssd-resnet34", "zoo:ssd"},
    {"resnet-?(18|34|50|101|152)", "zoo:resnet,depth={}"}, {"inception", "zoo:inception"},
    {"(?:^|[^a-z])vgg-?(16|19)", "zoo:vgg,depth={}"},      {"mobilenet", "zoo:mobilenet"},
    {"densenet-?(121|169|201)", "zoo:densenet,depth={}"},  {"alexnet", "zoo:alexnet"},
};

// What is not built of the layers that the zoo has, or shares them; but those
// of these families that are named in validation/models.csv.
constexpr std::string_view kOtherTransformers[] = {
    "6+6l", "wmt",  "encoder-decoder", "albert", "xlnet", "qanet",  "t5",    "gemma", "gpt-oss",
    "qwen", "dlrm", "diffusion",       "moco",   "mixer", "falcon", "nam12", "nam52", "pax gpt",
    "unet"};

bool IsOther(const TextMatch& text, std::string_view name) {
  return std::any_of(std::begin(kOtherTransformers), std::end(kOtherTransformers),
                     [&](std::string_view other) {
                       return text.Has(other) && name.find(other) == std::string_view::npos;
                     });
}

struct Sizes {
  std::optional<int64_t> layers, d_model, heads, head_dim, kv_heads, d_ff, vocab, seq;
};

Sizes StatedSizes(const TextMatch& text) {
  Sizes shape;
  shape.layers = text.First({"\\b([0-9]+)l\\b", "\\bl([0-9]+)\\b", "([0-9]+) layers"});
  shape.d_model =
      text.First({"\\bd([0-9]+)\\b", "\\bh([0-9]+)\\b", "\\bemb([0-9]+)\\b", "d_model ([0-9]+)"});
  if (const auto both = text.Find("heads ?([0-9]+)x([0-9]+)")) {
    shape.heads = static_cast<int64_t>((*both)[0]);
    shape.head_dim = static_cast<int64_t>((*both)[1]);
  } else if (const auto turned = text.Find("([0-9]+)x([0-9]+) heads")) {
    shape.heads = static_cast<int64_t>((*turned)[0]);
    shape.head_dim = static_cast<int64_t>((*turned)[1]);
  } else {
    shape.heads = text.First({"\\b([0-9]+) heads", "\\bheads([0-9]+)\\b"});
  }
  shape.kv_heads = text.First({"\\bkv([0-9]+)\\b", "([0-9]+) kv heads"});
  shape.d_ff = text.First({"\\bffn ?([0-9]+)\\b", "\\bmlp ?([0-9]+)\\b", "\\bff ?([0-9]+)\\b"});
  shape.vocab = text.First({"vocab ([0-9,]+)"});
  shape.seq = text.First({"seq(?:uence)?(?: length)? ?([0-9,]+)", "\\blen(?:gth)? ([0-9,]+)"});
  return shape;
}

// Stated sizes replace those of the name, and those that follow from them.
void Overlay(SpecParts& parts, const Sizes& shape, bool decoder) {
  const auto set = [&](const char* name, const std::optional<int64_t>& value) {
    if (value) parts.Set(name, *value);
  };
  set("layers", shape.layers);
  set("d_model", shape.d_model);
  set("heads", shape.heads);
  if (decoder && shape.heads) {
    parts.Set("kv_heads", shape.kv_heads.value_or(0));
    parts.Set("head_dim", shape.head_dim.value_or(0));
  }
  if (shape.d_ff) {
    parts.Set("d_ff", *shape.d_ff);
  } else if (shape.d_model && decoder) {
    parts.Set("d_ff", 0);
  }
  set("vocab", shape.vocab);
  set("seq", shape.seq);
}

// SwiGLU and GeGLU are gated SiLU and GELU.
void DescribeUnits(SpecParts& parts, const TextMatch& text, bool named) {
  const bool plain = text.HasAny({"non-gated", "ungated", "not gated"});
  const bool gated = !plain && text.HasAny({"gated", "swiglu", "geglu", "reglu"});
  const bool stated = gated || plain || text.HasAny({"relu", "gelu", "silu", "swish"});
  if (named && !stated) return;
  const bool silu = text.HasAny({"silu", "swiglu", "swish"});
  const bool relu = text.HasAny({"relu", "reglu"});
  parts.Set("gated", gated ? 1 : 0);
  parts.Set("activation", relu ? "relu" : silu ? "silu" : "gelu");
  if (!stated) parts.Assume("ungated GELU units");
}

void DescribeDecoder(SpecParts& parts, const TextMatch& text, bool named) {
  DescribeUnits(parts, text, named);
  const bool untied = text.HasAny({"untied", "not tied"});
  const bool tied = !untied && !text.Word("\\b(tied|tying)\\b").empty();
  if (tied) parts.Set("tied", 1);
  if (named && untied) parts.Set("tied", 0);
  if (!named && !tied && !untied) parts.Assume("an output matrix of its own");
  if (text.Has("reference attention")) parts.Set("kind", "reference");
}

void DescribeEncoder(SpecParts& parts, const TextMatch& text) {
  if (const auto masked = text.First({"([0-9]+) masked", "([0-9]+) predictions"})) {
    parts.Set("predictions", *masked);
  }
  if (text.HasAny({"fine-tun", "finetun"})) parts.Set("classes", 2);
}

SpecParts PartsOf(const TextMatch& text, const Sizes& shape) {
  SpecParts parts = ShapeOfNamedModel(text);
  // "GPT-2 65B" is not the model that is called GPT-2 alone.
  const std::string size = text.Word("\\b([0-9.]+[bm])\\b");
  if (!shape.layers && !size.empty() && parts.name().find(size) == std::string::npos) {
    return SpecParts("");
  }
  const bool named = !parts.empty();
  if (!named) {
    const bool stated = shape.layers && shape.d_model && shape.heads;
    if (!stated) return SpecParts("");
    parts = SpecParts(text.Has("bert") ? "zoo:bert" : "zoo:decoder");
  }
  const bool decoder = parts.model() == "zoo:decoder";
  if (parts.model() == "zoo:vit") {
    if (const auto image = text.First({"\\b(224|384|518|256)\\b"})) {
      parts.Set("image", *image);
    }
    return parts;
  }
  // Experts and other shapes of the name cannot be told from its words alone.
  Overlay(parts, shape, decoder);
  if (decoder) DescribeDecoder(parts, text, named);
  if (!decoder) DescribeEncoder(parts, text);
  return parts;
}

// Each reads one family; no spec and no reason when the text is about something
// else.
WorkloadSpec ReadConvolutionalText(const WorkloadWords& words) {
  const TextMatch& text = words.text;
  if (text.HasAny(kOtherNetworks)) return {};
  for (const Family& family : kFamilies) {
    const std::string pattern = family.pattern;
    if (text.Word("(" + pattern + ")").empty()) continue;
    const bool has_depth = pattern.find('(') != std::string::npos &&
                           std::string_view(family.spec).find("{}") != std::string_view::npos;
    WorkloadSpec spec;
    spec.spec =
        has_depth ? fmt::format(fmt::runtime(family.spec), text.Word(pattern)) : family.spec;
    const auto image =
        text.Has("latents")
            ? std::nullopt
            : text.First({"\\b([0-9]{2,4})x[0-9]{2,4}\\b", "imagenet(?:-1k)? ([0-9]{2,4})\\b",
                          "\\b(224|160|192|256|299|320|384)\\b"});
    if (image) spec.spec += fmt::format(",image={}", *image);
    if (const auto groups = text.First({"group norm ([0-9]+) groups"})) {
      spec.spec += fmt::format(",groups={}", *groups);
    }
    if (!words.dtype.empty()) spec.spec += ",dtype=" + words.dtype;
    return spec;
  }
  return {};
}

WorkloadSpec ReadDenseText(const WorkloadWords& words) {
  const TextMatch& text = words.text;
  if (!text.HasAny({"fc net", "fully connected", "mlp"})) return {};
  const auto layers = text.Find("([0-9]+) ?x ?([0-9]+)");
  const auto input = text.First({"input ([0-9]+)"});
  const auto output = text.First({"output ([0-9]+)"});
  if (!layers || !input || !output) return {};
  WorkloadSpec spec;
  // Such sweeps declare f32 and compute in bf16 passes.
  spec.spec = fmt::format("zoo:mlp,layers={:.0f},nodes={:.0f},input={},output={}", (*layers)[0],
                          (*layers)[1], *input, *output);
  return spec;
}

// Keys that a token sees while an answer grows, on average: "1000 in / 1000 out"
// is 1,500.
std::optional<int64_t> CachedKeys(const TextMatch& text) {
  if (const auto both = text.Find("([0-9]+) in ?/ ?([0-9]+) out")) {
    return static_cast<int64_t>((*both)[0] + (*both)[1] / 2);
  }
  if (const auto both = text.Find("([0-9]+)k ?/ ?([0-9]+)k tokens")) {
    return static_cast<int64_t>(((*both)[0] + (*both)[1] / 2) * 1024);
  }
  return text.First(
      {"max_seq(?:_len)? ?([0-9,]+)", "context (?:of )?([0-9,]+)", "cache (?:of )?([0-9,]+)"});
}

// One token of each sequence with the cache of those before; "" or what is
// missing.
std::string DescribeDecoding(SpecParts& parts, const WorkloadWords& words) {
  if (parts.model() != "zoo:decoder") return "decoding of other models is not in the zoo";
  const std::optional<int64_t> cached = CachedKeys(words.text);
  if (!cached) return "found no length of what is cached";
  if (words.global_batch <= 0) return "found no number of sequences that are decoded together";
  parts.Set("seq", 1);
  parts.Set("cached", *cached);
  parts.Set("slots", words.global_batch);
  parts.Set("kind", "reference");
  if (words.dtype == "s8") {
    parts.Set("dtype", "bf16");
    parts.Set("params", "s8");
  }
  return "";
}

WorkloadSpec ReadTransformerText(const WorkloadWords& words, double devices) {
  const TextMatch& text = words.text;
  WorkloadSpec spec;
  Sizes shape = StatedSizes(text);
  if (!shape.vocab) shape.vocab = words.details.First({"vocab ([0-9,]+)"});
  SpecParts parts = PartsOf(text, shape);
  if (parts.empty() || IsOther(text, parts.name())) return {};
  const bool decodes = !text.Word("\\b(decode|decoding|serving)\\b").empty();
  if (decodes) {
    spec.reason = DescribeDecoding(parts, words);
    if (!spec.reason.empty()) return spec;
  }
  if (!words.dtype.empty() && !parts.Has("dtype")) parts.Set("dtype", words.dtype);
  if (parts.model() == "zoo:decoder") {
    if (!shape.seq && !parts.Has("seq")) parts.Assume("the zoo's number of positions");
    if (!shape.vocab && !parts.Has("vocab")) parts.Assume("the zoo's vocabulary");
  }
  spec.slices = SlicesIn(text);
  spec.mesh = MeshIn(text, devices, spec.slices);
  spec.spec = parts.text();
  spec.assumed = parts.assumed();
  return spec;
}

}  // namespace

std::string PromptOf(std::string_view decoding, int64_t tokens) {
  std::string prompt;
  while (!decoding.empty()) {
    const std::string_view part = decoding.substr(0, decoding.find(','));
    decoding.remove_prefix(std::min(part.size() + 1, decoding.size()));
    const std::string_view name = part.substr(0, part.find('='));
    if (name == "cached" || name == "slots" || name == "kind") continue;
    if (!prompt.empty()) prompt += ',';
    prompt += name == "seq" ? fmt::format("seq={}", tokens) : std::string(part);
  }
  return prompt;
}

std::string ReadDType(std::string_view text) {
  const TextMatch match(text);
  // What is computed in, not what is kept: "bf16 (f32 weights)". A program of
  // f32 that runs in bf16 passes is one of f32.
  struct Name {
    const char* pattern;
    const char* dtype;
  };
  constexpr Name kNames[] = {{"^(int8|s8)", "s8"},
                             {"^(fp8|float8)", "fp8"},
                             {"^(float16|f16|fp16)", "f16"},
                             {"^(bfloat16|bf16)", "bf16"},
                             {"^((?:float32|f32|fp32)/bf16)", "bf16"},
                             {"^(float32|f32|fp32)", "f32"}};
  for (const Name& name : kNames) {
    if (!match.Word(name.pattern).empty()) return name.dtype;
  }
  return "";
}

WorkloadSpec ReadWorkload(const WorkloadWords& words, double devices) {
  WorkloadSpec found = ReadKernelText(words, devices);
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadConvolutionalText(words);
  }
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadTransformerText(words, devices);
  }
  if (found.spec.empty() && found.reason.empty()) {
    found = ReadDenseText(words);
  }
  if (found.spec.empty() && found.reason.empty()) found.reason = "no spec";
  return found;
}

}  // namespace tilewise
