// Nodes as numbers of seven bits to a byte, each field only where it is not what
// a new node has.

#include "python/parsed_code.h"

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

namespace tilewise::py {
namespace {

// Whether a field is written.
enum Field : uint32_t {
  kHasOp = 1 << 0,
  kHasParameter = 1 << 1,
  kHasWhere = 1 << 2,
  kHasDepth = 1 << 3,
  kHasSlot = 1 << 4,
  kHasDots = 1 << 5,
  kHasConversion = 1 << 6,
  kHasName = 1 << 7,
  kHasOther = 1 << 8,
  kHasConstant = 1 << 9,
  kHasA = 1 << 10,
  kHasB = 1 << 11,
  kHasC = 1 << 12,
  kHasD = 1 << 13,
  kHasList = 1 << 14,
  kHasOps = 1 << 15,
  kHasNames = 1 << 16,
  kHasScope = 1 << 17,
};

class CodeWriter {
 public:
  explicit CodeWriter(const Code& code) : code_(code) {
    for (const Node& node : code.nodes) nodes_.emplace(&node, nodes_.size() + 1);
    for (const ScopeInfo& scope : code.scopes) scopes_.emplace(&scope, scopes_.size());
  }

  absl::StatusOr<std::string> Write() {
    for (const ScopeInfo& scope : code_.scopes) {
      Put(scope.generator ? 1 : 0);
      PutNames(scope.slots);
    }
    for (const Node& node : code_.nodes) TW_RETURN_IF_ERROR(PutNode(node));
    std::string body = std::exchange(bytes_, "");
    Put(symbols_.size());
    for (const Symbol symbol : in_order_) PutText(*symbol);
    Put(code_.scopes.size());
    Put(code_.nodes.size());
    Put(nodes_.at(code_.body));
    return bytes_ + body;
  }

 private:
  void Put(uint64_t number) {
    for (; number >= 128; number >>= 7) bytes_ += static_cast<char>(number | 128);
    bytes_ += static_cast<char>(number);
  }
  void PutSigned(int64_t number) {
    Put((static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63));
  }
  void PutText(std::string_view text) {
    Put(text.size());
    bytes_ += text;
  }
  void PutName(Symbol symbol) {
    const auto [at, is_new] = symbols_.emplace(symbol, symbols_.size());
    if (is_new) in_order_.push_back(symbol);
    Put(at->second);
  }
  void PutNames(const std::vector<Symbol>& names) {
    Put(names.size());
    for (const Symbol name : names) PutName(name);
  }
  // 0: none.
  void PutChild(const Node* child) { Put(child == nullptr ? 0 : nodes_.at(child)); }

  absl::Status PutValue(const Value& value) {
    Put(static_cast<uint64_t>(value.tag));
    if (!value.is_object()) {
      PutSigned(value.tag == Value::Tag::kFloat  ? std::bit_cast<int64_t>(value.real)
                : value.tag == Value::Tag::kBool ? static_cast<int64_t>(value.truth)
                                                 : value.integer);
      return absl::OkStatus();
    }
    Put(static_cast<uint64_t>(value.object->kind));
    if (const Str* text = value.as<Str>()) {
      PutText(text->text);
    } else if (const Bytes* bytes = value.as<Bytes>()) {
      PutText(bytes->text);
    } else if (const Sequence* list = value.as<Sequence>()) {
      Put(list->items.size());
      for (const Value& item : list->items) TW_RETURN_IF_ERROR(PutValue(item));
    } else {
      return absl::InternalError("an own module has a constant of a kind that is not written");
    }
    return absl::OkStatus();
  }

