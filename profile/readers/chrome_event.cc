// simdjson reads the few fields that matter; what else an event says is passed
// over.

#include "profile/readers/chrome_event.h"

#include <absl/container/flat_hash_map.h>
#include <simdjson.h>

#include "profile/readers/builder.h"
#include "profile/readers/event_splitter.h"

namespace tilewise {
namespace {

static_assert(EventSplitter::kPadding >= simdjson::SIMDJSON_PADDING);

using JsonValue = simdjson::ondemand::value;
using JsonObject = simdjson::ondemand::object;

std::string_view TextOf(JsonValue value) {
  std::string_view text;
  return value.get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// Arguments of XProf are numbers in strings.
bool NumberOf(JsonValue value, double& number) {
  simdjson::ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  if (type == simdjson::ondemand::json_type::number) {
    return value.get_double().get(number) == simdjson::SUCCESS;
  }
  if (type != simdjson::ondemand::json_type::string) return false;
  const std::string_view text = TextOf(value);
  if (text.empty() || (text[0] != '-' && (text[0] < '0' || text[0] > '9'))) return false;
  number = NumberIn(text);
  return true;
}

int64_t WholeNumberOf(JsonValue value) {
  double number = -1;
  if (!NumberOf(value, number) || !(number > -9e15 && number < 9e15)) return -1;
  return static_cast<int64_t>(number);
}

void ReadArgument(std::string_view key, JsonValue value, ChromeEvent& event) {
  double number = 0;
  if (key == "name") {
    event.arg_name = TextOf(value);
  } else if (key == "op") {
    event.arg_op = TextOf(value);
  } else if (key == "long_name") {
    event.long_name = TextOf(value);
  } else if (key == "hlo_category") {
    event.hlo_category = TextOf(value);
  } else if (key == "tf_op") {
    event.tf_op = TextOf(value);
  } else if (key == "source") {
    event.source = TextOf(value);
  } else if (key == "hlo_module") {
    event.module = TextOf(value);
  } else if (key == "step_num") {
    event.step = WholeNumberOf(value);
  } else if (key == "group_id") {
    event.group = WholeNumberOf(value);
  } else if (key == "flops" || (key == "model_flops" && event.flops == 0)) {
    if (NumberOf(value, number)) event.flops = number;
  } else if (key == "bytes_accessed" || (key == "raw_bytes_accessed" && event.bytes == 0)) {
    if (NumberOf(value, number)) event.bytes = number;
  } else if (key == "peak_teraflops_per_second") {
    if (NumberOf(value, number)) event.peak_flops = number * 1e12;
  } else if (key == "peak_hbm_bw_gigabytes_per_second") {
    if (NumberOf(value, number)) event.peak_hbm = number * 1e9;
  } else if (event.phase == 'C' && !event.has_value && NumberOf(value, number)) {
    event.has_value = true;
    event.value = number;
  }
}

void ReadArguments(JsonValue value, ChromeEvent& event) {
  JsonObject arguments;
  if (value.get_object().get(arguments) != simdjson::SUCCESS) return;
  for (auto field : arguments) {
    std::string_view key;
    JsonValue argument;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) return;
    if (field.value().get(argument) != simdjson::SUCCESS) return;
    ReadArgument(key, argument, event);
  }
}

}  // namespace

struct ChromeEventParser::State {
  simdjson::ondemand::parser parser;
  // Processes and threads may be named by words: "Traces", "stream 7".
  absl::flat_hash_map<std::string, int64_t> words;
  std::string id;

  int64_t IdOf(JsonValue value) {
    double number = 0;
    if (NumberOf(value, number) && number > -9e15 && number < 9e15) {
      return static_cast<int64_t>(number);
    }
    constexpr int64_t kFirstWord = int64_t{1} << 56;
    const auto next = kFirstWord + static_cast<int64_t>(words.size());
    return words.try_emplace(std::string(TextOf(value)), next).first->second;
  }

  void ReadField(std::string_view key, JsonValue value, ChromeEvent& event) {
    if (key == "ph") {
      const std::string_view phase = TextOf(value);
      event.phase = phase.empty() ? '\0' : phase[0];
    } else if (key == "name") {
      event.name = TextOf(value);
    } else if (key == "cat") {
      event.category = TextOf(value);
    } else if (key == "pid") {
      event.process = IdOf(value);
    } else if (key == "tid") {
      event.thread = IdOf(value);
    } else if (key == "ts") {
      event.has_start = NumberOf(value, event.start);
    } else if (key == "dur") {
      NumberOf(value, event.duration);
    } else if (key == "id") {
      std::string_view raw = value.raw_json_token();
      while (!raw.empty() && (raw.back() == ' ' || raw.back() == ',')) raw.remove_suffix(1);
      id = raw;
      event.id = id;
    } else if (key == "args") {
      ReadArguments(value, event);
    }
  }
};

ChromeEventParser::ChromeEventParser() : state_(std::make_unique<State>()) {}
ChromeEventParser::~ChromeEventParser() = default;

bool ChromeEventParser::Parse(std::string_view json, ChromeEvent& event) {
  event = ChromeEvent{};
  simdjson::ondemand::document document;
  if (state_->parser
          .iterate(simdjson::padded_string_view(json.data(), json.size(),
                                                json.size() + EventSplitter::kPadding))
          .get(document) != simdjson::SUCCESS) {
    return false;
  }
  JsonObject object;
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  for (auto field : object) {
    std::string_view key;
    JsonValue value;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
    if (field.value().get(value) != simdjson::SUCCESS) return false;
    state_->ReadField(key, value, event);
  }
  return event.phase != '\0';
}

}  // namespace tilewise
