// The module `_tilewise`: what the framework modules make tensors with.

#include <cmath>

#include <fmt/format.h>

#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

using py::Arguments;
using py::AsInt;
using py::AsNumber;
using py::Interpreter;
using py::IsUnknown;
using py::None;
using py::Taken;
using py::TextOf;
using PyValue = py::Value;

[[noreturn]] void Refuse(Interpreter& in, const absl::Status& status) {
  in.Raise("RuntimeError", Message(status));
}

PyValue Wrap(Interpreter& in, const Value& value) {
  if (value.kind == Value::Kind::kNone) return None();
  const std::optional<Shape> shape = TraceOf(in).tracer.ShapeOf(value);
  return in.New<Tensor>(value, shape.value_or(Shape()));
}

// An argument that is not known makes the result unknown for the same reason.
struct NotKnown {
  PyValue value;
};

const Tensor& TensorOf(Interpreter& in, const PyValue& value) {
  if (IsUnknown(value)) throw NotKnown{value};
  const auto* tensor = value.is_object() ? dynamic_cast<const Tensor*>(value.object) : nullptr;
  if (tensor == nullptr) {
    in.Raise("TypeError",
             fmt::format("found a value of type '{}', expected a tensor", *in.TypeOf(value)->name));
  }
  return *tensor;
}

int64_t IntOf(Interpreter& in, const PyValue& value) {
  if (const int64_t* size = TraceOf(in).TakenSize(value)) return *size;
  if (IsUnknown(value)) throw NotKnown{value};
  if (const auto number = AsNumber(value)) return static_cast<int64_t>(*number);
  in.Raise("TypeError",
           fmt::format("found a value of type '{}', expected an integer", *in.TypeOf(value)->name));
}

DType DTypeOf(Interpreter& in, const PyValue& value) {
  if (IsUnknown(value)) throw NotKnown{value};
  const std::string* name = TextOf(value);
  const std::optional<DType> dtype = name == nullptr ? std::nullopt : ParseDType(*name);
  if (!dtype.has_value()) {
    in.Raise("TypeError",
             fmt::format("found '{}', expected the name of an element type", in.Display(value)));
  }
  return *dtype;
}

// Adds the integers of lists within lists; `weight`: they are sizes of one.
void AppendDims(Interpreter& in, const PyValue& value, bool weight, std::vector<int64_t>& dims) {
  if (const py::Sequence* items = value.as<py::Sequence>()) {
    // How many dims an open list has is not known either.
    const bool assumes = weight && !items->open.uncounted() && TraceOf(in).assumes_sizes;
    for (const PyValue& item : items->items) {
      const py::Unknown* unknown = assumes ? item.as<py::Unknown>() : nullptr;
      if (unknown != nullptr) dims.push_back(AssumedSize(in, *unknown));
      if (unknown == nullptr) AppendDims(in, item, weight, dims);
    }
    return;
  }
  if (const py::Range* range = value.as<py::Range>(); range != nullptr && range->size() <= 64) {
    for (int64_t i = 0; i < range->size(); ++i) dims.push_back(range->at(i));
    return;
  }
  if (const py::Instance* instance = value.as<py::Instance>()) {
    if (instance->base.set()) return AppendDims(in, instance->base, weight, dims);
    const PyValue* list = instance->type->Find(in.Name("tolist"));  // an array of sizes
    const PyValue items = list == nullptr ? PyValue() : in.Call(*list, {value});
    if (items.as<py::Sequence>() != nullptr) return AppendDims(in, items, weight, dims);
    if (const PyValue* index = instance->type->Find(in.Name("__index__"))) {
      return AppendDims(in, in.Call(*index, {value}), weight, dims);
    }
  }
  dims.push_back(IntOf(in, value));
}

std::vector<int64_t> SizesOf(Interpreter& in, const PyValue& dims) {
  std::vector<int64_t> sizes;
  AppendDims(in, dims, true, sizes);
  return sizes;
}

Shape ShapeFrom(Interpreter& in, const PyValue& dims, const PyValue& dtype) {
  if (IsUnknown(dims)) throw NotKnown{dims};
  return Shape::Of(DTypeOf(in, dtype), SizesOf(in, dims));
}

