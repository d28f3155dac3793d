// Whole tables, small ones, against the simulator.

#include "accuracy/validate.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accuracy/csv.h"
#include "accuracy/read_set.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<Workload> Load(const std::string& spec, bool training, int64_t) {
  return LoadZoo(spec, training);
}

SetAccuracy Measure(const std::string& text, ValidateOptions options = {}) {
  absl::StatusOr<SetAccuracy> set = Validate("my/t.csv", text, options, Load);
  EXPECT_TRUE(set.ok()) << Message(set.status());
  return set.ok() ? *std::move(set) : SetAccuracy{};
}

double SimulatedMicros(const std::string& row) {
  const SetAccuracy set = Measure("m,n,k,device_us\n" + row + ",1\n");
  return set.comparisons.at(0).prediction->value;
}

TEST(Validate, KindIsToldByTheHeader) {
  EXPECT_EQ(Measure("device_us,k,n,m,extra\n5,64,64,64,x\n").kind, "gemm");
  EXPECT_EQ(Measure("op,dim0,dim1,device_us\nadd,64,128,1\n").kind, "vector");
  EXPECT_EQ(Measure("bytes,shape,device_us\n65536,\"f16[128,256]\",1\n").kind, "copy");
  const absl::StatusOr<SetAccuracy> other = Validate("t", "a,b\n", {}, Load);
  EXPECT_THAT(Message(other.status()), HasSubstr("found columns a,b"));
  EXPECT_THAT(Message(other.status()), HasSubstr("gemm (m,n,k,device_us)"));
}

TEST(Validate, ErrorIsOfTheSimulatedFigure) {
  const double exact = SimulatedMicros("512,512,512");
  const SetAccuracy set =
      Measure(fmt::format("m,n,k,device_us\n512,512,512,{}\n512,512,512,{}\n", exact, 2 * exact));
  EXPECT_EQ(set.errors.n, 2u);
  EXPECT_NEAR(*set.errors.mape, 0.25, 1e-6);
  EXPECT_NEAR(*set.errors.bias, -0.25, 1e-6);
  EXPECT_THAT(set.worst, ElementsAre(1, 0));
}

TEST(Validate, MachineOfTheRowThenOfTheUserThenOfTheSet) {
  const std::string row = "4096,4096,4096,";
  const double set = Measure("m,n,k,device_us\n" + row + "1\n").comparisons[0].prediction->value;
  const ValidateOptions v6e = {.machine = {.chip = "v6e"}};
  const double user =
      Measure("m,n,k,device_us\n" + row + "1\n", v6e).comparisons[0].prediction->value;
  const double own =
      Measure("m,n,k,device_us,chip\n" + row + "1,v2\n", v6e).comparisons[0].prediction->value;
  EXPECT_LT(user, set);
  EXPECT_LT(set, own);
}

TEST(Validate, ThreadsChangeNothing) {
  const std::string text = "m,n,k,device_us\n64,64,64,1\n128,64,64,1\n256,64,64,1\n512,64,64,1\n";
  const SetAccuracy one = Measure(text);
  const SetAccuracy four = Measure(text, {.threads = 4});
  ASSERT_EQ(one.rows, four.rows);
  EXPECT_EQ(one.errors.mape, four.errors.mape);
  EXPECT_EQ(one.worst, four.worst);
}

TEST(Validate, RowsThatCannotBeSimulatedAreKeptWithTheirReason) {
  const SetAccuracy set = Measure(
      "id,chip,workload,metric,value,unit\n"
      "a,v4,matmul bf16 1024^3,time,10,us\n"
      "b,v4,something private,time,10,us\n"
      "c,v99,matmul bf16 1024^3,time,10,us\n");
  EXPECT_EQ(set.rows, 3u);
  EXPECT_EQ(set.errors.n, 1u);
  EXPECT_EQ(set.comparisons[1].not_simulated, "no spec");
  EXPECT_THAT(set.comparisons[2].not_simulated, HasSubstr("v99"));
}

TEST(Validate, PolicyThatAColumnMisspellsIsNotSimulatedAndOneInASentenceIsFull) {
  const std::string head = "id,chip,chips,workload,mode,metric,value,unit,spec";
  const std::string row =
      ",train,step time,1,s,\"zoo:decoder,layers=2,d_model=256,heads=2,"
      "kv_heads=2,d_ff=512,vocab=512,seq=128\"";
  const auto measure = [&](const std::string& column, const std::string& text,
                           const std::string& remat) {
    return Measure(head + ",batch_per_core" + column + "\na,v6e,4," + text + row + ",8" + remat +
                   "\n")
        .comparisons[0];
  };
  const auto misspelt = measure(",remat", "a step", ",\"full,contxt=save\"");
  EXPECT_THAT(misspelt.not_simulated, HasSubstr("context"));
  const auto full = measure(",remat", "a step", ",full");
  const auto custom = measure("", "a step with remat custom", "");
  ASSERT_TRUE(full.prediction) << full.not_simulated;
  ASSERT_TRUE(custom.prediction) << custom.not_simulated;
  EXPECT_EQ(custom.prediction->value, full.prediction->value);
}

