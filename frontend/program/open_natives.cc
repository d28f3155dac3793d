// The part of `_tilewise` that says what the program does not: the machine it runs on, and what is
// open, which are lists that stand for more than their items, and loops over them.

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

using py::Arguments;
using py::Interpreter;
using py::Taken;
using PyValue = py::Value;

// assume(list, reason): the list, whose number of items was assumed.
PyValue Assume(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const PyValue why = in.MakeUnknown(in.Display(taken[1]));
  if (auto* list = taken[0].as<py::Sequence>()) {
    list->open = {why.as<py::Unknown>(), true};
    for (const PyValue& item : list->items) {
      const std::string* name = py::TextOf(item);
      if (name != nullptr) TraceOf(in).assumed_names.emplace(StemOf(*name));
    }
  }
  return taken[0];
}
// Returns why items stand for more of them, as text, or None.
PyValue ReasonOf(Interpreter& in, const py::Openness& open) {
  if (!open) return py::None();
  if (open.why->location().line == 0) return in.Text(open.why->reason());
  return in.Text(fmt::format("{} ({})", open.why->reason(), FormatLocation(open.why->location())));
}
PyValue OpenReason(Interpreter& in, Arguments& arguments) {
  return ReasonOf(in, in.OpennessOf(Taken(in, arguments)[0]));
}
// The same of a container the number of whose items is not known.
PyValue OpenCount(Interpreter& in, Arguments& arguments) {
  const py::Openness open = in.OpennessOf(Taken(in, arguments)[0]);
  return ReasonOf(in, open.uncounted() ? open : py::Openness());
}
// part_size(items): the size of a full part of what is open, or None.
PyValue PartSize(Interpreter& in, Arguments& arguments) {
  const auto* items = Taken(in, arguments)[0].as<py::Sequence>();
  return items == nullptr || items->stands_for == 0 ? py::None() : PyValue(items->stands_for);
}
// closed(items, say=True): those that there are, which are taken for all.
PyValue Closed(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  auto* items = taken[0].as<py::Sequence>();
  if (items == nullptr || !items->open) return taken[0];
  if (items->open.uncounted() && in.Truth(taken.Or(1, "say", PyValue(true))).value_or(true)) {
    in.Note("RD002", in.UserLocation(),
            "of a list whose length is not known, the items of one round are taken: " +
                items->open.why->reason());
  }
  return items->tuple() ? in.Tuple(items->items) : in.List(items->items);
}
// The rounds of a loop, of which some may stand for more.
class CountedItems : public py::Iterator {
 public:
  CountedItems(std::vector<PyValue> items, int64_t rounds)
      : items_(std::move(items)), rounds_(rounds) {}
  PyValue Next(Interpreter& in) override {
    if (at_ < items_.size()) return items_[at_++];
    // A loop that trained asks for no more: its rounds are counted.
    if (rounds_ > static_cast<int64_t>(at_)) {
      in.Note("RD002", in.UserLocation(),
              fmt::format("of a loop over {} numbers or rows {} read", rounds_,
                          at_ == 1 ? "one round is" : fmt::format("{} rounds are", at_)));
    }
    return {};
  }
  int64_t SkipToLast() override { return Skip(items_.size()); }
  void Leap(int64_t n) override { Skip(static_cast<size_t>(std::max<int64_t>(n, 0))); }
  std::optional<int64_t> Rounds() const override { return rounds_; }

 private:
  int64_t Skip(size_t most) {
    const size_t left = items_.size() - at_;
    const size_t skipped = std::min(most, left == 0 ? 0 : left - 1);
    at_ += skipped;
    return static_cast<int64_t>(skipped);
  }

  std::vector<PyValue> items_;
  int64_t rounds_;
  size_t at_ = 0;
};
// counted(items, rounds): an iterator over them for a loop of so many rounds.
PyValue Counted(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::optional<int64_t> rounds = py::AsInt(taken[1]);
  if (!rounds) return PyValue(in.Iterate(taken[0]));
  return PyValue(in.New<CountedItems>(in.Items(taken[0]), *rounds));
}

