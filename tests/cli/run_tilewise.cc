// Output goes through files: a pipe that fills would stop the program.

#include "tests/cli/run_tilewise.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <sys/wait.h>

namespace tilewise {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int ExitCodeOf(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

}  // namespace

RunResult RunTilewise(const std::string& arguments, const std::string& before) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  const std::string command =
      before + " '" + TILEWISE_BINARY + "' " + arguments + " </dev/null >" + out + " 2>" + err;
  RunResult result;
  result.exit_code = ExitCodeOf(std::system(command.c_str()));
  result.out = ReadFile(out);
  result.err = ReadFile(err);
  return result;
}

const std::string_view kSmallModel = R"({
 "class_name": "Sequential", "keras_version": "2.4.0", "backend": "tensorflow",
 "config": {"name": "small", "layers": [
  {"class_name": "Dense", "config": {"name": "hidden", "units": 128,
   "activation": "relu", "batch_input_shape": [null, 256], "dtype": "float32",
   "use_bias": true}},
  {"class_name": "Dense", "config": {"name": "answer", "units": 10,
   "activation": "softmax", "dtype": "float32", "use_bias": true}}]}})";

const std::string_view kSmallScript = R"(import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y)).map(f).batch(1024)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu", input_shape=(256,)),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
strategy = tf.distribute.TPUStrategy()
)";

}  // namespace tilewise
