"""Sizes of well-known decoders, as their public config.json files have them."""


def _llama(v, h, n, a, kv, i, m, kind="llama", tie=False, **more):
    return kind, dict(vocab_size=v, hidden_size=h, num_hidden_layers=n, num_attention_heads=a,
                      num_key_value_heads=kv, intermediate_size=i, max_position_embeddings=m,
                      tie_word_embeddings=tie, torch_dtype="bfloat16", **more)


def _llama2(h, n, a, kv, i, m=4096, v=32000, **more):
    return _llama(v, h, n, a, kv, i, m, rms_norm_eps=1e-5, **more)


def _llama3(h, n, a, kv, i, m=131072, tie=False, **more):
    return _llama(128256, h, n, a, kv, i, m, tie=tie, rms_norm_eps=1e-5, rope_theta=500000.0,
                  bos_token_id=128000, eos_token_id=128001, **more)


def _qwen2(h, n, a, kv, i, v=151936, tie=False, m=32768, **more):
    return _llama(v, h, n, a, kv, i, m, "qwen2", tie, rope_theta=1e6, bos_token_id=151643,
                  eos_token_id=151643, **more)


def _qwen3(h, n, a, kv, i, tie=False, kind="qwen3", **more):
    return _llama(151936, h, n, a, kv, i, 40960, kind, tie, rope_theta=1e6, head_dim=128,
                  bos_token_id=151643, eos_token_id=151645, **more)


def _mistral(v=32000, window=None, m=32768, **more):
    return _llama(v, 4096, 32, 32, 8, 14336, m, "mistral", rms_norm_eps=1e-5,
                  sliding_window=window, **more)


def _gpt2(n, h, a, v=50257):
    return "gpt2", dict(vocab_size=v, n_embd=h, n_layer=n, n_head=a)


def _neox(h, n, a, v=50304, m=2048, **more):
    return "gpt_neox", dict(vocab_size=v, hidden_size=h, num_hidden_layers=n,
                            num_attention_heads=a, intermediate_size=4 * h,
                            max_position_embeddings=m, torch_dtype="float16", **more)


def _opt(h, n, a, f=None, **more):
    return "opt", dict(hidden_size=h, num_hidden_layers=n, num_attention_heads=a,
                       ffn_dim=f or 4 * h, word_embed_proj_dim=more.pop("proj", h),
                       torch_dtype="float16", **more)


def _bloom(h, n, a):
    return "bloom", dict(hidden_size=h, n_layer=n, n_head=a, pad_token_id=3)


