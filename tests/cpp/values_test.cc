// What the variables of a C++ program are: options of its command line, what calls set by
// reference, arguments of templates.

#include <gmock/gmock.h>

#include "tests/cpp/model_reading.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kLayer[] = R"(
  torch::nn::Linear layer(8, width);
  torch::optim::SGD optimizer(layer->parameters(), 0.1);
  for (int i = 0; i < 3; ++i) {
    layer->forward(torch::randn({4, 8})).mean().backward();
    optimizer.step();
  }
}
)";

Workload ReadLayer(const std::string& before_main, const std::string& statements) {
  return Read(std::string(kTorch) + before_main + "\nint main(int argc, char** argv) {\n" +
              "  int width = 64;\n" + statements + kLayer);
}

TEST(CppValues, AVariableThatACallSetsIsNotKnown) {
  const std::string text = Translated(R"(
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
struct Config { int width = 64; };
bool Elsewhere(int& n);
int main() {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10;
  std::string line = "1";
  std::ifstream file("x");
  Config config;
  char letters[8] = {};
  double rate;
  if (!(std::cin >> rate >> a)) return 1;
  if (scanf("%d", &b) != 1) return 1;
  std::sscanf("12", "%d", &c);
  FILE* in = fopen("x", "r");
  fscanf(in, "%d", &d);
  fgets(letters, 8, in);
  std::getline(std::cin, line);
  std::from_chars(line.data(), line.data() + line.size(), e);
  file.read(reinterpret_cast<char*>(&f), sizeof(f));
  while (file >> config.width) {}
  auto ask = [&] { std::cin >> g; };
  auto set = [](int& n) { n = 24; };
  set(h);
  Elsewhere(i);
  std::printf("%p", &j);
}
)");
  for (const char* each :
       {"a = _cpp.changed('a', 'std::cin', a, ", "b = _cpp.changed('b', 'scanf()', b, ",
        "c = _cpp.changed('c', 'sscanf()', c, ", "d = _cpp.changed('d', 'fscanf()', d, ",
        "letters = _cpp.changed('letters', 'fgets()', letters, ",
        "line = _cpp.changed('line', 'getline()', line, ",
        "e = _cpp.changed('e', 'from_chars()', e, ", "f = _cpp.changed('f', 'read()', f, ",
        "config.width = _cpp.changed('config.width', 'file', config.width, ", "nonlocal g",
        "g = _cpp.changed('g', 'std::cin', g, ", "h = _cpp.changed('h', 'a lambda', h, ",
        "i = _cpp.left('Elsewhere', 0, 'i')"}) {
    EXPECT_THAT(text, HasSubstr(each));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("j = _cpp")));
  EXPECT_THAT(text, testing::Not(HasSubstr("line = _cpp.changed('line', 'from_chars()'")));
}

TEST(CppValues, TheReasonNamesTheCallThatSetsAVariable) {
  const Workload w = ReadLayer("#include <iostream>", "std::cin >> width;");
  EXPECT_THAT(Notes(w), HasSubstr("width, which std::cin sets"));
}

TEST(CppValues, AVariableThatAnOptionIsBoundToHasItsDefault) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <boost/program_options.hpp>
#include <CLI/CLI.hpp>
#include <argparse/argparse.hpp>
#include <cxxopts.hpp>
#include "xla/tsl/util/command_line_flags.h"
namespace po = boost::program_options;
int main(int argc, char** argv) {
  int a = 1, b = 20, c = 300, d = 4, e = 5000, f = 6, g = 7;
  po::options_description options("o");
  options.add_options()("a", po::value<int>(&a)->default_value(2), "units")(
      "b", po::value<int>(&b), "units");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  po::notify(values);
  CLI::App app("x");
  app.add_option("--c", c, "units");
  app.add_option("--d", d)->default_val(40);
  CLI11_PARSE(app, argc, argv);
  std::vector<tsl::Flag> flags = {tsl::Flag("e", &e, "units")};
  if (!tsl::Flags::Parse(&argc, argv, flags)) return 1;
  cxxopts::Options others("x");
  others.add_options()("f", "units", cxxopts::value<int>(f)->default_value("60000"));
  others.parse(argc, argv);
  argparse::ArgumentParser parser("x");
  parser.add_argument("--g").default_value(700000).store_into(g);
  parser.parse_args(argc, argv);
  const int width = a + b + c + d + e + f + g;
)" + kLayer);
  EXPECT_EQ(Parameters(w), 9 * (2 + 20 + 300 + 40 + 5000 + 60000 + 700000)) << Notes(w);
}

TEST(CppValues, FlagsOfAbseilHaveTheirDefaults) {
  const Workload w = ReadLayer(
      "#include <absl/flags/flag.h>\n#include <absl/flags/parse.h>\n"
      "ABSL_FLAG(int, width, 56, \"units\");",
      "absl::ParseCommandLine(argc, argv); width = absl::GetFlag(FLAGS_width);");
  EXPECT_EQ(Parameters(w), 9 * 56) << Notes(w);
}

