// Sizes, defaults and blocks as in MaxText's configs/types.py and layers/decoders.py.

#include "frontend/maxtext/decoder_spec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

// What a decoder_block adds to the parameters that all have. {key} is the setting of that name.
struct Block {
  std::string_view name, parameters;
};
constexpr std::array<Block, 15> kBlocks = {{
    {"default", ""},
    {"llama2", ""},
    {"mistral", ""},
    {"gemma", ""},
    {"gemma2", "global_every=2,result_norm=1"},
    {"gemma3", "global_every=6,result_norm=1,qk_norm=1"},
    {"gemma4", "global_every=6,result_norm=1,qk_norm=1"},
    {"qwen2", "bias=heads"},
    {"qwen3", "qk_norm=1"},
    {"qwen3_moe", "qk_norm=1"},
    {"mixtral", ""},
    {"deepseek", ""},
    {"llama4", "weigh=input,sort_grad=scatter"},
    {"gpt_oss", "bias=1,global_every=2"},
    {"gpt3", "norm=layer,positions=learned,bias=1"},
}};

// A setting of MaxText that is a parameter of the zoo's, with MaxText's default.
struct Row {
  std::string_view parameter, key;
  int64_t otherwise;
  int64_t left_out;  // this value says nothing
};
constexpr Row kSizes[] = {
    {"vocab", "vocab_size", 32'000, -1},
    {"seq", "max_target_length", 2048, -1},
    {"sliding_window", "sliding_window_size", 0, 0},
    {"vocab_tiles", "num_vocab_tiling", 1, 1},
    {"mtp_layers", "mtp_num_layers", 0, 0},
    {"global_head_dim", "global_head_dim", 0, 0},
    {"global_kv_heads", "global_num_kv_heads", 0, 0},
};
constexpr Row kExperts[] = {
    {"top_k", "num_experts_per_tok", 1, -1},
    {"shared_experts", "shared_experts", 0, 0},
    {"dense_layers", "first_num_dense_layers", 0, 0},
    {"expert_every", "interleave_moe_layer_step", 1, 1},
    {"expert_ff", "base_moe_mlp_dim", -1, -1},
    {"block_rows", "wi_tile_fwd_batch_seq", 512, 512},
    {"block_d", "wi_tile_fwd_embed_dim", 1024, 1024},
    {"block_ff", "wi_tile_fwd_mlp_dim", 1024, 1024},
};
constexpr Row kBlockSizes[] = {
    {"q_block", "sa_block_q", 512, -1},
    {"kv_block", "sa_block_kv", 512, -1},
    {"grad_q_block", "sa_block_q_dkv", 512, -1},
    {"grad_kv_block", "sa_block_kv_dkv", 512, -1},
};

// Settings that add work to a layer, and what each is unless it says otherwise.
constexpr std::array<std::pair<std::string_view, double>, 3> kUncosted = {
    {{"attn_logits_soft_cap", 0}, {"final_logits_soft_cap", 0}, {"load_balance_loss_weight", 0}}};

class SpecWriter {
 public:
  explicit SpecWriter(const MaxTextValues& values) : values_(values) {}

  absl::StatusOr<DecoderSpec> Write() {
    TW_ASSIGN_OR_RETURN(const std::string_view parameters, BlockParameters());
    TW_RETURN_IF_ERROR(AddScaledSizes());
    AddRows(kSizes);
    Add("head_dim", values_.Integer(block_ == "deepseek" ? "qk_nope_head_dim" : "head_dim", 128));
    AddWords();
    if (!parameters.empty()) out_.text += fmt::format(",{}", parameters);
    if (values_.Integer("num_experts", 1) > 1) TW_RETURN_IF_ERROR(AddExperts());
    if (block_ == "deepseek") TW_RETURN_IF_ERROR(AddLatent());
    TW_RETURN_IF_ERROR(AddTypes());
    AddAttention();
    for (const auto& [key, off] : kUncosted) {
      const double value = values_.Number(key, off);
      if (value > 0) out_.uncosted.emplace_back(key);
    }
    for (const std::string_view key : {"attention_sink", "use_indexer"}) {
      if (values_.Flag(key, false)) out_.uncosted.emplace_back(key);
    }
    if (values_.Text("attention_type", "global") == "chunk") {
      out_.uncosted.emplace_back("attention_type=chunk");
    }
    return std::move(out_);
  }

 private:
  void Add(std::string_view parameter, std::string_view value) {
    out_.text += fmt::format(",{}={}", parameter, value);
  }
  void Add(std::string_view parameter, int64_t value) { Add(parameter, std::to_string(value)); }

  template <size_t N>
  void AddRows(const Row (&rows)[N], int64_t largest = int64_t{1} << 40) {
    for (const Row& row : rows) {
      const int64_t value = std::min(values_.Integer(row.key, row.otherwise), largest);
      if (value != row.left_out && value >= 0) Add(row.parameter, value);
    }
  }

  absl::StatusOr<std::string_view> BlockParameters() {
    block_ = values_.Text("decoder_block", "llama2");
    // Gemma 4 with experts has a dense network beside them in each layer.
    const bool has_both = block_ == "gemma4" && values_.Integer("num_experts", 1) > 1;
    for (const Block& block : kBlocks) {
      if (block.name == block_ && !has_both) return block.parameters;
    }
    return absl::UnimplementedError(fmt::format("the decoder_block '{}' of MaxText{} is not known",
                                                block_, has_both ? " with experts" : ""));
  }

  // Powers of two by global_parameter_scale, in the order that MaxText has.
  absl::Status AddScaledSizes() {
    const auto scale = static_cast<uint64_t>(
        std::clamp<int64_t>(values_.Integer("global_parameter_scale", 1), 1, 1 << 20));
    const int64_t log = std::bit_width(scale) - 1;
    const int64_t layers = log / 3, rest = log % 3;
    const int64_t heads = layers + (rest > 0 ? 1 : 0), emb = layers + (rest > 1 ? 1 : 0);
    // A layer of MaxText's Gemma 2 is one with a window and one without.
    const int64_t written = block_ == "gemma2" ? 2 : 1;
    const std::array<std::tuple<std::string_view, std::string_view, int64_t>, 5> sizes = {{
        {"layers", "base_num_decoder_layers", written << layers},
        {"d_model", "base_emb_dim", int64_t{1} << emb},
        {"heads", "base_num_query_heads", int64_t{1} << heads},
        {"kv_heads", "base_num_kv_heads", int64_t{1} << heads},
        {"d_ff", "base_mlp_dim", int64_t{1} << heads},
    }};
    constexpr int64_t kLargest = 1 << 24;
    out_.text = "zoo:decoder";
    for (const auto& [parameter, key, factor] : sizes) {
      const int64_t size = values_.Integer(key, 0);
      if (size < 1 || size > kLargest) {
        return InvalidInput(fmt::format("found no size {}, expected that of a model", key));
      }
      Add(parameter, size * factor);
    }
    return absl::OkStatus();
  }

  void AddWords() {
    const Setting* activations = values_.Find("mlp_activations");
    const bool is_list = activations != nullptr && !activations->children.empty();
    const std::string first = is_list ? activations->children.front().value : "silu";
    if (first == "gelu" || first == "relu") Add("activation", first);
    // A sigmoid of the gate is what SiLU is made of.
    const bool is_known =
        first == "gelu" || first == "relu" || first == "silu" || first == "sigmoid";
    if (!is_known) out_.uncosted.push_back(fmt::format("mlp_activations={}", first));
    if (is_list && activations->children.size() == 1) Add("gated", 0);
    if (values_.Flag("logits_via_embedding", false)) Add("tied", 1);
    if (values_.Flag("use_iota_embed", false)) Add("lookup", "one_hot");
    if (!values_.Flag("scan_layers", true)) Add("scan", 0);
    if (values_.Flag("share_kv_projections", false)) Add("global_values", "keys");
    const bool norms_heads = block_.starts_with("qwen3") || block_.starts_with("gemma");
    if (!norms_heads && values_.Flag("use_qk_norm", false)) Add("qk_norm", 1);
    const bool has_bias = block_ == "qwen2" || block_ == "gpt_oss" || block_ == "gpt3";
    if (!has_bias && values_.Flag("attention_bias", false)) Add("bias", "heads");
  }

  absl::Status AddExperts() {
    Add("experts", values_.Integer("num_experts", 1));
    AddRows(kExperts);
    const double capacity = values_.Number("capacity_factor", -1);
    const bool is_sorted = values_.Flag("sparse_matmul", true);
    if (!is_sorted && capacity <= 0) {
      return absl::UnimplementedError(
          "sparse_matmul=false without a capacity_factor, where every expert gets every token, is "
          "not known");
    }
    Add("capacity", is_sorted ? 0 : static_cast<int64_t>(100 * std::min(capacity, 100.0)));
    return absl::OkStatus();
  }

  absl::Status AddLatent() {
    const int64_t head = values_.Integer("qk_nope_head_dim", 128);
    if (head != values_.Integer("v_head_dim", 128) ||
        values_.Integer("qk_rope_head_dim", 64) != 64) {
      return absl::UnimplementedError(
          "latent attention with v_head_dim other than qk_nope_head_dim, or with other than 64 "
          "rotary features, is not known");
    }
    Add("latent", values_.Integer("kv_lora_rank", 512));
    if (const int64_t rank = values_.Integer("q_lora_rank", 0); rank > 0) Add("query_latent", rank);
    return absl::OkStatus();
  }

  absl::StatusOr<std::string_view> TypeOf(std::string_view key, std::string_view otherwise) const {
    const std::string name = values_.Text(key, otherwise);
    if (name == "bfloat16") return "bf16";
    if (name == "float32") return "f32";
    if (name == "float16") return "f16";
    return absl::UnimplementedError(fmt::format("the {} '{}' of MaxText is not known", key, name));
  }

  absl::Status AddTypes() {
    const std::string quantization = values_.Text("quantization", "");
    const bool is_fp8 = quantization.find("fp8") != std::string::npos;
    const bool is_int8 = quantization.find("int8") != std::string::npos;
    if (!quantization.empty() && !is_fp8 && !is_int8) {
      return absl::UnimplementedError(
          fmt::format("the quantization '{}' of MaxText is not known", quantization));
    }
    TW_ASSIGN_OR_RETURN(const std::string_view dtype, TypeOf("dtype", "bfloat16"));
    TW_ASSIGN_OR_RETURN(const std::string_view weights, TypeOf("weight_dtype", "float32"));
    Add("dtype", is_fp8 ? "fp8" : is_int8 ? "s8" : dtype);
    Add("params", weights);
    return absl::OkStatus();
  }

  void AddAttention() {
    const std::string kind = values_.Text("attention", "autoselected");
    // What MaxText selects itself on a TPU, but for sequences too short for the kernel.
    constexpr int64_t kShortest = 128;
    const int64_t seq = values_.Integer("max_target_length", 2048);
    const bool is_plain = kind == "dot_product" || (kind == "autoselected" && seq < kShortest);
    if (is_plain) {
      Add("kind", "reference");
      return;
    }
    AddRows(kBlockSizes, seq);
    if (values_.Flag("sa_use_fused_bwd_kernel", false)) Add("grad_sweeps", 1);
  }

  const MaxTextValues& values_;
  std::string block_;
  DecoderSpec out_;
};

}  // namespace

absl::StatusOr<DecoderSpec> DecoderSpecOf(const MaxTextValues& values) {
  return SpecWriter(values).Write();
}

}  // namespace tilewise