def _neo(h, n, a):
    return "gpt_neo", dict(hidden_size=h, num_layers=n, num_heads=a,
                           attention_types=[[["global", "local"], n // 2]])


def _gemma(kind, v, h, n, a, kv, i, d, m=8192, **more):
    return kind, dict(vocab_size=v, hidden_size=h, num_hidden_layers=n, num_attention_heads=a,
                      num_key_value_heads=kv, intermediate_size=i, head_dim=d,
                      max_position_embeddings=m, torch_dtype="bfloat16", **more)


def _codegen(h, n, a, rotary):
    return "codegen", dict(vocab_size=51200, n_embd=h, n_layer=n, n_head=a, rotary_dim=rotary)


DECODERS = {
    "gpt2": _gpt2(12, 768, 12), "gpt2-medium": _gpt2(24, 1024, 16),
    "gpt2-large": _gpt2(36, 1280, 20), "gpt2-xl": _gpt2(48, 1600, 25),
    "distilgpt2": _gpt2(6, 768, 12), "dialogpt-small": _gpt2(12, 768, 12),
    "dialogpt-medium": _gpt2(24, 1024, 16), "dialogpt-large": _gpt2(36, 1280, 20),
    "openai-gpt": ("openai-gpt", {}),
    "llama-7b": _llama(32000, 4096, 32, 32, 32, 11008, 2048),
    "llama-13b": _llama(32000, 5120, 40, 40, 40, 13824, 2048),
    "llama-30b": _llama(32000, 6656, 60, 52, 52, 17920, 2048),
    "llama-65b": _llama(32000, 8192, 80, 64, 64, 22016, 2048),
    "open_llama_3b": _llama(32000, 3200, 26, 32, 32, 8640, 2048),
    "open_llama_3b_v2": _llama(32000, 3200, 26, 32, 32, 8640, 2048),
    "llama-2-7b": _llama2(4096, 32, 32, 32, 11008),
    "llama-2-13b": _llama2(5120, 40, 40, 40, 13824),
    "llama-2-70b": _llama2(8192, 80, 64, 8, 28672),
    "codellama-7b": _llama2(4096, 32, 32, 32, 11008, 16384, 32016, rope_theta=1e6),
    "codellama-13b": _llama2(5120, 40, 40, 40, 13824, 16384, 32016, rope_theta=1e6),
    "codellama-34b": _llama2(8192, 48, 64, 8, 22016, 16384, rope_theta=1e6),
    "meta-llama-3-8b": _llama3(4096, 32, 32, 8, 14336, 8192),
    "meta-llama-3-70b": _llama3(8192, 80, 64, 8, 28672, 8192),
    "llama-3.1-8b": _llama3(4096, 32, 32, 8, 14336),
    "llama-3.1-70b": _llama3(8192, 80, 64, 8, 28672),
    "llama-3.3-70b": _llama3(8192, 80, 64, 8, 28672),
    "llama-3.1-405b": _llama3(16384, 126, 128, 8, 53248),
    "llama-3.2-1b": _llama3(2048, 16, 32, 8, 8192, tie=True, head_dim=64),
    "llama-3.2-3b": _llama3(3072, 28, 24, 8, 8192, tie=True, head_dim=128),
    "deepseek-r1-distill-llama-8b": _llama3(4096, 32, 32, 8, 14336),
    "deepseek-r1-distill-llama-70b": _llama3(8192, 80, 64, 8, 28672),
    "tinyllama-1.1b": _llama2(2048, 22, 32, 4, 5632, 2048),
    "tinyllama-1.1b-chat-v1.0": _llama2(2048, 22, 32, 4, 5632, 2048),
    "tinyllama-1.1b-intermediate-step-1431k-3t": _llama2(2048, 22, 32, 4, 5632, 2048),
    "tinyllama_v1.1": _llama2(2048, 22, 32, 4, 5632, 2048),
    "smollm-135m": _llama(49152, 576, 30, 9, 3, 1536, 2048, tie=True, rms_norm_eps=1e-5),
    "smollm-360m": _llama(49152, 960, 32, 15, 5, 2560, 2048, tie=True, rms_norm_eps=1e-5),
    "smollm-1.7b": _llama(49152, 2048, 24, 32, 32, 8192, 2048, tie=True, rms_norm_eps=1e-5),
    "smollm2-135m": _llama(49152, 576, 30, 9, 3, 1536, 8192, tie=True, rms_norm_eps=1e-5,
                           rope_theta=100000.0),
    "smollm2-360m": _llama(49152, 960, 32, 15, 5, 2560, 8192, tie=True, rms_norm_eps=1e-5,
                           rope_theta=100000.0),
    "smollm2-1.7b": _llama(49152, 2048, 24, 32, 32, 8192, 8192, tie=True, rms_norm_eps=1e-5,
                           rope_theta=130000.0),
    "smollm3-3b": ("smollm3", dict(rope_theta=5e6, max_position_embeddings=65536)),
    "yi-6b": _llama(64000, 4096, 32, 32, 4, 11008, 4096, rms_norm_eps=1e-5, rope_theta=5e6),
    "yi-34b": _llama(64000, 7168, 60, 56, 8, 20480, 4096, rms_norm_eps=1e-5, rope_theta=5e6),
    "deepseek-llm-7b": _llama(102400, 4096, 30, 32, 32, 11008, 4096),
    "deepseek-llm-67b": _llama(102400, 8192, 95, 64, 8, 22016, 4096),
    "deepseek-coder-1.3b": _llama(32256, 2048, 24, 16, 16, 5504, 16384, rope_theta=100000.0),
    "deepseek-coder-6.7b": _llama(32256, 4096, 32, 32, 32, 11008, 16384, rope_theta=100000.0),
    "mistral-7b": _mistral(window=4096), "mistral-7b-v0.1": _mistral(window=4096),
    "mistral-7b-v0.2": _mistral(rope_theta=1e6),
    "mistral-7b-v0.3": _mistral(32768, rope_theta=1e6),
    "mistral-7b-instruct-v0.1": _mistral(window=4096),
    "mistral-7b-instruct-v0.2": _mistral(rope_theta=1e6),
    "mistral-7b-instruct-v0.3": _mistral(32768, rope_theta=1e6),
    "mistral-nemo-base-2407": _llama(131072, 5120, 40, 32, 8, 14336, 131072, "mistral",
                                     head_dim=128, rms_norm_eps=1e-5, sliding_window=None),
    "mixtral-8x7b": _llama(32000, 4096, 32, 32, 8, 14336, 32768, "mixtral"),
    "mixtral-8x22b": _llama(32000, 6144, 56, 48, 8, 16384, 65536, "mixtral"),
    "qwen2-0.5b": _qwen2(896, 24, 14, 2, 4864, tie=True),
    "qwen2-1.5b": _qwen2(1536, 28, 12, 2, 8960, tie=True),
    "qwen2-7b": _qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen2-72b": _qwen2(8192, 80, 64, 8, 29568, 152064),
    "qwen2.5-0.5b": _qwen2(896, 24, 14, 2, 4864, tie=True),
    "qwen2.5-1.5b": _qwen2(1536, 28, 12, 2, 8960, tie=True),
    "qwen2.5-3b": _qwen2(2048, 36, 16, 2, 11008, tie=True),
    "qwen2.5-7b": _qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen2.5-14b": _qwen2(5120, 48, 40, 8, 13824, 152064),
    "qwen2.5-32b": _qwen2(5120, 64, 40, 8, 27648, 152064),
    "qwen2.5-72b": _qwen2(8192, 80, 64, 8, 29568, 152064),
    "qwen2.5-coder-7b": _qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen2.5-math-1.5b": _qwen2(1536, 28, 12, 2, 8960, tie=True),
    "deepseek-r1-distill-qwen-1.5b": _qwen2(1536, 28, 12, 2, 8960),
    "deepseek-r1-distill-qwen-7b": _qwen2(3584, 28, 28, 4, 18944, 152064),
    "qwen1.5-0.5b": _qwen2(1024, 24, 16, 16, 2816, tie=True),
    "qwen1.5-1.8b": _qwen2(2048, 24, 16, 16, 5504),
    "qwen1.5-4b": _qwen2(2560, 40, 20, 20, 6912),
    "qwen1.5-7b": _qwen2(4096, 32, 32, 32, 11008),
    "qwen3-0.6b": _qwen3(1024, 28, 16, 8, 3072, True),
    "qwen3-1.7b": _qwen3(2048, 28, 16, 8, 6144, True),
    "qwen3-4b": _qwen3(2560, 36, 32, 8, 9728, True),
    "qwen3-8b": _qwen3(4096, 36, 32, 8, 12288),
    "qwen3-14b": _qwen3(5120, 40, 40, 8, 17408),
    "qwen3-32b": _qwen3(5120, 64, 64, 8, 25600),
    "qwen3-30b-a3b": _qwen3(2048, 48, 32, 4, 6144, kind="qwen3_moe", norm_topk_prob=True,
                            moe_intermediate_size=768),
    "qwen3-235b-a22b": _qwen3(4096, 94, 64, 4, 12288, kind="qwen3_moe", norm_topk_prob=True,
                              moe_intermediate_size=1536),
    "qwen1.5-moe-a2.7b": _llama(151936, 2048, 24, 16, 16, 5632, 8192, "qwen2_moe"),
    "gemma-2b": _gemma("gemma", 256000, 2048, 18, 8, 1, 16384, 256),
    "gemma-7b": _gemma("gemma", 256000, 3072, 28, 16, 16, 24576, 256),
    "gemma-2-2b": _gemma("gemma2", 256000, 2304, 26, 8, 4, 9216, 256),
    "gemma-2-9b": _gemma("gemma2", 256000, 3584, 42, 16, 8, 14336, 256),
    "gemma-2-27b": _gemma("gemma2", 256000, 4608, 46, 32, 16, 36864, 128,
                          query_pre_attn_scalar=144),
    "gemma-3-270m": _gemma("gemma3_text", 262144, 640, 18, 4, 1, 2048, 256, 32768,
                           sliding_window=512),
    "gemma-3-1b": _gemma("gemma3_text", 262144, 1152, 26, 4, 1, 6912, 256, 32768,
                         sliding_window=512),
    "gemma-3-1b-pt": _gemma("gemma3_text", 262144, 1152, 26, 4, 1, 6912, 256, 32768,
                            sliding_window=512),
    "phi-1": _llama(51200, 2048, 24, 32, 32, 8192, 2048, "phi"),
    "phi-1_5": _llama(51200, 2048, 24, 32, 32, 8192, 2048, "phi"),
    "phi-2": _llama(51200, 2560, 32, 32, 32, 10240, 2048, "phi", partial_rotary_factor=0.4),
    "phi-3-mini-4k": _llama(32064, 3072, 32, 32, 32, 8192, 4096, "phi3", sliding_window=2047),
    "phi-3-mini-128k": _llama(32064, 3072, 32, 32, 32, 8192, 131072, "phi3"),
    "phi-3.5-mini": _llama(32064, 3072, 32, 32, 32, 8192, 131072, "phi3"),
    "phi-3-medium-4k": _llama(32064, 5120, 40, 40, 10, 17920, 4096, "phi3",
                              sliding_window=2047),
    "phi-4": _llama(100352, 5120, 40, 40, 10, 17920, 16384, "phi3", rope_theta=250000.0,
                    pad_token_id=100349),
    "phi-4-mini": _llama(200064, 3072, 32, 24, 8, 8192, 131072, "phi3", True,
                         partial_rotary_factor=0.75, pad_token_id=199999),
    "stablelm-3b-4e1t": _llama(50304, 2560, 32, 32, 32, 6912, 4096, "stablelm"),
    "stablelm-2-1_6b": _llama(100352, 2048, 24, 32, 32, 5632, 4096, "stablelm",
                              use_qkv_bias=True),
    "stablelm-zephyr-3b": _llama(50304, 2560, 32, 32, 32, 6912, 4096, "stablelm"),
    "olmo-1b": _llama(50304, 2048, 16, 16, 16, 8192, 2048, "olmo", True),
    "olmo-7b": _llama(50304, 4096, 32, 32, 32, 11008, 2048, "olmo"),
    "olmo-2-1124-7b": _llama(100352, 4096, 32, 32, 32, 11008, 4096, "olmo2", rms_norm_eps=1e-6,
                             rope_theta=500000.0, pad_token_id=100277),
    "olmo-2-1124-13b": _llama(100352, 5120, 40, 40, 40, 13824, 4096, "olmo2",
                              rope_theta=500000.0, rms_norm_eps=1e-6, pad_token_id=100277),
    "olmo-2-0425-1b": _llama(100352, 2048, 16, 16, 16, 8192, 4096, "olmo2",
                             rope_theta=500000.0, rms_norm_eps=1e-6, pad_token_id=100277),
    "olmoe-1b-7b-0924": _llama(50304, 2048, 16, 16, 16, 1024, 4096, "olmoe"),
    "deepseek-v2-lite": _llama(
        102400, 2048, 27, 16, 16, 10944, 163840, "deepseek_v2", q_lora_rank=None,
        moe_intermediate_size=1408, n_routed_experts=64, n_shared_experts=2,
        num_experts_per_tok=6, first_k_dense_replace=1, n_group=1, topk_group=1),
    "deepseek-v2": _llama(
        102400, 5120, 60, 128, 128, 12288, 163840, "deepseek_v2", moe_intermediate_size=1536,
        n_routed_experts=160, n_shared_experts=2, num_experts_per_tok=6,
        first_k_dense_replace=1, n_group=8, topk_group=3, routed_scaling_factor=16.0),
    "deepseek-v3": ("deepseek_v3", dict(max_position_embeddings=163840)),
    "deepseek-r1": ("deepseek_v3", dict(max_position_embeddings=163840)),
    "pythia-14m": _neox(128, 6, 4), "pythia-31m": _neox(256, 6, 8),
    "pythia-70m": _neox(512, 6, 8), "pythia-160m": _neox(768, 12, 12),
    "pythia-410m": _neox(1024, 24, 16), "pythia-1b": _neox(2048, 16, 8),
    "pythia-1.4b": _neox(2048, 24, 16), "pythia-2.8b": _neox(2560, 32, 32),
    "pythia-6.9b": _neox(4096, 32, 32, 50432), "pythia-12b": _neox(5120, 36, 40, 50688),
    "gpt-neox-20b": ("gpt_neox", {}), "dolly-v2-3b": _neox(2560, 32, 32, 50280),
    "dolly-v2-7b": _neox(4096, 32, 32, 50280), "dolly-v2-12b": _neox(5120, 36, 40, 50280),
    "gpt-j-6b": ("gptj", {}), "gpt-neo-125m": _neo(768, 12, 12),
    "gpt-neo-1.3b": _neo(2048, 24, 16), "gpt-neo-2.7b": _neo(2560, 32, 20),
    "codegen-350m-mono": _codegen(1024, 20, 16, 32),
    "codegen-350m-multi": _codegen(1024, 20, 16, 32),
    "codegen-2b-mono": _codegen(2560, 32, 32, 64),
    "opt-125m": _opt(768, 12, 12),
    "opt-350m": _opt(1024, 24, 16, proj=512, do_layer_norm_before=False),
    "opt-1.3b": _opt(2048, 24, 32), "opt-2.7b": _opt(2560, 32, 32),
    "opt-6.7b": _opt(4096, 32, 32), "opt-13b": _opt(5120, 40, 40),
    "opt-30b": _opt(7168, 48, 56), "opt-66b": _opt(9216, 64, 72),
    "bloom-560m": _bloom(1024, 24, 16), "bloom-1b1": _bloom(1536, 24, 16),
    "bloom-1b7": _bloom(2048, 24, 16), "bloom-3b": _bloom(2560, 30, 32),
    "bloom-7b1": _bloom(4096, 30, 32), "bloom": _bloom(14336, 70, 112),
    "falcon-7b": ("falcon", {}),
    "falcon-40b": ("falcon", dict(hidden_size=8192, num_hidden_layers=60,
                                  num_attention_heads=128, num_kv_heads=8,
                                  new_decoder_architecture=True)),
    "falcon-rw-1b": ("falcon", dict(vocab_size=50304, hidden_size=2048, num_hidden_layers=24,
                                    num_attention_heads=32, alibi=True, multi_query=False,
                                    parallel_attn=False, bias=True)),
    "mpt-7b": ("mpt", dict(d_model=4096, n_heads=32, n_layers=32, vocab_size=50432)),
    "starcoder": ("gpt_bigcode", dict(vocab_size=49152, n_positions=8192, n_embd=6144,
                                      n_layer=40, n_head=48)),
    "starcoderbase": ("gpt_bigcode", dict(vocab_size=49152, n_positions=8192, n_embd=6144,
                                          n_layer=40, n_head=48)),
    "starcoderbase-1b": ("gpt_bigcode", dict(vocab_size=49152, n_positions=8192, n_embd=2048,
                                             n_layer=24, n_head=16)),
    "gpt_bigcode-santacoder": ("gpt_bigcode", dict(
        vocab_size=49280, n_positions=2048, n_embd=2048, n_layer=24, n_head=16)),
    "starcoder2-3b": ("starcoder2", dict(max_position_embeddings=16384, rope_theta=999999.4,
                                         sliding_window=4096)),
    "starcoder2-7b": ("starcoder2", dict(
        hidden_size=4608, intermediate_size=18432, num_hidden_layers=32,
        num_attention_heads=36, num_key_value_heads=4, max_position_embeddings=16384,
        sliding_window=4096)),
    "starcoder2-15b": ("starcoder2", dict(
        hidden_size=6144, intermediate_size=24576, num_hidden_layers=40,
        num_attention_heads=48, num_key_value_heads=4, max_position_embeddings=16384,
        sliding_window=4096, tie_word_embeddings=False)),
}