TEST(Validate, SpecColumnOverridesTheText) {
  const SetAccuracy set = Measure(
      "id,chip,workload,spec,metric,value,unit\n"
      "a,v4,matmul bf16 1024^3,\"zoo:gemm,m=64,n=64,k=64\",time,10,us\n");
  EXPECT_EQ(set.comparisons[0].point.spec, "zoo:gemm,m=64,n=64,k=64");
}

TEST(Validate, TrendsAndLargerMachinesDoNotCount) {
  const SetAccuracy set = Measure(
      "id,chip,chips,kind,workload,metric,value,unit,grade\n"
      "a,v4,1,gemm,matmul bf16 1024^3,time,10,us,A\n"
      "b,v4,1,gemm,matmul bf16 1024^3,time,99,us,C\n");
  EXPECT_EQ(set.errors.n, 1u);
  ASSERT_TRUE(set.uncounted);
  EXPECT_EQ(set.uncounted->errors.n, 1u);
}

TEST(Validate, ProductsWithStatedCutsAreAlsoRunAsCut) {
  const std::string header =
      "m,n,k,kernel_window,input_window,output_window,iterations,"
      "megacore_split_dim,device_us\n";
  const SetAccuracy set = Measure(header + "2048,2048,1000,1,1,1,1x64x1,1,100\n");
  EXPECT_EQ(set.kind, "odd-gemm");
  EXPECT_EQ(set.rows, 1u);
  ASSERT_EQ(set.comparisons.size(), 2u);
  EXPECT_EQ(set.errors.n, 1u);
  ASSERT_TRUE(set.uncounted);
  EXPECT_EQ(set.uncounted->name, "windows given");
  // Columns that stay whole are converted for each of the many rows of windows.
  EXPECT_GT(set.comparisons[1].prediction->value, 1.5 * set.comparisons[0].prediction->value);
  const absl::StatusOr<SetAccuracy> wrong =
      Validate("t", header + "64,64,64,1,1,1,1x0,0,1\n", {}, Load);
  EXPECT_THAT(Message(wrong.status()), HasSubstr("three numbers"));
}

TEST(Validate, CountsTheProductsWhoseWindowsAreTheCompilers) {
  const std::string header =
      "m,n,k,kernel_window,input_window,output_window,iterations,"
      "megacore_split_dim,device_us\n";
  // One window a core, and 64 thin ones.
  const SetAccuracy set = Measure(header +
                                  "256,128,128,1,1,1,1x2x1,1,1\n"
                                  "2048,2048,1000,1,1,1,1x64x1,1,100\n");
  EXPECT_EQ(set.window_rows, 2u);
  EXPECT_EQ(set.same_windows, 1u);
  EXPECT_EQ(Measure("m,n,k,device_us\n64,64,64,1\n").window_rows, 0u);
}

TEST(Validate, MemoryVerdicts) {
  const std::string header = "layers,nodes,input,output,batch_global,steps_per_s\n";
  const SetAccuracy set = Measure(header + "4,32,100,10,64,400\n" + "16,8192,2000,1000,64,OOM\n" +
                                  "4,32,100,10,128,OOM\n");
  EXPECT_EQ(set.oom_rows, 3u);
  EXPECT_NEAR(*set.oom_accuracy, 2.0 / 3, 1e-9);
  EXPECT_THAT(set.wrong_memory, ElementsAre("4x32 in 100 out 10 batch 128"));
  EXPECT_THAT(set.close_memory, testing::IsEmpty());
  EXPECT_EQ(set.right_or_half, 2);
  EXPECT_EQ(set.failures_or_half, 1);
  EXPECT_EQ(set.errors.n, 1u);
}

ComparedRow Choice(int64_t batch, double measured, double simulated, bool fits = true) {
  ComparedRow row;
  row.point.network = "net";
  row.point.global_batch = batch;
  row.point.figure.value = measured;
  row.point.out_of_memory = measured == 0;
  row.prediction = Prediction{.value = simulated, .fits = fits};
  return row;
}

TEST(Choices, RegretIsTheShortfallOfTheChosenBatch) {
  // Examples per second: measured 100, 160, 120; simulated 100, 140, 150.
  const auto choices = MeasureChoices({Choice(10, 10, 10), Choice(20, 8, 7), Choice(30, 4, 5)});
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->networks, 1u);
  EXPECT_NEAR(choices->regret, 1 - 120.0 / 160, 1e-12);
  EXPECT_EQ(choices->out_of_memory, 0u);
}

