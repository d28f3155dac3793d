// The table of input formats. To add one: its reader, and its line here.

#include <array>

#include "frontend/config/read_config.h"
#include "frontend/files/cpp_files.h"
#include "frontend/files/hlo_files.h"
#include "frontend/files/keras_files.h"
#include "frontend/files/xla_dump.h"
#include "frontend/hlo/read_hlo.h"
#include "frontend/keras/read_json.h"
#include "frontend/load.h"
#include "frontend/logs/read_log.h"
#include "frontend/maxtext/read_maxtext.h"
#include "frontend/mlir/read_mlir.h"
#include "frontend/onnx/read_onnx.h"
#include "frontend/python/model_config.h"
#include "frontend/python/read_python.h"
#include "frontend/tensorflow/read_tensorflow.h"

namespace tilewise {
namespace {

constexpr InputFormat kFormats[] = {
    {"notebook", "Jupyter notebook (.ipynb) of such a training program", LooksLikeNotebook,
     ReadNotebook},
    {"keras-json", "Keras model as model.to_json() writes it (Keras 1, 2, 3)", LooksLikeKerasJson,
     ReadKerasJson},
    {"transformers-config", "config.json of a model of Hugging Face transformers",
     LooksLikeModelConfig, ReadModelConfig},
    {"keras-h5", "Keras model in HDF5 (.h5), as model.save() writes it", LooksLikeKerasH5,
     ReadKerasH5},
    {"keras-zip", "Keras 3 model (.keras), as model.save() writes it", LooksLikeKerasZip,
     ReadKerasZip},
    {"saved-model", "TensorFlow SavedModel: the directory, saved_model.pb or .pbtxt",
     LooksLikeSavedModel, ReadSavedModel},
    {"graphdef", "TensorFlow GraphDef (.pb, .pbtxt)", LooksLikeGraphDef, ReadGraphDef},
    {"metagraph", "TensorFlow MetaGraphDef (.meta)", LooksLikeMetaGraph, ReadMetaGraph},
    {"tfjs-graph", "TensorFlow.js graph model (model.json)", LooksLikeTfjsGraph, ReadTfjsGraph},
    {"onnx", "ONNX (.onnx), as PyTorch and others export it", LooksLikeOnnx, ReadOnnx},
    {"mlir", "StableHLO or MHLO as MLIR text (.mlir), as JAX prints it", LooksLikeMlir, ReadMlir},
    {"hlo-text", "XLA HLO as text (.hlo, .txt), before or after optimisation",
     hlo::LooksLikeHloText, ReadHloText},
    {"hlo-proto", "XLA HLO as HloProto or HloModuleProto (.hlo.pb, .pb)", hlo::LooksLikeHloProto,
     ReadHloProto},
    {"hlo-textproto", "the same in protobuf text form", hlo::LooksLikeHloTextproto,
     ReadHloTextproto},
    {"cpp", "C++ source that uses LibTorch, XlaBuilder or TensorFlow's C++ API", LooksLikeCpp,
     ReadCppFile},
    {"xla-dump", "folder of compiler dumps (--xla_dump_to)", LooksLikeXlaDump, ReadXlaDump},
    {"log", "log of a run: memory that ran out, compilations, times of steps", LooksLikeLog,
     ReadLog},
    {"pipeline-config",
     "pipeline.config of the TensorFlow Object Detection API, for the rules about input, batch and "
     "loop",
     LooksLikePipelineConfig, ReadPipelineConfig},
    {"maxtext", "configuration of MaxText (configs/base.yml, configs/models/NAME.yml)",
     LooksLikeMaxText, ReadMaxText},
    {"training-yaml", "training configuration of TensorFlow's Model Garden", LooksLikeTrainingYaml,
     ReadTrainingYaml},
    {"training-gin", "training configuration of T5X or T5 (.gin)", LooksLikeTrainingGin,
     ReadTrainingGin},
    {"python", "training program (.py) in TensorFlow, PyTorch or JAX, read without running it",
     LooksLikePython, ReadPython},
};

}  // namespace

std::span<const InputFormat> InputFormats() { return kFormats; }

const InputFormat* SniffFormat(const InputFile& file) {
  for (const InputFormat& format : kFormats) {
    if (format.sniff(file)) return &format;
  }
  return nullptr;
}

}  // namespace tilewise