  static uint32_t FieldsOf(const Node& node) {
    const Node plain;
    const std::pair<Field, bool> fields[] = {
        {kHasOp, node.op != plain.op},
        {kHasParameter, node.parameter != plain.parameter},
        {kHasWhere, node.where != plain.where},
        {kHasDepth, node.depth != 0},
        {kHasSlot, node.slot != 0},
        {kHasDots, node.dots != 0},
        {kHasConversion, node.conversion != 0},
        {kHasName, node.name != nullptr},
        {kHasOther, node.other != nullptr},
        {kHasConstant, node.constant.set()},
        {kHasA, node.a != nullptr},
        {kHasB, node.b != nullptr},
        {kHasC, node.c != nullptr},
        {kHasD, node.d != nullptr},
        {kHasList, !node.list.empty()},
        {kHasOps, !node.ops.empty()},
        {kHasNames, !node.names.empty()},
        {kHasScope, node.scope != nullptr},
    };
    uint32_t has = 0;
    for (const auto& [field, is_set] : fields) {
      if (is_set) has |= field;
    }
    return has;
  }

  absl::Status PutNode(const Node& node) {
    const uint32_t has = FieldsOf(node);
    Put(static_cast<uint64_t>(node.kind));
    Put(has);
    PutSigned(node.line - line_);
    PutSigned(node.begin - begin_);
    line_ = node.line;
    begin_ = node.begin;
    Put(static_cast<uint64_t>(node.column));
    PutSigned(node.end - node.begin);
    if ((has & kHasOp) != 0) Put(static_cast<uint64_t>(node.op));
    if ((has & kHasParameter) != 0) Put(static_cast<uint64_t>(node.parameter));
    if ((has & kHasWhere) != 0) Put(static_cast<uint64_t>(node.where));
    if ((has & kHasDepth) != 0) PutSigned(node.depth);
    if ((has & kHasSlot) != 0) PutSigned(node.slot);
    if ((has & kHasDots) != 0) PutSigned(node.dots);
    if ((has & kHasConversion) != 0) PutSigned(node.conversion);
    if ((has & kHasName) != 0) PutName(node.name);
    if ((has & kHasOther) != 0) PutName(node.other);
    if ((has & kHasConstant) != 0) TW_RETURN_IF_ERROR(PutValue(node.constant));
    for (const Node* child : {node.a, node.b, node.c, node.d}) {
      if (child != nullptr) PutChild(child);
    }
    if ((has & kHasList) != 0) {
      Put(node.list.size());
      for (const Node* child : node.list) PutChild(child);
    }
    if ((has & kHasOps) != 0) {
      Put(node.ops.size());
      for (const Operator op : node.ops) Put(static_cast<uint64_t>(op));
    }
    if ((has & kHasNames) != 0) PutNames(node.names);
    if ((has & kHasScope) != 0) Put(scopes_.at(node.scope));
    return absl::OkStatus();
  }

  const Code& code_;
  absl::flat_hash_map<const Node*, uint64_t> nodes_;  // from 1
  absl::flat_hash_map<const ScopeInfo*, uint64_t> scopes_;
  absl::flat_hash_map<Symbol, uint64_t> symbols_;
  std::vector<Symbol> in_order_;
  std::string bytes_;
  int64_t line_ = 0, begin_ = 0;
};

class CodeReader {
 public:
  explicit CodeReader(std::string_view bytes) : at_(bytes.data()) {}

  std::shared_ptr<const Code> Read() {
    symbols_.resize(Get());
    for (Symbol& symbol : symbols_) symbol = SymbolOf(GetText());
    code_->scopes.resize(Get());
    code_->nodes.resize(Get());
    nodes_.reserve(code_->nodes.size() + 1);
    nodes_.push_back(nullptr);
    for (Node& node : code_->nodes) nodes_.push_back(&node);
    code_->body = GetChild();
    for (ScopeInfo& scope : code_->scopes) {
      scope.generator = Get() != 0;
      scope.slots = GetNames();
      scopes_.push_back(&scope);
    }
    for (Node& node : code_->nodes) FillNode(node);
    return code_;
  }

 private:
  uint64_t Get() {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<uint8_t>(*at_++);
      number |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return number;
    }
  }
  int64_t GetSigned() {
    const uint64_t number = Get();
    return static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
  }
  template <typename Number>
  Number GetAs() {
    return static_cast<Number>(GetSigned());
  }
  template <typename Enum>
  Enum GetEnum() {
    return static_cast<Enum>(Get());
  }
  std::string_view GetText() {
    const size_t size = Get();
    const std::string_view text(at_, size);
    at_ += size;
    return text;
  }
  Symbol GetName() { return symbols_[Get()]; }
  std::vector<Symbol> GetNames() {
    std::vector<Symbol> names(Get());
    for (Symbol& name : names) name = GetName();
    return names;
  }
  Node* GetChild() { return nodes_[Get()]; }

