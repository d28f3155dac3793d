// A cache by the size of the data: in memory, above the map that makes items larger, in a file,
// or nowhere.

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "tests/program/analysed.h"
#include "tests/program/apply_edits.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

// So many records, decoded to images of 150 kB as uint8 or four times as much as float32.
std::string Program(int64_t records, bool as_float, const std::string& cache) {
  return fmt::format(R"(
import tensorflow as tf
def parse(record):
    x = tf.io.decode_jpeg(record, channels=3)
    x = tf.ensure_shape(tf.image.resize(x, (224, 224)), (224, 224, 3))
    return tf.cast(x, tf.{}), 0
ds = tf.data.TFRecordDataset(["gs://b/1"]).take({})
ds = ds.map(parse, tf.data.AUTOTUNE){}.batch(1024).prefetch(2)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 7, strides=7, input_shape=(224, 224, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", "sparse_categorical_crossentropy", steps_per_execution=50)
model.fit(ds, epochs=10)
)",
                     as_float ? "float32" : "uint8", records, cache);
}

// The finding of the rule; an empty one where there is none, or several.
Diagnostic FindingIn(const std::string& program, const char* rule, const char* chip) {
  const auto analysed = AnalyseProgram(program, {}, chip);
  if (analysed->session == nullptr) return {};
  RuleSelection selection;
  selection.select = {rule};
  selection.preview = true;
  const std::vector<Diagnostic> found = RunRules(analysed->facts(), selection);
  return found.size() == 1 ? found.front() : Diagnostic();
}

std::string Fix(int64_t records, bool as_float, const std::string& cache, const char* rule,
                const char* chip = "v5e") {
  return FindingIn(Program(records, as_float, cache), rule, chip).fix.text;
}

// 357 GiB of RAM on a machine of 8 chips v5e, half of it for a cache; 80 GiB of disk.
TEST(CachePlace, AMissingCacheComesWhereItsItemsHaveRoom) {
  EXPECT_EQ(Fix(50000, true, "", "IP007"), "add .cache() after map(parse)");
  EXPECT_EQ(Fix(500000, true, "", "IP007"), "add .cache() after take");
  EXPECT_EQ(Fix(5000000, true, "", "IP007"), "");
}

// A notebook's RAM is too small for 200,000 images, and its disk faster than its two cores.
TEST(CachePlace, ASlowMachineKeepsWhatItDecodedInAFile) {
  EXPECT_EQ(Fix(200000, false, "", "IP007", "v2"), "add .cache(\"/tmp/cache\") after map(parse)");
}

// What a map doubles fits neither RAM nor disk; as it is decoded it fits the disk.
TEST(CachePlace, ACacheThatMovesIntoAFileIsWrittenThere) {
  std::string program = Program(300000, false, ".map(wide, tf.data.AUTOTUNE).cache()");
  program.insert(program.find("ds = "), "def wide(x, y):\n    return tf.cast(x, tf.float16), y\n");
  EXPECT_THAT(ApplyEdits(program, FindingIn(program, "IP027", "v2").fix.edits),
              HasSubstr("ds.map(parse, tf.data.AUTOTUNE).cache(\"/tmp/cache\")"
                        ".map(wide, tf.data.AUTOTUNE).batch(1024)"));
}

TEST(CachePlace, TheSizeIsSaidOnce) {
  EXPECT_THAT(FindingIn(Program(200000, false, ""), "IP007", "v2").message,
              HasSubstr("; that is above half of its "));
}

TEST(CachePlace, ACacheAboveTheRamIsMovedToWhereItHasRoom) {
  EXPECT_EQ(Fix(50000, true, ".cache()", "IP027"), "");
  EXPECT_THAT(Fix(1000000, true, ".cache()", "IP027"),
              HasSubstr("put .cache() after take, where it holds 70.1 GiB; a step then takes "));
  EXPECT_THAT(Fix(5000000, true, ".cache()", "IP027"), HasSubstr("take cache() out: no place"));
}

}  // namespace
}  // namespace tilewise
