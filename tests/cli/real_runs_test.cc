// The real traces and logs that stand beside the project, against the verdicts and
// numbers of their lists. Skipped, visibly, without them.

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/csv.h"
#include "base/read_file.h"
#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

constexpr char kTraces[] = TILEWISE_SOURCE_DIR "/../shared/corpus/traces/";

// What `profile` has to say of a file: all of these. A row that ends with '*'
// stands for all files that begin so.
struct Said {
  std::string_view file;
  std::vector<std::string_view> words;
};

const std::vector<Said>& OfTraces() {
  static const std::vector<Said> rows = {
      {"hlo_proto/*", {"found an HLO module, expected a profile"}},
      {"memory/cpu-tf2_penguin", {"The memory profile is empty"}},
      {"memory/jax_easydel", {"1.68 KiB"}},
      {"mlperf/v0.5_tpu-v2-512", {"677.479", " 79\n", "evaluations  ", " 20\n", "0.74943"}},
      {"mlperf/v0.5_tpu-v2-8", {"18091", " 61\n", " 17\n", "0.751139"}},
      {"mlperf/v0.5_tpu-v3-8", {"5026.96", " 53\n", " 4\n", "0.216417"}},
      {"pytorch/gpu_resnet50-workers0", {"highly input-bound", "46.6 ms", "of a GPU"}},
      {"pytorch/gpu_resnet50-workers4", {"1.70 ms", "of a GPU"}},
      {"run_metadata/tensorboard-2016", {"52.0 us"}},
      {"run_metadata/tfprof-2016", {"events                           14", "conv2d/convolution"}},
      {"run_metadata/tfprof-2018", {"HL009", "4.08 ms", "423 us", "404 us", "Conv2D       21"}},
      {"tf_timeline/tf1-cpu-distributed", {"communication-bound", "5.75 ms", "RecvTensor"}},
      {"tf_timeline/tf1-cpu_blackbox", {"695 ms", "439 ms", "0.5 %", "first step"}},
      {"tf_timeline/tf1-cpu_tf-encrypted-single", {"communication-bound", "1.05 ms"}},
      {"tf_timeline/tf1-gpu_anna", {"33.7 ms", "19.5 ms", "8.42 ms", "6.73 ms"}},
      {"tf_timeline/tf1-gpu_kittibox", {"4.35 s", "first step", "1.82 s"}},
      {"tool_data/cpu-tf2_penguin.input", {"moderately input-bound: 11 %", "555 us"}},
      {"tool_data/cpu-tf2_penguin.overview", {"moderately input-bound: 11 %", "555 us"}},
      {"tool_data/cpu-tf2_penguin.tensorflow_stats", {"TensorFlow statistics"}},
      {"tool_data/gpu-compute-bound", {"1.81 s", "1.70 s", "1.92 s", "waiting for input  350 us"}},
      {"tool_data/gpu-input-bound", {"highly input-bound: 81 %", "1.11 s", "1.04 s", "1.17 s"}},
      {"tool_data/profile_demo.input_pipeline.json", {"highly input-bound: 85 %"}},
      {"tool_data/profile_demo.input_pipeline.pb", {"highly input-bound: 69 %"}},
      {"tool_data/profile_demo.memory_viewer", {"no sizes along the schedule"}},
      {"tool_data/profile_demo.op_profile", {"XProf op profile"}},
      {"tool_data/profile_demo.overview_page.json", {"highly input-bound"}},
      {"tool_data/profile_demo.overview_page.pb", {"highly input-bound: 69 %", "652 ms"}},
      {"tool_data/profile_demo.pod_viewer", {"XProf pod viewer"}},
      {"tool_data/profile_demo.tensorflow_stats", {"TensorFlow statistics"}},
      {"tool_data/tpu-v2-8_resnet50.input", {"314 ms", "0.0 %"}},
      {"tool_data/tpu-v2-8_resnet50.overview",
       {"HBM-bound", "314 ms", "48.8 %", "70.3 %", "87.7 %", "2.8 %"}},
      {"tool_data/tpu-v2-8_resnet50.pod", {"fusion.12", "128 us", "fusion.35", "34.6 us"}},
      {"tool_data/tpu-v2-8_resnet50.tensorflow", {"257 ms", "253 ms", "2.8 %", "HBM-bound"}},
      {"trace_json/cpu-tf2_penguin", {"moderately input-bound", "555 us"}},
      {"trace_json/tpu-v4_gemm-m1024", {"host-bound", "399 us", "380 us", "24.8 T"}},
      {"trace_json/tpu-v4_gemm-m1789", {"host-bound", "73.1 us", "49.4 us", "38.0 T"}},
      {"trace_json/tpu-v4_gemm-m2554", {"531 us", "512 us", "24.9 T"}},
      {"trace_json/tpu-v4_gemm-m3319-n1024", {"host-bound", "158 us", "136 us", "41.7 T"}},
      {"trace_json/tpu-v4_gemm-m3319-n2978", {"433 us", "409 us", "56.2 T"}},
      {"trace_json/tpu-v4_gemm-m3319-n3955", {"1.36 ms", "1.34 ms", "35.6 T"}},
      {"trace_json/xprof_trace_viewer_demo", {"Chrome trace"}},
      {"trace_pb/tf1-cpu_tf-encrypted", {"events", "507"}},
      {"xplane/broken_utf8", {"conversion of text"}},
      {"xplane/cpu-tf2_penguin", {"555 us", "moderately input-bound"}},
      {"xplane/gpu-mi300_jax-attention", {"of a GPU", "1.55 ms"}},
      {"xplane/gpu-mi300_jax-conv", {"of a GPU", "input_transpose_fusion"}},
      {"xplane/gpu-mi300_jax-gemm", {"of a GPU", "1.83 ms"}},
      {"xplane/tpu-v4_gemm-m1024", {"host-bound", "399 us", "380 us", "24.8 T", "17.7 %"}},
      {"xplane/tpu-v4_gemm-m1789", {"host-bound", "73.1 us", "49.4 us", "38.0 T", "27.2 %"}},
      {"xplane/tpu-v4_gemm-m2554", {"531 us", "512 us", "24.9 T", "17.8 %"}},
      {"xplane/tpu-v4_gemm-m3319-n1024", {"host-bound", "158 us", "136 us", "41.7 T", "29.9 %"}},
      {"xplane/tpu-v4_gemm-m3319-n2978", {"433 us", "409 us", "56.2 T", "40.2 %"}},
      {"xplane/tpu-v4_gemm-m3319-n3955", {"1.36 ms", "1.34 ms", "35.6 T", "25.5 %"}},
      {"xplane/tpu-v6e-4_host-offload",
       {"transfer-bound", "784 ms", "97 %", "copy-done.2", "220 ms", "1.31 T"}},
  };
  return rows;
}