  Value GetValue() {
    const auto tag = GetEnum<Value::Tag>();
    if (tag == Value::Tag::kObject) return GetObject();
    const int64_t number = GetSigned();
    if (tag == Value::Tag::kFloat) return Value(std::bit_cast<double>(number));
    if (tag == Value::Tag::kBool) return Value(number != 0);
    Value value(tag);
    value.integer = number;
    return value;
  }
  Object* GetObject() {
    const auto kind = GetEnum<Kind>();
    std::unique_ptr<Object> object;
    if (kind == Kind::kStr) {
      object = std::make_unique<Str>(std::string(GetText()));
    } else if (kind == Kind::kBytes) {
      object = std::make_unique<Bytes>(std::string(GetText()));
    } else {
      std::vector<Value> items(Get());
      for (Value& item : items) item = GetValue();
      object = std::make_unique<Sequence>(kind, std::move(items));
    }
    code_->constants.push_back(std::move(object));
    return code_->constants.back().get();
  }

  void FillNode(Node& node) {
    node.kind = GetEnum<NodeKind>();
    const auto has = static_cast<uint32_t>(Get());
    node.line = line_ += GetAs<int32_t>();
    node.begin = begin_ += GetSigned();
    node.column = static_cast<int32_t>(Get());
    node.end = node.begin + GetSigned();
    if ((has & kHasOp) != 0) node.op = GetEnum<Operator>();
    if ((has & kHasParameter) != 0) node.parameter = GetEnum<ParameterKind>();
    if ((has & kHasWhere) != 0) node.where = GetEnum<Node::Where>();
    if ((has & kHasDepth) != 0) node.depth = GetAs<int16_t>();
    if ((has & kHasSlot) != 0) node.slot = GetAs<int32_t>();
    if ((has & kHasDots) != 0) node.dots = GetAs<int32_t>();
    if ((has & kHasConversion) != 0) node.conversion = GetAs<char>();
    if ((has & kHasName) != 0) node.name = GetName();
    if ((has & kHasOther) != 0) node.other = GetName();
    if ((has & kHasConstant) != 0) node.constant = GetValue();
    if ((has & kHasA) != 0) node.a = GetChild();
    if ((has & kHasB) != 0) node.b = GetChild();
    if ((has & kHasC) != 0) node.c = GetChild();
    if ((has & kHasD) != 0) node.d = GetChild();
    if ((has & kHasList) != 0) {
      node.list.resize(Get());
      for (Node*& child : node.list) child = GetChild();
    }
    if ((has & kHasOps) != 0) {
      node.ops.resize(Get());
      for (Operator& op : node.ops) op = GetEnum<Operator>();
    }
    if ((has & kHasNames) != 0) node.names = GetNames();
    if ((has & kHasScope) != 0) node.scope = scopes_[Get()];
  }

  const char* at_;
  std::shared_ptr<Code> code_ = std::make_shared<Code>();
  std::vector<Symbol> symbols_;
  std::vector<Node*> nodes_;
  std::vector<ScopeInfo*> scopes_;
  int32_t line_ = 0;
  int64_t begin_ = 0;
};

}  // namespace

absl::StatusOr<std::string> WriteCode(const Code& code) { return CodeWriter(code).Write(); }

std::shared_ptr<const Code> ReadCode(std::string_view bytes) { return CodeReader(bytes).Read(); }

std::shared_ptr<const Code> CompiledCode(std::string_view bytes) {
  thread_local absl::flat_hash_map<const char*, std::shared_ptr<const Code>> known;
  std::shared_ptr<const Code>& code = known[bytes.data()];
  if (code == nullptr) code = ReadCode(bytes);
  return code;
}

}  // namespace tilewise::py