// A function whose unknown arguments make its result unknown.
template <PyValue (*kFunction)(Interpreter&, Arguments&)>
PyValue Known(Interpreter& in, Arguments& arguments) {
  try {
    return kFunction(in, arguments);
  } catch (const NotKnown& unknown) {
    return unknown.value;
  }
}

Attribute AttributeOf(Interpreter& in, const PyValue& value) {
  if (IsUnknown(value)) throw NotKnown{value};
  if (value.tag == PyValue::Tag::kBool) return value.truth;
  if (value.tag == PyValue::Tag::kInt) return value.integer;
  if (value.tag == PyValue::Tag::kFloat) return value.real;
  if (const std::string* text = TextOf(value)) return *text;
  if (const auto integer = AsInt(value)) return *integer;
  if (const auto number = AsNumber(value)) return *number;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  bool whole = true;
  for (const PyValue& each : in.Items(value)) {
    const PyValue item = IsUnknown(each) ? PyValue(IntOf(in, each)) : each;
    const auto number = AsNumber(item);
    if (!number.has_value()) in.Raise("TypeError", "expected a list of numbers as an attribute");
    whole = whole && AsInt(item).has_value();
    integers.push_back(static_cast<int64_t>(*number));
    reals.push_back(*number);
  }
  if (whole) return integers;
  return reals;
}

void EnterPlace(Interpreter& in) {
  Trace& trace = TraceOf(in);
  trace.tracer.SetPlace(in.UserLocation(), trace.scope);
}

PyValue Op(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[0]);
  if (name == nullptr) in.Raise("TypeError", "expected the name of an op");
  std::vector<Value> inputs;
  for (const PyValue& input : in.Items(taken[1])) {
    inputs.push_back(input.none() ? Value() : TensorOf(in, input).value);
  }
  AttributeMap attributes;
  if (const PyValue* given = taken.Find(2, "attrs"); given != nullptr && !given->none()) {
    const py::Dict* dict = given->as<py::Dict>();
    if (dict == nullptr) throw NotKnown{*given};
    for (const py::Dict::Entry& entry : dict->entries) {
      const std::string* key = entry.live ? TextOf(entry.key) : nullptr;
      if (key == nullptr || entry.value.none()) continue;
      attributes.insert_or_assign(*key, AttributeOf(in, entry.value));
    }
  }
  const int64_t outputs = IntOf(in, taken.Or(3, "outputs", PyValue(int64_t{1})));
  in.Step(50);
  in.Made();
  EnterPlace(in);
  absl::StatusOr<std::vector<Value>> made =
      TraceOf(in).tracer.Op(*name, std::move(inputs), attributes, static_cast<int>(outputs));
  if (!made.ok()) Refuse(in, made.status());
  if (outputs == 1) return made->empty() ? None() : Wrap(in, made->front());
  std::vector<PyValue> results;
  for (const Value& value : *made) results.push_back(Wrap(in, value));
  return in.List(std::move(results));
}

PyValue Weight(Interpreter& in, Arguments& arguments) {
  in.Made();
  const Taken taken(in, arguments);
  std::optional<Shape> known;
  try {
    known = ShapeFrom(in, taken[0], taken[1]);
  } catch (const NotKnown& unknown) {
    NoteLowerBound(in, "a weight of a size that is not known is left out",
                   *unknown.value.as<py::Unknown>());
    throw;
  }
  const Shape& shape = *known;
  // Weights that wait for data are made in loops over data.
  const bool waits = in.Truth(taken.Or(4, "waits", PyValue(false))).value_or(false);
  if (const py::Openness loop = in.open_loop(); loop && !waits) {
    NoteLowerBound(in, "weights are made in a loop whose length is not known", *loop.why);
  }
  const PyValue name = taken.Or(2, "name", in.Text(""));
  const bool trainable = in.Truth(taken.Or(3, "trainable", PyValue(true))).value_or(true);
  EnterPlace(in);
  absl::StatusOr<Value> made = TraceOf(in).tracer.Weight(shape, in.Display(name), trainable);
  if (!made.ok()) Refuse(in, made.status());
  return Wrap(in, *made);
}