TEST(CppValues, WhatAFunctionOfTheProgramSetsByReferenceReachesItsCaller) {
  const Workload w = ReadLayer(R"(
void First(bool wide, int& n) { n = 32; if (wide) { n = 2; return; } }
bool Second(int* n) { *n = 20; return true; }
template <class T> void Third(T& n) { n += 100; }
void Look(const int& n, int m) { m = n; }
)",
                               R"(
  int a = 1, b = 1, c = 200, d = 4000, e = 1;
  First(true, a);
  if (!Second(&b)) return 1;
  Third(c);
  Look(d, d);
  int& other = e;
  other = 40000;
  int* place = &e;
  *place += 10000;
  width = a + b + c + d + e;
)");
  EXPECT_EQ(Parameters(w), 9 * (2 + 20 + 300 + 4000 + 50000)) << Notes(w);
}

constexpr char kTemplate[] = R"(
template <int64_t H, typename Act = torch::nn::ReLU>
struct NetImpl : torch::nn::Module {
  NetImpl() : fc(16, H), out(H, kClasses) {
    register_module("fc", fc);
    register_module("out", out);
  }
  torch::Tensor forward(torch::Tensor x);
  static constexpr int64_t kClasses = 10;
  torch::nn::Linear fc, out;
  Act act;
};
template <int64_t W, typename A>
torch::Tensor NetImpl<W, A>::forward(torch::Tensor x) {
  return out(act(fc(x)).view({-1, W}));
}
template <int64_t N>
struct Two : torch::nn::Module {
  Two() {
    a = register_module("a", std::make_shared<NetImpl<N>>());
    b = register_module("b", std::make_shared<NetImpl<2 * N, torch::nn::Tanh>>());
  }
  torch::Tensor forward(torch::Tensor x) { return a->forward(x) + b->forward(x); }
  std::shared_ptr<NetImpl<N>> a;
  std::shared_ptr<NetImpl<2 * N, torch::nn::Tanh>> b;
};
int main() {
  Two<32> net;
  torch::optim::SGD optimizer(net.parameters(), 0.1);
  for (int i = 0; i < 3; ++i) {
    net.forward(torch::randn({4, 16})).mean().backward();
    optimizer.step();
  }
})";

TEST(CppValues, ATemplateOfAClassHasTheArgumentsThatItsUseGives) {
  const Workload w = Read(std::string(kTorch) + kTemplate);
  EXPECT_THAT(Translated(std::string(kTorch) + kTemplate), HasSubstr("self.act = Act()"));
  const auto parameters = [](int64_t h) { return 16 * h + h + h * 10 + 10; };
  EXPECT_EQ(Parameters(w), parameters(32) + parameters(64)) << Notes(w);
  EXPECT_THAT(Notes(w), testing::Not(HasSubstr("not known")));
}

