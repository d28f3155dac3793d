// What programs take from configuration files, command lines, images and switches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cpp/model_reading.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

// Trains a layer of 8 values for `outputs` classes, behind `before`, which opens main().
std::string ForClasses(const std::string& before, const std::string& outputs) {
  return std::string(kTorch) + "#include <fstream>\n#include <string>\n" + before +
         "  torch::nn::Linear net(8, " + outputs +
         ");\n  torch::optim::SGD sgd(net->parameters(), 0.1);\n"
         "  auto loss = net(torch::randn({16, 8})).sum();\n  loss.backward();\n  sgd.step();\n}\n";
}

// A program beside a file of settings, which it reads by its name.
Workload ReadBeside(const std::string& name, const std::string& settings, const std::string& text) {
  const TemporaryFolder folder;
  folder.Write(name, settings);
  const std::string path = folder.Write("net.cpp", text);
  return Read(text, {}, path);
}

TEST(CppSettings, OfYamlComeFromTheFile) {
  const Workload w =
      ReadBeside("net.yaml", "model:\n  classes: 24\n",
                 ForClasses("#include <yaml-cpp/yaml.h>\nint main() {\n"
                            "  YAML::Node config = YAML::LoadFile(\"net.yaml\");\n"
                            "  YAML::Node model = config[\"model\"];\n",
                            "model[\"classes\"].as<int>() + model[\"more\"].as<int>(6)"));
  EXPECT_EQ(Parameters(w), 9 * 30) << Notes(w);
}

TEST(CppSettings, OfTomlComeFromTheFile) {
  const Workload w = ReadBeside("net.toml", "[model]\nclasses = 10\n",
                                ForClasses("#include <toml.hpp>\nint main() {\n"
                                           "  const auto config = toml::parse(\"net.toml\");\n",
                                           "toml::find<int>(config, \"model\", \"classes\") + "
                                           "toml::find_or<int>(config, \"model\", \"more\", 5)"));
  EXPECT_EQ(Parameters(w), 9 * 15) << Notes(w);
}

TEST(CppSettings, OfJsonComeFromTheFileThatItsStreamWasOpenedOn) {
  for (const std::string parsed : {"  nlohmann::json config = nlohmann::json::parse(file);\n",
                                   "  nlohmann::json config;\n  file >> config;\n"}) {
    const Workload w = ReadBeside("net.json", R"({"classes": 12, "more": 3})",
                                  ForClasses("#include <nlohmann/json.hpp>\nint main() {\n"
                                             "  std::ifstream file(\"net.json\");\n" +
                                                 parsed + "  int classes = config[\"classes\"];\n",
                                             "classes + config.value(\"more\", 1)"));
    EXPECT_EQ(Parameters(w), 9 * 15) << Notes(w);
  }
}

TEST(CppSettings, OfAFileThatIsNotKnownHaveTheDefaultsThatTheProgramStates) {
  const std::string text = ForClasses(
      "#include <yaml-cpp/yaml.h>\nint main(int argc, char** argv) {\n"
      "  YAML::Node config = YAML::LoadFile(argv[1]);\n",
      "config[\"classes\"].as<int>(20)");
  const Workload w = Read(text);
  EXPECT_EQ(Parameters(w), 9 * 20) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("its values have the defaults that the program states"));
  LoadOptions options;
  options.program.assume = {"classes=32"};
  EXPECT_EQ(Parameters(Read(text, options)), 9 * 32);
}

TEST(CppSettings, OfAFileThatIsNotKnownAreNotAssumedWithoutADefault) {
  const Workload w =
      Read(ForClasses("#include <nlohmann/json.hpp>\nint main() {\n"
                      "  std::ifstream file(\"net.json\");\n  nlohmann::json config = "
                      "nlohmann::json::parse(file);\n"
                      "  int classes = config[\"classes\"];\n",
                      "classes"));
  EXPECT_THAT(Notes(w), HasSubstr("classes of a configuration file that is not known"));
}

TEST(CppSettings, OptionsOfCxxoptsMayBeAddedOneByOne) {
  const Workload w =
      Read(ForClasses("#include <cxxopts.hpp>\nint main(int argc, char** argv) {\n"
                      "  cxxopts::Options options(\"net\");\n"
                      "  options.add_option(\"net\", {\"c,classes\", \"Classes\", "
                      "cxxopts::value<int>()->default_value(\"18\")});\n"
                      "  auto result = options.parse(argc, argv);\n",
                      "result[\"classes\"].as<int>()"));
  EXPECT_EQ(Parameters(w), 9 * 18) << Notes(w);
}