PyValue Input(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Shape shape = ShapeFrom(in, taken[0], taken[1]);
  const PyValue name = taken.Or(2, "name", in.Text(""));
  const PyValue batch = taken.Or(3, "batch_dim", PyValue(int64_t{0}));
  EnterPlace(in);
  absl::StatusOr<Value> made =
      TraceOf(in).tracer.Input(shape, in.Display(name), batch.none() ? std::nullopt : AsInt(batch));
  if (!made.ok()) Refuse(in, made.status());
  return Wrap(in, *made);
}

// Nested lists to the elements of a tensor.
void Flatten(Interpreter& in, const PyValue& value, size_t depth, KnownValue& known) {
  if (IsUnknown(value)) throw NotKnown{value};
  if (const py::Sequence* items = value.as<py::Sequence>()) {
    if (items->open.uncounted()) {
      throw NotKnown{in.UnknownOf(items->open, "how many items there are")};
    }
    const auto size = static_cast<int64_t>(items->items.size());
    if (known.dims.size() == depth) known.dims.push_back(size);
    if (known.dims[depth] != size) in.Raise("ValueError", "expected lists of equal lengths");
    for (const PyValue& item : items->items) Flatten(in, item, depth + 1, known);
    return;
  }
  const auto number = AsNumber(value);
  if (!number.has_value()) {
    in.Raise("TypeError", fmt::format("found a value of type '{}' in a tensor, expected a number",
                                      *in.TypeOf(value)->name));
  }
  known.elements.push_back({*number, false});
}

PyValue KnownTensor(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  KnownValue known;
  known.dtype = DTypeOf(in, taken[1]);
  Flatten(in, taken[0], 0, known);
  if (known.size() > kMaxKnownElements) {
    // Numbers do not matter to costs.
    absl::StatusOr<Value> made = TraceOf(in).tracer.Full(0, Shape::Of(known.dtype, known.dims));
    if (!made.ok()) Refuse(in, made.status());
    return Wrap(in, *made);
  }
  return Wrap(in, Tracer::Known(std::move(known)));
}

PyValue Full(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto number = AsNumber(taken[0]);
  const Shape shape = ShapeFrom(in, taken[1], taken[2]);
  EnterPlace(in);
  absl::StatusOr<Value> made = TraceOf(in).tracer.Full(number.value_or(0), shape);
  if (!made.ok()) Refuse(in, made.status());
  return Wrap(in, *made);
}

PyValue ShapeCall(Interpreter& in, Arguments& arguments) {
  const Tensor& tensor = TensorOf(in, Taken(in, arguments)[0]);
  std::vector<PyValue> dims;
  for (const Dim& dim : tensor.shape.dims) dims.push_back(PyValue(dim.factor));
  return in.Tuple(std::move(dims));
}

// open_size(n) -> None for a size that is computed of one that is not known.
PyValue OpenSize(Interpreter& in, Arguments& arguments) {
  const int64_t size = IntOf(in, Taken(in, arguments)[0]);
  for (const int64_t prime : TraceOf(in).open_dims) {
    if (size > 0 && size % prime == 0) return None();
  }
  return PyValue(size);
}
// open_shape(h) -> its dims, with None for what is not known.
PyValue OpenShape(Interpreter& in, Arguments& arguments) {
  const Tensor& tensor = TensorOf(in, Taken(in, arguments)[0]);
  std::vector<PyValue> dims;
  for (const Dim& dim : tensor.shape.dims) {
    Arguments size;
    size.positional = {PyValue(dim.factor)};
    dims.push_back(OpenSize(in, size));
  }
  return in.Tuple(std::move(dims));
}

PyValue DTypeCall(Interpreter& in, Arguments& arguments) {
  const Tensor& tensor = TensorOf(in, Taken(in, arguments)[0]);
  return in.Text(std::string(DTypeName(tensor.shape.dtype)));
}

PyValue Nested(Interpreter& in, const KnownValue& known, size_t depth, size_t& at) {
  if (depth == known.dims.size()) {
    const double number = known.elements[at++].value;
    if (known.dtype == DType::kPred) return PyValue(number != 0);
    if (IsFloat(known.dtype)) return PyValue(number);
    return PyValue(static_cast<int64_t>(number));
  }
  std::vector<PyValue> items;
  for (int64_t i = 0; i < known.dims[depth]; ++i) items.push_back(Nested(in, known, depth + 1, at));
  return in.List(std::move(items));
}