TEST(CppValues, OptionsOfACommandLineHaveTheirDefaults) {
  const Workload boost = Read(std::string(kTorch) + R"(
#include <boost/program_options.hpp>
namespace po = boost::program_options;
int main(int argc, const char* argv[]) {
  po::options_description options("Options");
  options.add_options()("help", "text")("width", po::value<size_t>()->default_value(32), "units")(
      "dataset", po::value<std::string>(), "name");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  if (values.empty() || values.count("help")) return 1;
  const auto width = values["width"].as<size_t>();
)" + kLayer);
  EXPECT_EQ(Parameters(boost), 8 * 32 + 32) << Notes(boost);
  const Workload argparse = Read(std::string(kTorch) + R"(
#include <argparse/argparse.hpp>
int main(int argc, const char* argv[]) {
  argparse::ArgumentParser parser("x");
  parser.add_argument("--width").help("units").default_value(int64_t{24}).scan<'i', int64_t>();
  parser.parse_args(argc, argv);
  const auto width = parser.get<int64_t>("--width");
)" + kLayer);
  EXPECT_EQ(Parameters(argparse), 8 * 24 + 24) << Notes(argparse);
  const Workload cxxopts = Read(std::string(kTorch) + R"(
#include <cxxopts.hpp>
int main(int argc, char** argv) {
  cxxopts::Options options("x", "y");
  options.add_options()("w,width", "units", cxxopts::value<int>()->default_value("16"));
  auto given = options.parse(argc, argv);
  if (given.count("width")) return 1;
  const auto width = given["width"].as<int>();
)" + kLayer);
  EXPECT_EQ(Parameters(cxxopts), 8 * 16 + 16) << Notes(cxxopts);
}

TEST(CppValues, FlagsHaveTheirDefaultsAndArgumentsThatAreNotGivenTheirOther) {
  const Workload flags = Read(std::string(kTorch) + R"(
#include <gflags/gflags.h>
DEFINE_int32(width, 48, "units");
int main(int argc, char** argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  const int width = FLAGS_width;
)" + kLayer);
  EXPECT_EQ(Parameters(flags), 8 * 48 + 48) << Notes(flags);
  const Workload plain = Read(std::string(kTorch) + R"(
int main(int argc, char** argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 64;
)" + kLayer);
  EXPECT_EQ(Parameters(plain), 8 * 64 + 64) << Notes(plain);
}

TEST(CppValues, AnOptionWithoutADefaultIsNotKnown) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <boost/program_options.hpp>
namespace po = boost::program_options;
int main(int argc, const char* argv[]) {
  po::options_description options("Options");
  options.add_options()("width", po::value<int>()->required(), "units");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  const int width = values["width"].as<int>();
)" + kLayer);
  EXPECT_THAT(Notes(w), HasSubstr("the option --width, which has no default"));
}

std::string TrainsOnImages(const std::string& statement) {
  return std::string(kTorch) + R"(
#include <opencv2/opencv.hpp>
struct Pictures : torch::data::datasets::Dataset<Pictures> {
  torch::data::Example<> get(size_t index) override {
    auto mat = cv::imread("a.png");
)" + statement +
         R"(
    std::vector<cv::Mat> channels(3);
    cv::split(mat, channels);
    auto red = torch::from_blob(channels[2].ptr(), {mat.rows, mat.cols}, torch::kUInt8);
    return {red.to(torch::kFloat).view({-1}), torch::tensor(int64_t(index))};
  }
  torch::optional<size_t> size() const override { return 100; }
};
int main() {
  auto set = Pictures().map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 4);
  torch::nn::Linear layer(24 * 16, 10);
  torch::optim::SGD optimizer(layer->parameters(), 0.1);
  for (auto& batch : *loader) {
    torch::nn::functional::cross_entropy(layer->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
})";
}

TEST(CppValues, CharactersThatStandForNumbersAreNumbers) {
  const std::string text = Translated(R"(
#include <limits>
int main(int argc, char** argv) {
  int first = '!';
  char sign = argv[0][0];
  bool same = sign == 'a';
  double most = -std::numeric_limits<double>::infinity();
}
)");
  EXPECT_THAT(text, HasSubstr("first = 33"));
  EXPECT_THAT(text, HasSubstr("== 'a'"));
  EXPECT_THAT(text, HasSubstr("float('inf')"));
}

TEST(CppValues, AssignGivesAListItsElementsAndATextItsLetters) {
  const Workload w = Read(std::string(kTorch) + R"(
int main() {
  std::vector<int64_t> all = {8, 64}, widths;
  widths.assign(all.begin(), all.end());
  std::string name;
  name.assign("wi");
  name.append("de");
  const int64_t width = name == "wide" ? widths[1] : 1;
)" + kLayer);
  EXPECT_EQ(Parameters(w), 8 * 64 + 64) << Notes(w);
}

TEST(CppValues, AClassThatMallocMakesHasItsMembers) {
  const Workload w = Read(std::string(kTorch) + R"(
#include <cstdlib>
struct Options { int64_t width; };
int main() {
  Options* options = (Options*)malloc(sizeof(Options));
  options->width = 64;
  const int64_t width = options->width;
)" + kLayer);
  EXPECT_EQ(Parameters(w), 8 * 64 + 64) << Notes(w);
}

TEST(CppValues, AMemberThatTheDeclarationLacksKeepsItsName) {
  const std::string text = Translated(R"(
struct Made { int n; };
struct Builder { Made Build(); };
int main() {
  Builder builder;
  auto a = builder.Build().ValueOrDie();
  auto b = builder.Build().other;
}
)");
  EXPECT_THAT(text, HasSubstr("a = _cpp.m_ValueOrDie(builder.Build())"));
  EXPECT_THAT(text, HasSubstr("b = _cpp.member(builder.Build(), 'other')"));
}

TEST(CppValues, SizesOfImagesThatTheCodeStatesCount) {
  const Workload w = Read(TrainsOnImages("cv::resize(mat, mat, cv::Size(24, 16));"));
  EXPECT_EQ(Parameters(w), 24 * 16 * 10 + 10) << Notes(w);
  EXPECT_EQ(w.declared_global_batch(), 4);
  // Those that only files know have the features that the model takes.
  const Workload unknown = Read(TrainsOnImages(""));
  EXPECT_EQ(Parameters(unknown), 24 * 16 * 10 + 10);
  EXPECT_THAT(Notes(unknown), HasSubstr("data of the shape [4, 384], which the model takes"));
  LoadOptions sizes;
  sizes.program.assume = {"image_height=16", "image_width=24"};
  EXPECT_TRUE(Read(TrainsOnImages(""), sizes).graph.has_value());
}

}  // namespace
}  // namespace tilewise