TEST(Choices, ABatchThatIsSimulatedNotToFitIsNotChosen) {
  const auto choices = MeasureChoices({Choice(10, 10, 10), Choice(20, 0, 10, false)});
  EXPECT_NEAR(choices->regret, 0, 1e-12);
}

TEST(Choices, ABatchThatRanOutOfMemoryFallsShortByAll) {
  const auto choices = MeasureChoices({Choice(10, 10, 10), Choice(20, 0, 10)});
  EXPECT_NEAR(choices->regret, 1, 1e-12);
  EXPECT_EQ(choices->out_of_memory, 1u);
}

TEST(Choices, NetworksThatNeverRanTellNothing) {
  EXPECT_FALSE(MeasureChoices({Choice(10, 0, 10)}));
  EXPECT_FALSE(MeasureChoices({}));
}

// The shipped tables parse, and every spec in them is one that the zoo knows
// or a file.
TEST(Published, TablesAreOfTheirKinds) {
  size_t tables = 0;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.file.empty()) continue;  // tables of the user's alone
    const absl::StatusOr<Csv> csv = Csv::Parse(set.file, PublishedText(set.file));
    ASSERT_TRUE(csv.ok()) << Message(csv.status());
    const absl::StatusOr<const SetKind*> kind = KindOf(*csv);
    ASSERT_TRUE(kind.ok()) << Message(kind.status());
    EXPECT_EQ((*kind)->name, set.kind) << set.file;
    EXPECT_NE(set.source, "") << set.file;
    const auto points = (*kind)->read(*csv, set);
    EXPECT_TRUE(points.ok()) << Message(points.status());
    ++tables;
  }
  EXPECT_EQ(tables, 14u);
}

TEST(Published, ModelsAreZooSpecs) {
  EXPECT_GT(PublishedModels().size(), 20u);
  for (const PublishedModel& model : PublishedModels()) {
    const absl::StatusOr<Workload> workload = LoadZoo(model.spec);
    EXPECT_TRUE(workload.ok()) << model.name << ": " << Message(workload.status());
  }
}

// Rows whose text leaves out what the source says elsewhere: a vocabulary, the
// kind of attention, packed lengths, cached positions, types.
bool IsInRemarks(const std::string& id) {
  for (const char* part :
       {"maxtext-22b-mar23", "maxtext-52b", "levanter", "llama2-70b", "vits16", "bitr50",
        "transformer-mlperf", "llama33-70b", "albert", "vitg14", "512c-deepseek3", "gpt3"}) {
    if (id.find(part) != std::string::npos) return true;
  }
  return false;
}

// Without what only a published configuration says.
std::string WithoutSettings(const std::string& spec) {
  return spec.substr(0, std::min(spec.find(",q_block="), spec.find(",lookup=")));
}

// What the text says and what the spec column says are the same where both
// speak, so that rows of the same sort are read as well as these.
TEST(Published, TextOfMeasurementsAgreesWithItsSpecs) {
  const absl::StatusOr<Csv> csv = Csv::Parse("measurements.csv", PublishedText("measurements.csv"));
  ASSERT_TRUE(csv.ok());
  int compared = 0;
  for (size_t row = 0; row < csv->rows(); ++row) {
    const std::string& spec = csv->Cell(row, "spec");
    if (!IsZooSpec(spec)) continue;
    // The same row under an id that is not known, without its spec.
    std::string text = "id";
    std::string cells = "unknown";
    for (const char* column : {"chip", "chips", "cores", "workload", "dtype", "batch_global",
                               "mode", "metric", "value", "unit"}) {
      text += std::string(",") + column;
      cells += ",\"" + csv->Cell(row, column) + "\"";
    }
    const absl::StatusOr<Csv> alone = Csv::Parse("t", text + "\n" + cells);
    ASSERT_TRUE(alone.ok()) << Message(alone.status());
    const auto points = ReadMeasurements(*alone, {});
    ASSERT_TRUE(points.ok()) << Message(points.status());
    if (IsInRemarks(csv->Cell(row, "id"))) continue;
    EXPECT_EQ(points->front().spec, WithoutSettings(spec)) << csv->Cell(row, "id");
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

// The published configuration's batch, where it is not that of the sentence.
TEST(Published, ExamplesReplaceTheGlobalBatch) {
  const std::string header = "id,chip,chips,workload,dtype,batch_global,mode,metric,value,unit";
  const std::string row = "mine,v5p,4,Llama-3.1-8B,bf16,64,train,step time,1,s";
  const auto points = [](const std::string& text) {
    return *ReadMeasurements(*Csv::Parse("t", text), {});
  };
  EXPECT_EQ(points(header + "\n" + row).front().global_batch, 64);
  EXPECT_EQ(points(header + ",examples\n" + row + ",32").front().global_batch, 32);
}

}  // namespace
}  // namespace tilewise