PyValue Numbers(Interpreter& in, Arguments& arguments) {
  const Tensor& tensor = TensorOf(in, Taken(in, arguments)[0]);
  const KnownValue* known = Tracer::Numbers(tensor.value);
  if (known == nullptr) return None();
  size_t at = 0;
  return Nested(in, *known, 0, at);
}

PyValue IsWeight(Interpreter& in, Arguments& arguments) {
  return PyValue(Tracer::IsWeight(TensorOf(in, Taken(in, arguments)[0]).value));
}
PyValue Rename(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  TraceOf(in).tracer.Rename(TensorOf(in, taken[0]).value, in.Display(taken[1]));
  return None();
}
PyValue SetTrainable(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  TraceOf(in).tracer.SetTrainable(TensorOf(in, taken[0]).value, in.Truth(taken[1]).value_or(true));
  return None();
}
PyValue Scope(Interpreter& in, Arguments& arguments) {
  Trace& trace = TraceOf(in);
  const PyValue before = in.Text(trace.scope);
  trace.scope = in.Display(Taken(in, arguments)[0]);
  return before;
}

// A data set of the program's own code, not of a function of another data set.
void NoteChain(Interpreter& in, Record& record) {
  record.fields.emplace_back("function", in.Text(in.UserFunction()));
  const py::Value* made = record.Find("made");
  const py::Instance* instance = made == nullptr ? nullptr : made->as<py::Instance>();
  if (instance == nullptr || record.number("inner").value_or(0) >= 1) return;
  in.Built();
  Trace& trace = TraceOf(in);
  if (trace.chain_type != nullptr) return;
  for (const py::Class* type : instance->type->order) {
    if (*type->name == "Dataset") trace.chain_type = type;
  }
}

PyValue RecordFact(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Record record;
  record.kind = in.Display(taken[0]);
  FillPlace(in, record.location, record.statement, record.call);
  for (const auto& [name, value] : arguments.keyword) record.fields.emplace_back(*name, value);
  if (record.kind == "chain") NoteChain(in, record);
  if (record.kind == "step") {
    in.Progress();  // loops around it need no further round
    record.fields.emplace_back("made", PyValue(int64_t{TraceOf(in).tracer.builder().size()}));
  }
  if (record.kind == "backward") {
    in.Part();
    record.fields.emplace_back("parts", PyValue(in.parts()));
  }
  constexpr size_t kMaxRecords = 100'000;
  std::vector<Record>& records = TraceOf(in).records;
  if (records.size() < kMaxRecords) records.push_back(std::move(record));
  return None();
}

PyValue MakeUnknown(Interpreter& in, Arguments& arguments) {
  return in.MakeUnknown(in.Display(Taken(in, arguments)[0]));
}
PyValue IsUnknownCall(Interpreter& in, Arguments& arguments) {
  return PyValue(IsUnknown(Taken(in, arguments)[0]));
}
PyValue Reason(Interpreter& in, Arguments& arguments) {
  const py::Unknown* unknown = Taken(in, arguments)[0].as<py::Unknown>();
  if (unknown == nullptr) return in.Text("it is known");
  if (unknown->location().line == 0) return in.Text(unknown->reason());
  return in.Text(fmt::format("{} ({})", unknown->reason(), FormatLocation(unknown->location())));
}
PyValue Note(Interpreter& in, Arguments& arguments) {
  in.Note("RD002", in.UserLocation(), in.Display(Taken(in, arguments)[0]));
  return None();
}

PyValue NumbersList(Interpreter& in, const std::vector<int64_t>& numbers) {
  return in.List(std::vector<PyValue>(numbers.begin(), numbers.end()));
}

PyValue Dims(Interpreter& in, Arguments& arguments) {
  std::vector<int64_t> sizes;
  for (const PyValue& value : arguments.positional) AppendDims(in, value, false, sizes);
  return NumbersList(in, sizes);
}