const std::vector<Said>& OfLogs() {
  static const std::vector<Said> rows = {
      {"2019_tf1_hbm-oom_padding-32x", {"ME008", "41.7 GiB of 16.0 GiB", "32.0x its data"}},
      {"2019_tf1_hbm-oom_remat-gave-up", {"18.6 GiB", "2.56 GiB", "15.2 GiB", "a warning"}},
      {"2019_tf1_vmem-oom_fusion", {"vmem, without numbers", "33 operands"}},
      {"2019_tf_indexedslices-dense", {"ME009", "1.95 GiB in float32"}},
      {"2019_torchxla_metrics_recompile", {"CO008", "2 compilations in 1 step", "19.0 s", "HL013"}},
      {"2020_fairseq-tpu_compile-notes", {"4 compilations", "319 s", "go on"}},
      {"2020_jax_slow-compile_unfinished", {"jit_run_epoch.101", "at least 120 s"}},
      {"2020_keras_slow-callback_old", {"HL001", "112 ms", "210 ms"}},
      {"2020_tf1_tpuestimator_one-batch", {"HL001", "9.00 s apart"}},
      {"2020_torchxla_examples_rate", {"430.14 examples/s"}},
      {"2021_hf-trainer_tqdm_tpu", {"51.7 s", "compilation"}},
      {"2021_jax_hbm-oom_many-buffers", {"9.08 GiB of 7.48 GiB", "1.60 GiB", "124 MiB", "530 MiB"}},
      {"2021_torchxla_metrics_many", {"210 programs", "2.91 s", "488 values", "164 MiB"}},
      {"2021_trax_runtime-oom", {"31.1 MiB", "58.6 MiB", "30.6 MiB of them in one piece"}},
      {"2022_jax_constant-folding", {"reduce-window.16", "19.3 s"}},
      {"2022_keras_slow-callback_tiny", {"4.70 ms", "1.30 ms", "3.6 times"}},
      {"2022_torchxla-xrt_runtime-oom", {"6.48 GiB", "6.78 GiB", "3.33 GiB of them in one piece"}},
      {"2022_torchxla_debug_compile", {"CO007", "978 s"}},
      {"2023_jax-tpu-driver_runtime-oom", {"10.0 MiB", "14.2 MiB", "4.17 MiB"}},
      {"2023_jax_compile-aborted", {"3.47 EiB", "14.5 GiB", "gave up"}},
      {"2023_jax_spmd-remat_no-op", {"DI010", "256 x 1 parts", "64 parts"}},
      {"2023_jax_vmem-oom_kernel", {"59.8 MiB of 16.0 MiB of vmem", "43.8 MiB"}},
      {"2023_maxtext_v3-8", {"2.17 s", "36.7", "60 % of the peak of v3"}},
      {"2023_t5x_clu-metrics", {"212 ms", "602.6 examples/s", "batch 128"}},
      {"2023_tfdata_shuffle-fill", {"411 s", "5 of 5 calls"}},
      {"2023_torchxla-xrt_runtime-oom", {"10.5 GiB", "8.97 GiB", "(4 times)"}},
      {"2024_jax_constant-folding", {"fold.py:13", "more than 1.00 s"}},
      {"2024_jax_hbm-oom_attention", {"63.8 GiB of 30.8 GiB", "f32[32,4096,4096]", "2.00 GiB"}},
      {"2024_jax_hbm-oom_no-list", {"22.0 GiB of 15.5 GiB", "6.47 GiB", "530 MiB"}},
      {"2024_jax_spmd-remat_embedding", {"257152,2048", "1.96 GiB", "one device"}},
      {"2024_keras3_progress_spe", {"62.0 ms", "65.0 s of compilation"}},
      {"2024_torchxla_debug_post", {"20.1 GiB", "7.92 GiB", "12.1 GiB", "does not fit"}},
      {"2024_torchxla_debug_value", {"HL013", "image_transformer_v2.py:196"}},
      {"2024_torchxla_vmem-oom_spill", {"30.0 MiB of 16.0 MiB of vmem", "14.0 MiB"}},
      {"2024_vllm_smem-oom", {"1.00 MiB of smem", "1.70 KiB"}},
      {"2025_core-halted", {"E0200", "hosts do not run the same program"}},
      {"2025_docs_hbm-oom_tensorcore", {"209 GiB of 95.7 GiB", "SparseCore 174 GiB"}},
      {"2025_docs_layout-mismatch", {"E0102", "5.00 MiB", "1.56 MiB", "3.2 times"}},
      {"2025_docs_runtime-oom_E0100", {"8.00 MiB", "6.43 MiB"}},
      {"2025_docs_runtime-oom_E0101", {"29.5 GiB", "148 MiB"}},
      {"2025_docs_vmem-oom_allocation", {"128 MiB of 64.0 MiB of vmem"}},
      {"2025_jax-cache-miss", {"2 compilations", "aqt_dot_general.py:229"}},
      {"2025_jax-log-compiles", {"4 times for 4 different shapes", "16,2047,2048"}},
      {"2025_jax_runtime-oom", {"15.7 GiB", "11.1 GiB"}},
      {"2025_levanter_tqdm", {"2.10 s", "compilation"}},
      {"2025_maxtext_v5p-8", {"5.67 s", "134.9", "100 GiB", "44.5 GiB", "55.9 GiB", "39.3 s"}},
      {"2025_reactant_slow", {"reactant_loop_", "133 s"}},
      {"2025_torchxla_runtime-oom", {"130 MiB", "78.2 MiB"}},
      {"2026_jax_spmd-remat", {"f32[8,192,1536]", "9.00 MiB", "7 more"}},
      {"2026_jax_vmem-oom_tpu7x", {"65.1 MiB of 64.0 MiB of vmem", "1.05 MiB"}},
      {"2026_maxtext_async", {"10.3 s", "1 left out", "asynchronous"}},
      {"2026_reactant_hbm-oom", {"215 GiB of 31.2 GiB", "184 GiB"}},
      {"2026_torchxla_debug_auto", {"2 compilations in 1 step", "aten::_ctc_loss"}},
      {"2026_vllm_scoped-vmem", {"33.6 MiB of 32.0 MiB of vmem", "1.56 MiB"}},
  };
  return rows;
}

