// See sharding.h.

#include "frontend/mlir/sharding.h"

#include <charconv>
#include <string>

#include "frontend/hlo/text_values.h"
#include "frontend/mlir/lexer.h"

namespace tilewise::mlir {
namespace {

constexpr int64_t kMostDevices = int64_t{1} << 20;

int64_t AxisSize(std::string_view digits) {
  int64_t size = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), size);
  return size < 1 || size > kMostDevices ? 1 : size;
}

hlo::Sharding FromAttributes(ModuleLowering& lowering,
                             const std::vector<NamedAttribute>& attributes) {
  for (const NamedAttribute& attribute : attributes) {
    if (attribute.first == "mhlo.sharding" && !attribute.second.text.empty()) {
      const std::string_view text = attribute.second.text;
      return hlo::ParseSharding(
          text.find('\\') == std::string_view::npos ? text : lowering.Keep(Unescape(text)));
    }
    if (attribute.first == "sdy.sharding") {
      return SdySharding(lowering, attribute.second.text);
    }
  }
  return {};
}

// What one dim is divided by: {"x", "y":(2)2, ?}p1.
int64_t ReadDimTiles(Lexer& lexer, const std::vector<std::pair<std::string_view, int64_t>>& axes) {
  int64_t tiles = 1;
  lexer.Next();  // '{'
  while (!lexer.token().Is('}') && lexer.token().kind != TokenKind::kEnd) {
    const Token token = lexer.token();
    lexer.Next();
    if (token.kind != TokenKind::kString) continue;
    int64_t size = 1;
    for (const auto& [name, extent] : axes) {
      if (name == Unquote(token.text)) size = extent;
    }
    if (lexer.token().Is(':')) {  // a part of the axis: its size is last
      lexer.Next();
      if (lexer.token().Is('(') && !lexer.Balanced().ok()) return tiles;
      size = AxisSize(lexer.token().text);
      lexer.Next();
    }
    if (tiles <= kMostDevices / size) tiles *= size;
  }
  lexer.Next();
  return tiles;
}

// Takes the mesh, up to the list of dims.
std::vector<std::pair<std::string_view, int64_t>> TakeMesh(Lexer& lexer,
                                                           const ModuleLowering& lowering) {
  std::vector<std::pair<std::string_view, int64_t>> axes;
  while (lexer.token().kind != TokenKind::kEnd && lexer.token().kind != TokenKind::kError &&
         !lexer.token().Is('[')) {
    const Token token = lexer.token();
    if (token.kind == TokenKind::kSymbol) {
      axes = lowering.MeshAxes(Unquote(token.text.substr(1)));
    }
    if (token.IsWord("mesh")) {  // written in place: mesh<["a"=2]>
      const absl::StatusOr<std::string_view> mesh = lexer.WithAngles();
      if (!mesh.ok()) return {};
      axes = ReadMeshAxes(*mesh);
      continue;
    }
    lexer.Next();
  }
  return axes;
}

}  // namespace

std::vector<std::pair<std::string_view, int64_t>> AxesOfSharding(const ModuleLowering& lowering,
                                                                 std::string_view text) {
  Lexer lexer(text);
  return TakeMesh(lexer, lowering);
}

std::vector<AxisList> ReadAxisLists(std::string_view text,
                                    const std::vector<std::pair<std::string_view, int64_t>>& axes) {
  std::vector<AxisList> lists;
  Lexer lexer(text);
  while (lexer.token().kind != TokenKind::kEnd && lexer.token().kind != TokenKind::kError) {
    const Token token = lexer.token();
    if (token.Is('{')) {
      lists.push_back({ReadDimTiles(lexer, axes), {}});
      continue;
    }
    int64_t number = 0;
    const char* end = token.text.data() + token.text.size();
    if (token.kind == TokenKind::kInteger && !lists.empty() &&
        std::from_chars(token.text.data(), end, number).ec == std::errc()) {
      lists.back().numbers.push_back(number);
    }
    lexer.Next();
  }
  return lists;
}

std::vector<std::pair<std::string_view, int64_t>> ReadMeshAxes(std::string_view text) {
  std::vector<std::pair<std::string_view, int64_t>> axes;
  Lexer lexer(text);
  while (lexer.token().kind != TokenKind::kEnd && lexer.token().kind != TokenKind::kError) {
    const Token token = lexer.token();
    lexer.Next();
    if (token.kind != TokenKind::kString || !lexer.token().Is('=')) continue;
    lexer.Next();
    axes.emplace_back(Unquote(token.text), AxisSize(lexer.token().text));
  }
  return axes;
}

hlo::Sharding SdySharding(const ModuleLowering& lowering, std::string_view text) {
  hlo::Sharding sharding;
  sharding.text = text;
  Lexer lexer(text);
  const auto axes = TakeMesh(lexer, lowering);
  if (!lexer.token().Is('[') || axes.empty()) return sharding;
  lexer.Next();
  int64_t all = 1;
  while (lexer.token().kind != TokenKind::kEnd && lexer.token().kind != TokenKind::kError &&
         !lexer.token().Is(']')) {
    if (lexer.token().Is('{')) {
      sharding.tiles.push_back(ReadDimTiles(lexer, axes));
      if (all <= kMostDevices) all *= sharding.tiles.back();
    } else {
      lexer.Next();
    }
  }
  sharding.kind = all > 1 ? hlo::Sharding::Kind::kTiled : hlo::Sharding::Kind::kReplicated;
  int64_t devices = 1;
  for (const auto& [name, size] : axes) {
    if (devices <= kMostDevices) devices *= size;
  }
  if (all > 1 && all < devices) {
    sharding.tiles.push_back(devices / all);
    sharding.last_dim_replicated = true;
  }
  return sharding;
}

hlo::Sharding ReadSharding(ModuleLowering& lowering, const Operation& function, size_t i) {
  const Attribute* all = function.Find("arg_attrs");
  if (all == nullptr || i >= all->items.size()) return {};
  return FromAttributes(lowering, all->items[i].fields);
}

hlo::Sharding ReadSharding(ModuleLowering& lowering, const Operation& op) {
  return FromAttributes(lowering, op.attributes);
}

}  // namespace tilewise::mlir