// sizes(shape) -> those of a weight or an array.
PyValue Sizes(Interpreter& in, Arguments& arguments) {
  return NumbersList(in, SizesOf(in, Taken(in, arguments)[0]));
}

// trained() -> how many gradients and how many updates there were.
PyValue Trained(Interpreter& in, Arguments&) {
  return in.Tuple({PyValue(in.parts()), PyValue(in.progress())});
}
// idle(whether) -> whether it was: what runs now has no part in a step.
PyValue Idle(Interpreter& in, Arguments& arguments) {
  const bool before = in.idle;
  in.idle = in.Truth(Taken(in, arguments)[0]).value_or(false);
  return PyValue(before);
}

PyValue LoopBegin(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  std::vector<Value> carried;
  for (const PyValue& value : in.Items(taken[1])) {
    carried.push_back(value.none() ? Value() : TensorOf(in, value).value);
  }
  EnterPlace(in);
  absl::StatusOr<std::vector<Value>> made =
      TraceOf(in).tracer.BeginLoop(IntOf(in, taken[0]), carried);
  if (!made.ok()) Refuse(in, made.status());
  std::vector<PyValue> results;
  for (const Value& value : *made) results.push_back(Wrap(in, value));
  return in.List(std::move(results));
}
PyValue LoopStack(Interpreter& in, Arguments& arguments) {
  EnterPlace(in);
  absl::StatusOr<Value> made =
      TraceOf(in).tracer.StackRows(TensorOf(in, Taken(in, arguments)[0]).value);
  if (!made.ok()) Refuse(in, made.status());
  return Wrap(in, *made);
}
PyValue LoopEnd(Interpreter& in, Arguments&) {
  TraceOf(in).tracer.EndLoop();
  return None();
}

}  // namespace

const py::Value* Record::Find(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}
const Tensor* Record::tensor(std::string_view name) const {
  const py::Value* found = Find(name);
  if (found == nullptr || !found->is_object()) return nullptr;
  return dynamic_cast<const Tensor*>(found->object);
}
const std::string* Record::text(std::string_view name) const {
  const py::Value* found = Find(name);
  return found == nullptr ? nullptr : TextOf(*found);
}
std::optional<double> Record::number(std::string_view name) const {
  const py::Value* found = Find(name);
  return found == nullptr ? std::nullopt : AsNumber(*found);
}
std::vector<const Tensor*> Record::tensors(std::string_view name) const {
  std::vector<const Tensor*> result;
  const py::Value* found = Find(name);
  const py::Sequence* items = found == nullptr ? nullptr : found->as<py::Sequence>();
  if (items == nullptr) return result;
  for (const py::Value& item : items->items) {
    const auto* tensor = item.is_object() ? dynamic_cast<const Tensor*>(item.object) : nullptr;
    if (tensor != nullptr) result.push_back(tensor);
  }
  return result;
}

void DefineTensors(Interpreter& in, py::Module& module) {
  const std::pair<const char*, py::NativeFunction> kFunctions[] = {
      {"op", Known<Op>},
      {"weight", Known<Weight>},
      {"input", Known<Input>},
      {"known", Known<KnownTensor>},
      {"full", Known<Full>},
      {"shape", Known<ShapeCall>},
      {"dtype", Known<DTypeCall>},
      {"open_size", Known<OpenSize>},
      {"open_shape", Known<OpenShape>},
      {"numbers", Known<Numbers>},
      {"is_weight", Known<IsWeight>},
      {"rename", Known<Rename>},
      {"set_trainable", Known<SetTrainable>},
      {"scope", Scope},
      {"record", RecordFact},
      {"unknown", MakeUnknown},
      {"is_unknown", IsUnknownCall},
      {"note", Note},
      {"reason", Reason},
      {"dims", Known<Dims>},
      {"sizes", Known<Sizes>},
      {"idle", Idle},
      {"trained", Trained},
      {"loop_begin", Known<LoopBegin>},
      {"loop_stack", Known<LoopStack>},
      {"loop_end", LoopEnd},
  };
  for (const auto& [name, function] : kFunctions) in.Define(module, name, function);
  DefineOpen(in, module);
}

}  // namespace tilewise::program