// open_loop(): the same of a loop that runs.
PyValue OpenLoop(Interpreter& in, Arguments&) { return ReasonOf(in, in.open_loop()); }

// open_dim() -> a size that stands for one that is not known; open_dim(True) -> a smaller one, for
// what multiplies it so that it can be halved often.
PyValue OpenDim(Interpreter& in, Arguments& arguments) {
  constexpr std::array<int64_t, 16> kPrimes = {7919, 7907, 7901, 7883, 7879, 7877, 7873, 7867,
                                               7853, 7841, 7829, 7823, 7817, 7793, 7789, 7759};
  constexpr std::array<int64_t, 8> kSmall = {1049, 1039, 1033, 1031, 1021, 1019, 1013, 1009};
  const bool small = !arguments.positional.empty();
  const std::span<const int64_t> primes = small ? std::span<const int64_t>(kSmall) : kPrimes;
  std::vector<int64_t>& open = TraceOf(in).open_dims;
  const auto used = static_cast<size_t>(std::ranges::count_if(
      open, [&](int64_t prime) { return std::ranges::count(primes, prime) > 0; }));
  if (used == primes.size()) return PyValue(primes.back());
  open.push_back(primes[used]);
  return PyValue(primes[used]);
}

// fed(index): the sizes of what a placeholder was seen to be fed, the index that of its making; 0
// where one is not known, None where nothing was seen.
PyValue FedSizes(Interpreter& in, Arguments& arguments) {
  const auto& fed = TraceOf(in).fed;
  const auto found = fed.find(py::AsInt(Taken(in, arguments)[0]).value_or(-1));
  if (found == fed.end()) return py::None();
  std::vector<PyValue> sizes;
  for (const int64_t size : found->second) sizes.emplace_back(size);
  return in.List(std::move(sizes));
}

// goes_on(): whether statements that end with an error are left out.
PyValue GoesOn(Interpreter& in, Arguments&) { return PyValue(in.goes_on); }

// assumed(name): what --assume says of a name that the program does not assign; None: nothing.
PyValue AssumedName(Interpreter& in, Arguments& arguments) {
  const auto given = in.assumed.find(in.Name(in.Display(Taken(in, arguments)[0])));
  if (given == in.assumed.end()) return py::None();
  given->second.used = true;
  return given->second.value;
}

// size_or(value, size=None): the size for a value that is not known, where sizes are assumed; None:
// that of weights.
PyValue SizeOr(Interpreter& in, Arguments& arguments) {
  const auto values = Taken(in, arguments);
  const auto* why = values[0].as<py::Unknown>();
  if (why == nullptr || !TraceOf(in).assumes_sizes) return values[0];
  if (arguments.positional.size() == 1) return PyValue(AssumedSize(in, *why));
  TraceOf(in).assumed_size = true;
  if (const auto size = py::AsInt(values[1])) TraceOf(in).taken_sizes.emplace(why->reason(), *size);
  in.Note("RD002", in.UserLocation(),
          fmt::format("a size that is not known is taken as {}: {}", in.Display(values[1]),
                      why->reason()),
          Severity::kWarning);
  return values[1];
}

// stands_in(value): whether what is not known is to be taken for something, as sizes are assumed.
PyValue StandsIn(Interpreter& in, Arguments& arguments) {
  const bool stands = TraceOf(in).assumes_sizes && py::IsUnknown(Taken(in, arguments)[0]);
  TraceOf(in).assumed_size = TraceOf(in).assumed_size || stands;
  return PyValue(stands);
}

