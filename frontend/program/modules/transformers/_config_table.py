"""What configurations of each kind of models hold by default: class, other names, values.

The numbers are those of the public documentation of the configurations.
"""

_HEADS = {"hidden_size": "n_embd", "max_position_embeddings": "n_positions",
          "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"}


def _llama(vocab_size=32000, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
           num_attention_heads=32, num_key_value_heads=None, max_position_embeddings=2048,
           **more):
    values = {
        "vocab_size": vocab_size, "hidden_size": hidden_size,
        "intermediate_size": intermediate_size, "num_hidden_layers": num_hidden_layers,
        "num_attention_heads": num_attention_heads, "num_key_value_heads": num_key_value_heads,
        "hidden_act": "silu", "max_position_embeddings": max_position_embeddings,
        "initializer_range": 0.02, "rms_norm_eps": 1e-6, "use_cache": True,
        "tie_word_embeddings": False, "rope_theta": 10000.0, "rope_scaling": None,
        "attention_bias": False, "attention_dropout": 0.0, "head_dim": None}
    values.update(more)
    return values


_QWEN_MOE = {"decoder_sparse_step": 1, "norm_topk_prob": False, "output_router_logits": False,
             "router_aux_loss_coef": 0.001, "mlp_only_layers": []}
_MLA = {"n_shared_experts": 1, "n_routed_experts": 256, "routed_scaling_factor": 2.5,
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "qk_nope_head_dim": 128, "n_group": 8, "topk_group": 4, "num_experts_per_tok": 8,
        "first_k_dense_replace": 3, "norm_topk_prob": True, "moe_layer_freq": 1,
        "scoring_func": "sigmoid"}
_GEMMA = {"head_dim": 256, "hidden_act": "gelu_pytorch_tanh",
          "hidden_activation": "gelu_pytorch_tanh", "tie_word_embeddings": True}
_TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_BLOOM_NAMES = {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head",
                "n_embed": "hidden_size"}

