// The file of pipeline costs into structs, and look-ups by name.

#include "hardware/pipeline_costs.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "hardware/catalog.h"
#include "hardware/number_reader.h"
#include "hardware/pipeline_costs.pb.h"

namespace tilewise {
namespace {

constexpr double kNano = 1e-9;
constexpr double kMicro = 1e-6;

OpCost ReadOpCost(const proto::OpCost& file, NumberReader& in) {
  in.Enter(file);
  OpCost op;
  op.names.assign(file.names().begin(), file.names().end());
  op.libraries.assign(file.libraries().begin(), file.libraries().end());
  const auto read = [&](bool has, std::string_view field, double unit) {
    return has ? in.Time(field, unit) : Seconds{};
  };
  op.call = read(file.has_call_us(), "call_us", kMicro);
  op.per_input_byte = read(file.has_ns_per_input_byte(), "ns_per_input_byte", kNano);
  op.per_input_element = read(file.has_ns_per_input_element(), "ns_per_input_element", kNano);
  op.per_output_element = read(file.has_ns_per_output_element(), "ns_per_output_element", kNano);
  op.memory_per_output_byte =
      read(file.has_memory_ns_per_output_byte(), "memory_ns_per_output_byte", kNano);
  return op;
}

Cpu ReadCpu(const proto::Cpu& file, NumberReader& in) {
  in.Enter(file);
  Cpu cpu;
  cpu.name = file.name();
  cpu.aliases.assign(file.aliases().begin(), file.aliases().end());
  cpu.core_time = in.Positive("core_time");
  if (file.has_vcpus_per_core()) cpu.vcpus_per_core = in.Positive("vcpus_per_core");
  for (const proto::CpuOp& op : file.ops()) {
    in.Enter(op);
    cpu.ops.push_back({op.op(), op.library(), in.Positive("core_time")});
  }
  return cpu;
}

Store ReadStore(const proto::Store& file, NumberReader& in) {
  in.Enter(file);
  Store store;
  store.name = file.name();
  store.aliases.assign(file.aliases().begin(), file.aliases().end());
  store.stream = {in.Positive("stream_mb_per_s") * 1e6};
  store.total = {in.Positive("total_mb_per_s") * 1e6};
  store.file = in.Time("file_ms", 1e-3);
  if (file.has_list_us()) store.list = in.Time("list_us", kMicro);
  if (file.has_block_mb()) {
    store.reads_ahead = in.NotNegative("reads_ahead");
    store.block = {static_cast<int64_t>(in.Positive("block_mb") * 1e6)};
  }
  return store;
}

PipelineCosts ReadCosts(const proto::PipelineCosts& file) {
  NumberReader in("pipeline_costs.txtpb", file);
  PipelineCosts costs;
  costs.element = in.Time("element_us", kMicro);
  costs.map_call = in.Time("map_call_us", kMicro);
  costs.python_call = in.Time("python_call_us", kMicro);
  costs.python_element = in.Time("python_element_us", kMicro);
  costs.elementwise = in.Time("elementwise_ns", kNano);
  costs.jpeg_bytes_per_pixel = in.Positive("jpeg_bytes_per_pixel");
  costs.png_bytes_per_pixel = in.Positive("png_bytes_per_pixel");
  costs.busy_core_share = in.Share("busy_core_share");
  costs.second_thread_gain = in.Positive("second_thread_gain");
  for (const proto::OpCost& op : file.ops()) costs.ops.push_back(ReadOpCost(op, in));
  for (const proto::Cpu& cpu : file.cpus()) costs.cpus.push_back(ReadCpu(cpu, in));
  for (const proto::Store& store : file.stores()) costs.stores.push_back(ReadStore(store, in));
  TW_CHECK(in.status().ok());
  return costs;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return lower;
}

// "DecodeJpegV2" -> "decode_jpeg", as operators of graphs and classes are named.
std::string SnakeCase(std::string_view name) {
  if (name.ends_with("V2") || name.ends_with("V3")) name.remove_suffix(2);
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto letter = static_cast<unsigned char>(name[i]);
    const bool starts_word =
        i > 0 && std::isupper(letter) && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (starts_word) snake += '_';
    snake += static_cast<char>(std::tolower(letter));
  }
  return snake;
}

// The longest name of `op` that `name` is or ends in: "random_hue" ends in
// "hue", "random_lighthue" does not.
size_t MatchedLength(const OpCost& op, std::string_view name) {
  size_t longest = 0;
  for (const std::string& known : op.names) {
    if (known.size() <= longest || !name.ends_with(known)) continue;
    const std::string_view before = name.substr(0, name.size() - known.size());
    if (before.empty() || before.ends_with('_')) longest = known.size();
  }
  return longest;
}

// Whether it stands in `text` with no letter or digit right before or behind it.
bool StandsIn(const std::string& text, std::string_view name) {
  const std::string lower = LowerCase(name);
  const auto is_word = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)); };
  for (size_t at = text.find(lower); at != std::string::npos; at = text.find(lower, at + 1)) {
    const size_t end = at + lower.size();
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const bool ends = end == text.size() || !is_word(text[end]) || !is_word(lower.back());
    if (starts && ends) return true;
  }
  return false;
}

template <class Named>
const Named* FindNamed(const std::vector<Named>& all, std::string_view text) {
  const std::string lower = LowerCase(text);
  const Named* found = nullptr;
  size_t longest = 0;
  for (const Named& named : all) {
    std::vector<std::string> names = named.aliases;
    names.push_back(named.name);
    for (const std::string& name : names) {
      if (name.size() <= longest || !StandsIn(lower, name)) continue;
      found = &named;
      longest = name.size();
    }
  }
  return found;
}

}  // namespace

const PipelineCosts& PublishedPipelineCosts() {
  static const PipelineCosts costs = ReadCosts(EmbeddedPipelineCosts());
  return costs;
}

const OpCost* FindOpCost(std::string_view call) {
  const std::string name = SnakeCase(call.substr(call.rfind('.') + 1));
  const std::string_view library = call.substr(0, call.find('.'));
  const OpCost* found = nullptr;
  size_t longest = 0;
  bool of_library = false;
  for (const OpCost& op : PublishedPipelineCosts().ops) {
    const bool own = std::ranges::find(op.libraries, library) != op.libraries.end();
    if (!own && !op.libraries.empty()) continue;
    const size_t length = MatchedLength(op, name);
    const bool better = own == of_library ? length > longest : own;
    if (length == 0 || !better) continue;
    found = &op;
    longest = length;
    of_library = own;
  }
  return found;
}

const Cpu* FindCpu(std::string_view text) { return FindNamed(PublishedPipelineCosts().cpus, text); }

const Store* FindStore(std::string_view text) {
  return FindNamed(PublishedPipelineCosts().stores, text);
}

}  // namespace tilewise