// visible(): pairs of the names and values of the program's calls, the innermost first.
PyValue Visible(Interpreter& in, Arguments&) {
  constexpr size_t kMost = 2000;
  std::vector<PyValue> pairs;
  const auto add = [&](py::Symbol name, const PyValue& value) {
    if (value.set() && pairs.size() < kMost) pairs.push_back(in.Tuple({in.Text(*name), value}));
  };
  const std::vector<py::Frame*> frames = in.frames();
  for (const bool of_calls : {true, false}) {
    const py::Module* last = nullptr;
    for (auto each = frames.rbegin(); each != frames.rend(); ++each) {
      const py::Frame& frame = **each;
      if (frame.module == nullptr || frame.module->origin != py::Module::Origin::kUser) continue;
      if (of_calls && frame.names != nullptr && frame.names->info != nullptr) {
        const std::vector<py::Symbol>& slots = frame.names->info->slots;
        const size_t count = std::min(slots.size(), frame.names->values.size());
        for (size_t i = 0; i < count; ++i) add(slots[i], frame.names->values[i]);
      }
      if (of_calls || frame.module == last) continue;
      last = frame.module;
      for (const auto& [name, value] : frame.module->names.items()) add(name, value);
    }
  }
  return in.List(std::move(pairs));
}

// unpacks(method, text): whether the program gives several names what such a call gives.
PyValue Unpacks(Interpreter& in, Arguments& arguments) {
  const auto values = Taken(in, arguments);
  auto& host = static_cast<ProgramHost&>(in.host());
  return PyValue(host.texts().Unpacks(in.Display(values[0]), in.Display(values[1])));
}

// replicas(asks=True): how many cores there are; `asks`: the program asks for their number.
PyValue Replicas(Interpreter& in, Arguments& arguments) {
  const bool asks =
      arguments.positional.empty() || in.Truth(arguments.positional[0]).value_or(true);
  TraceOf(in).asks_devices = TraceOf(in).asks_devices || asks;
  return PyValue(TraceOf(in).replicas);
}
// computed(tensor): whether an op of the program made it; false for inputs and known numbers.
PyValue Computed(Interpreter& in, Arguments& arguments) {
  const PyValue& value = Taken(in, arguments)[0];
  const auto* tensor = value.is_object() ? dynamic_cast<const Tensor*>(value.object) : nullptr;
  if (tensor == nullptr || tensor->value.kind != Value::Kind::kOp) return PyValue(false);
  const OpKind kind = TraceOf(in).tracer.builder().op(tensor->value.op).kind;
  return PyValue(kind != OpKind::kParameter && kind != OpKind::kConstant);
}
PyValue Hosts(Interpreter& in, Arguments&) { return PyValue(TraceOf(in).hosts); }

// slice_shape(): the kind of a device, devices of a chip, chips along each axis.
PyValue ShapeOfSlice(Interpreter& in, Arguments&) {
  const SliceShape& shape = TraceOf(in).shape;
  std::vector<PyValue> axes;
  for (const int64_t length : shape.axes) axes.emplace_back(length);
  return in.Tuple(
      {in.Text(shape.device_kind), PyValue(shape.devices_of_chip), in.Tuple(std::move(axes))});
}

}  // namespace

void DefineOpen(Interpreter& in, py::Module& module) {
  const std::pair<const char*, py::NativeFunction> kFunctions[] = {
      {"assume", Assume},        {"open_reason", OpenReason},   {"open_dim", OpenDim},
      {"open_count", OpenCount}, {"open_loop", OpenLoop},       {"goes_on", GoesOn},
      {"closed", Closed},        {"replicas", Replicas},        {"hosts", Hosts},
      {"assumed", AssumedName},  {"part_size", PartSize},       {"size_or", SizeOr},
      {"computed", Computed},    {"slice_shape", ShapeOfSlice}, {"counted", Counted},
      {"stands_in", StandsIn},   {"visible", Visible},          {"unpacks", Unpacks},
      {"fed", FedSizes},
  };
  for (const auto& [name, function] : kFunctions) in.Define(module, name, function);
}

}  // namespace tilewise::program