TABLE = {
    "llama": ("LlamaConfig", {}, _llama(
        bos_token_id=1, eos_token_id=2, pretraining_tp=1, mlp_bias=False)),
    "mistral": ("MistralConfig", {}, _llama(
        intermediate_size=14336, num_key_value_heads=8, max_position_embeddings=131072,
        bos_token_id=1, eos_token_id=2, sliding_window=4096)),
    "mixtral": ("MixtralConfig", {"num_experts": "num_local_experts"}, _llama(
        intermediate_size=14336, num_key_value_heads=8, max_position_embeddings=131072,
        rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2, rope_theta=1e6, sliding_window=None,
        num_experts_per_tok=2, num_local_experts=8, output_router_logits=False,
        router_aux_loss_coef=0.001, router_jitter_noise=0.0)),
    "qwen2": ("Qwen2Config", {}, _llama(
        151936, intermediate_size=22016, num_key_value_heads=32, max_position_embeddings=32768,
        use_sliding_window=False, sliding_window=4096, max_window_layers=28)),
    "qwen3": ("Qwen3Config", {}, _llama(
        151936, intermediate_size=22016, num_key_value_heads=32, max_position_embeddings=32768,
        head_dim=128, use_sliding_window=False, sliding_window=4096, max_window_layers=28)),
    "qwen2_moe": ("Qwen2MoeConfig", {}, _llama(
        151936, 2048, 5632, 24, 16, 16, 32768, use_sliding_window=False, sliding_window=4096,
        moe_intermediate_size=1408, shared_expert_intermediate_size=5632,
        num_experts_per_tok=4, num_experts=60, **_QWEN_MOE)),
    "qwen3_moe": ("Qwen3MoeConfig", {}, _llama(
        151936, 2048, 6144, 24, 32, 4, 32768, use_sliding_window=False, sliding_window=4096,
        moe_intermediate_size=768, num_experts_per_tok=8, num_experts=128, **_QWEN_MOE)),
    "olmoe": ("OlmoeConfig", {}, _llama(
        50304, 2048, 2048, 16, 16, None, 4096, rms_norm_eps=1e-5, num_experts_per_tok=8,
        num_experts=64, output_router_logits=False, router_aux_loss_coef=0.01, clip_qkv=None,
        norm_topk_prob=False)),
    "gemma": ("GemmaConfig", {}, _llama(
        256000, 3072, 24576, 28, 16, 16, 8192, pad_token_id=0, eos_token_id=1, bos_token_id=2,
        **_GEMMA)),
    "gemma2": ("Gemma2Config", {}, _llama(
        256000, 2304, 9216, 26, 8, 4, 8192, pad_token_id=0, eos_token_id=1, bos_token_id=2,
        query_pre_attn_scalar=256, sliding_window=4096, final_logit_softcapping=30.0,
        attn_logit_softcapping=50.0, **_GEMMA)),
    "gemma3_text": ("Gemma3TextConfig", {}, _llama(
        262208, 2304, 9216, 26, 8, 4, 131072, pad_token_id=0, eos_token_id=1, bos_token_id=2,
        rope_theta=1e6, rope_local_base_freq=10000.0, query_pre_attn_scalar=256,
        sliding_window=4096, final_logit_softcapping=None, attn_logit_softcapping=None,
        sliding_window_pattern=6, **_GEMMA)),
    "gemma3": ("Gemma3Config", {}, {
        "text_config": None, "vision_config": None, "mm_tokens_per_image": 256,
        "image_token_index": 262144}),
    "phi": ("PhiConfig", {}, _llama(
        51200, 2048, 8192, 24, 32, resid_pdrop=0.0, embd_pdrop=0.0, hidden_act="gelu_new",
        layer_norm_eps=1e-5, partial_rotary_factor=0.5, qk_layernorm=False, bos_token_id=1,
        eos_token_id=2)),
    "phi3": ("Phi3Config", {}, _llama(
        32064, 3072, 8192, 32, 32, None, 4096, resid_pdrop=0.0, embd_pdrop=0.0,
        rms_norm_eps=1e-5, original_max_position_embeddings=4096, sliding_window=None,
        partial_rotary_factor=1.0, bos_token_id=1, eos_token_id=32000, pad_token_id=32000)),
    "stablelm": ("StableLmConfig", {}, _llama(
        50304, 2560, 6912, 32, 32, 32, 4096, layer_norm_eps=1e-5, use_qkv_bias=False,
        qk_layernorm=False, use_parallel_residual=False, hidden_dropout=0.0,
        partial_rotary_factor=0.25, bos_token_id=0, eos_token_id=0)),
    "olmo": ("OlmoConfig", {}, _llama(50304, clip_qkv=None, pad_token_id=1, eos_token_id=50279)),
    "olmo2": ("Olmo2Config", {}, _llama(50304, rms_norm_eps=1e-5, pad_token_id=1,
                                        eos_token_id=50279)),
    "cohere": ("CohereConfig", {}, _llama(
        256000, 8192, 22528, 40, 64, None, 8192, layer_norm_eps=1e-5, tie_word_embeddings=True,
        logit_scale=0.0625, use_qk_norm=False, pad_token_id=0, bos_token_id=5,
        eos_token_id=255001)),
    "starcoder2": ("Starcoder2Config", {}, _llama(
        49152, 3072, 12288, 30, 24, 2, 4096, hidden_act="gelu_pytorch_tanh", norm_epsilon=1e-5,
        tie_word_embeddings=True, sliding_window=None, use_bias=True, residual_dropout=0.0,
        embedding_dropout=0.0)),
    "granite": ("GraniteConfig", {}, _llama(
        bos_token_id=1, eos_token_id=2, mlp_bias=False, embedding_multiplier=1.0,
        logits_scaling=1.0, residual_multiplier=1.0, attention_multiplier=1.0)),
    "glm": ("GlmConfig", {}, _llama(
        151552, 4096, 13696, 40, 32, 2, 131072, head_dim=128, rms_norm_eps=1.5625e-07,
        partial_rotary_factor=0.5)),
    "glm4": ("Glm4Config", {}, _llama(
        151552, 4096, 13696, 40, 32, 2, 131072, head_dim=128, rms_norm_eps=1.5625e-07,
        partial_rotary_factor=0.5)),
    "smollm3": ("SmolLM3Config", {}, _llama(
        128256, 2048, 11008, 36, 16, 4, 32768, rope_theta=2e6, tie_word_embeddings=True,
        no_rope_layer_interval=4)),
    "deepseek_v2": ("DeepseekV2Config", {}, dict(_llama(
        32000, moe_intermediate_size=1407), **dict(
            _MLA, n_routed_experts=64, n_shared_experts=2, routed_scaling_factor=1.0, n_group=None,
            topk_group=None, norm_topk_prob=False, first_k_dense_replace=0,
            scoring_func="softmax"))),
    "deepseek_v3": ("DeepseekV3Config", {"num_local_experts": "n_routed_experts"}, dict(_llama(
        129280, 7168, 18432, 61, 128, 128, 4096, moe_intermediate_size=2048), **_MLA)),
    "gpt2": ("GPT2Config", _HEADS, {
        "vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "n_inner": None, "activation_function": "gelu_new", "resid_pdrop": 0.1,
        "embd_pdrop": 0.1, "attn_pdrop": 0.1, "layer_norm_epsilon": 1e-5,
        "summary_first_dropout": 0.1, "scale_attn_weights": True, "bos_token_id": 50256,
        "eos_token_id": 50256}),
    "openai-gpt": ("OpenAIGPTConfig", _HEADS, {
        "vocab_size": 40478, "n_positions": 512, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "afn": "gelu", "resid_pdrop": 0.1, "embd_pdrop": 0.1, "attn_pdrop": 0.1,
        "layer_norm_epsilon": 1e-5}),
    "gpt_bigcode": ("GPTBigCodeConfig", _HEADS, {
        "vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "n_inner": None, "activation_function": "gelu_pytorch_tanh", "resid_pdrop": 0.1,
        "embd_pdrop": 0.1, "attn_pdrop": 0.1, "layer_norm_epsilon": 1e-5, "multi_query": True,
        "bos_token_id": 50256, "eos_token_id": 50256}),
    "gptj": ("GPTJConfig", _HEADS, {
        "vocab_size": 50400, "n_positions": 2048, "n_embd": 4096, "n_layer": 28, "n_head": 16,
        "rotary_dim": 64, "n_inner": None, "activation_function": "gelu_new",
        "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "layer_norm_epsilon": 1e-5,
        "tie_word_embeddings": False, "bos_token_id": 50256, "eos_token_id": 50256}),
    "codegen": ("CodeGenConfig", _HEADS, {
        "vocab_size": 50400, "n_positions": 2048, "n_ctx": 2048, "n_embd": 4096, "n_layer": 28,
        "n_head": 16, "rotary_dim": 64, "n_inner": None, "activation_function": "gelu_new",
        "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "layer_norm_epsilon": 1e-5,
        "tie_word_embeddings": False}),
    "gpt_neo": ("GPTNeoConfig", {"num_attention_heads": "num_heads",
                                 "num_hidden_layers": "num_layers"}, {
        "vocab_size": 50257, "max_position_embeddings": 2048, "hidden_size": 2048,
        "num_layers": 24, "attention_types": [[["global", "local"], 12]], "num_heads": 16,
        "intermediate_size": None, "window_size": 256, "activation_function": "gelu_new",
        "resid_dropout": 0.0, "embed_dropout": 0.0, "attention_dropout": 0.0,
        "layer_norm_epsilon": 1e-5, "classifier_dropout": 0.1, "bos_token_id": 50256,
        "eos_token_id": 50256}),
    "gpt_neox": ("GPTNeoXConfig", {}, {
        "vocab_size": 50432, "hidden_size": 6144, "num_hidden_layers": 44,
        "num_attention_heads": 64, "intermediate_size": 24576, "hidden_act": "gelu",
        "rotary_pct": 0.25, "rotary_emb_base": 10000, "attention_dropout": 0.0,
        "hidden_dropout": 0.0, "classifier_dropout": 0.1, "max_position_embeddings": 2048,
        "layer_norm_eps": 1e-5, "tie_word_embeddings": False, "use_parallel_residual": True,
        "attention_bias": True, "bos_token_id": 0, "eos_token_id": 2}),
    "opt": ("OPTConfig", {}, {
        "vocab_size": 50272, "hidden_size": 768, "num_hidden_layers": 12, "ffn_dim": 3072,
        "max_position_embeddings": 2048, "do_layer_norm_before": True,
        "_remove_final_layer_norm": False, "word_embed_proj_dim": None, "dropout": 0.1,
        "attention_dropout": 0.0, "num_attention_heads": 12, "activation_function": "relu",
        "layerdrop": 0.0, "enable_bias": True, "layer_norm_elementwise_affine": True,
        "pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 2}),
    "bloom": ("BloomConfig", _BLOOM_NAMES, {
        "vocab_size": 250880, "hidden_size": 64, "n_layer": 2, "n_head": 8,
        "layer_norm_epsilon": 1e-5, "hidden_dropout": 0.0, "attention_dropout": 0.0,
        "bos_token_id": 1, "eos_token_id": 2,
        "apply_residual_connection_post_layernorm": False, "pretraining_tp": 1}),
    "falcon": ("FalconConfig", {"n_head": "num_attention_heads", "n_layer": "num_hidden_layers",
                                "n_head_kv": "num_kv_heads"}, {
        "vocab_size": 65024, "hidden_size": 4544, "num_hidden_layers": 32,
        "num_attention_heads": 71, "num_ln_in_parallel_attn": None, "layer_norm_epsilon": 1e-5,
        "hidden_dropout": 0.0, "attention_dropout": 0.0, "num_kv_heads": None, "alibi": False,
        "new_decoder_architecture": False, "multi_query": True, "parallel_attn": True,
        "bias": False, "max_position_embeddings": 2048, "rope_theta": 10000.0,
        "bos_token_id": 11, "eos_token_id": 11, "ffn_hidden_size": None, "activation": "gelu"}),
    "mpt": ("MptConfig", {"num_attention_heads": "n_heads", "hidden_size": "d_model",
                          "num_hidden_layers": "n_layers",
                          "max_position_embeddings": "max_seq_len"}, {
        "d_model": 2048, "n_heads": 16, "n_layers": 24, "expansion_ratio": 4,
        "max_seq_len": 2048, "vocab_size": 50368, "resid_pdrop": 0.0, "emb_pdrop": 0.0,
        "layer_norm_epsilon": 1e-5, "no_bias": True}),
}

from transformers._config_more import MORE

TABLE.update(MORE)