bool Fits(std::string_view file, std::string_view row) {
  return row.ends_with('*') ? file.starts_with(row.substr(0, row.size() - 1))
                            : file.starts_with(row);
}

// Every file of the list has a row, and `profile` says what is in it.
void ExpectSaid(const std::string& folder, const std::string& list, const std::vector<Said>& rows) {
  const absl::StatusOr<std::string> text = ReadRegularFile(folder + list, 1 << 20);
  if (!text.ok()) GTEST_SKIP() << "no ../shared/corpus/traces";
  const absl::StatusOr<Csv> table = Csv::Parse(list, *text);
  ASSERT_TRUE(table.ok()) << table.status();
  for (size_t i = 0; i < table->rows(); ++i) {
    const std::string& file = table->Cell(i, "file");
    const Said* said = nullptr;
    for (const Said& row : rows) {
      if (Fits(file, row.file)) said = &row;
    }
    ASSERT_NE(said, nullptr) << file << ": no row says what is expected of it";
    const RunResult run = RunTilewise("profile --verbose '" + folder + file + "'");
    for (const std::string_view words : said->words) {
      EXPECT_THAT(run.out + run.err, ::testing::HasSubstr(std::string(words))) << file;
    }
  }
}

TEST(RealRuns, TracesSayWhatTheirListSays) { ExpectSaid(kTraces, "INDEX.csv", OfTraces()); }

TEST(RealRuns, LogsSayWhatTheirListSays) {
  ExpectSaid(std::string(kTraces) + "logs/", "CASES.csv", OfLogs());
}

}  // namespace
}  // namespace tilewise