// A program that trains on a picture that `load` reads.
std::string OnPicture(const std::string& load, const std::string& channels = "3") {
  return std::string(kTorch) + "#include \"stb_image.h\"\n#include <memory>\nint main() {\n" +
         "  int w = 0, h = 0, c = 0;\n" + load +
         "  torch::Tensor x = torch::from_blob(pixels.get(), {1, h, w, " + channels +
         "}, torch::kByte);\n  torch::nn::Linear net(h * w * " + channels +
         ", 10);\n  torch::optim::SGD sgd(net->parameters(), 0.1);\n"
         "  net(x.to(torch::kFloat32).flatten(1)).sum().backward();\n  sgd.step();\n}\n";
}

constexpr char kLoads[] =
    "  std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(\n"
    "      stbi_load(\"a.png\", &w, &h, &c, 3), &stbi_image_free);\n";

TEST(CppSettings, SizesOfPicturesThatStbReadsAreThoseThatAreAssumed) {
  LoadOptions options;
  options.program.assume = {"image_width=20", "image_height=10"};
  const Workload w = Read(OnPicture(kLoads), options);
  EXPECT_EQ(Parameters(w), 10 * (10 * 20 * 3 + 1)) << Notes(w);
}

TEST(CppSettings, ChannelsOfPicturesThatStbReadsAreThoseOfMostFilesOrThoseThatAreAssumed) {
  LoadOptions options;
  options.program.assume = {"image_width=20", "image_height=10"};
  EXPECT_EQ(Parameters(Read(OnPicture(kLoads, "c"), options)), 10 * (10 * 20 * 3 + 1));
  options.program.assume.emplace_back("image_channels=4");
  EXPECT_EQ(Parameters(Read(OnPicture(kLoads, "c"), options)), 10 * (10 * 20 * 4 + 1));
}

TEST(CppSettings, AConstantThatSwitchesTrainingOffIsTakenAsOn) {
  const Workload w = Read(std::string(kTorch) + R"(
int main() {
  const bool IS_TRAIN = false;
  torch::nn::Linear net(8, 4);
  if (IS_TRAIN) {
    torch::optim::SGD sgd(net->parameters(), 0.1);
    net(torch::randn({16, 8})).sum().backward();
    sgd.step();
  }
}
)");
  EXPECT_EQ(Parameters(w), 9 * 4) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("IS_TRAIN is false; the program is read as if it were true"));
}

TEST(CppSettings, GetoptFindsNoOptionsAndTheDefaultsStay) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <unistd.h>
int main(int argc, char* argv[]) {
  int width = 8;
  int option;
  while ((option = getopt(argc, argv, "w:")) != -1) {
    switch (option) {
      case 'w': width = atoi(optarg); break;
    }
  }
  torch::nn::Linear net(width, 4);
  torch::optim::SGD sgd(net->parameters(), 0.1);
  net(torch::randn({16, width})).sum().backward();
  sgd.step();
}
)");
  EXPECT_EQ(Parameters(w), 9 * 4) << Notes(w);
}

TEST(CppSettings, AFunctionThatChecksTheCommandLineGetsEnoughArguments) {
  const std::string asks =
      "#include <cstdlib>\nint classes(int argc, char* argv[]) {\n"
      "  if (argc < 2) {\n    std::exit(1);\n  }\n  return 12;\n}\n";
  const std::string main = "int main(int argc, char** argv) {\n  int n = classes(argc, argv);\n";
  const Workload w = Read(ForClasses(asks + main, "n"));
  EXPECT_EQ(Parameters(w), 9 * 12) << Notes(w);
  EXPECT_THAT(Notes(w), HasSubstr("is read as if it got some"));
  // What it returns where there are none is a default.
  const std::string has =
      "int classes(int argc, char* argv[]) {\n"
      "  if (argc < 2) {\n    return 20;\n  }\n  return 12;\n}\n";
  EXPECT_EQ(Parameters(Read(ForClasses(has + main, "n"))), 9 * 20);
}

}  // namespace
}  // namespace tilewise
