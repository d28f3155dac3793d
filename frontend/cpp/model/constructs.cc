// What expressions make: objects, lists, conversions.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

using clang::Expr;
using clang::QualType;

// Classes that only hold what they are made of.
constexpr std::string_view kHolders[] = {"optional",
                                         "shared_ptr",
                                         "unique_ptr",
                                         "function",
                                         "reference_wrapper",
                                         "basic_string_view",
                                         "Scalar",
                                         "ArrayRef",
                                         "OptionalArrayRef",
                                         "ExpandingArray",
                                         "ExpandingArrayWithOptionalElem",
                                         "IValue",
                                         "variant",
                                         "AnyModule",
                                         "Tensor",
                                         "TensorBase",
                                         "initializer_list",
                                         "SymInt",
                                         "ModuleHolder",
                                         "ListOrTensor",
                                         "weak_ptr",
                                         "AnyValue",
                                         "Any",
                                         "TensorIndex",
                                         "intrusive_ptr",
                                         "Span",
                                         "string_view",
                                         "ValueOrOptions",
                                         "__normal_iterator",
                                         "move_iterator"};
constexpr std::string_view kLists[] = {"vector", "array", "deque", "list", "valarray"};
constexpr std::string_view kMaps[] = {"map", "unordered_map", "OrderedDict"};

template <size_t N>
bool Has(const std::string_view (&names)[N], llvm::StringRef name) {
  return std::find(std::begin(names), std::end(names), std::string_view(name)) != std::end(names);
}

bool IsNullPointer(const Expr* e) {
  return llvm::isa<clang::CXXNullPtrLiteralExpr>(e->IgnoreParenImpCasts());
}

// std::shared_ptr<NetImpl>, as what a holder may be made of.
bool IsOwner(const Expr* e) {
  const auto* record = e->getType()->getAsCXXRecordDecl();
  return record != nullptr &&
         (record->getName() == "shared_ptr" || record->getName() == "unique_ptr");
}

bool HoldsModule(const clang::CXXRecordDecl* record) {
  if (record == nullptr || !record->hasDefinition()) return false;
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const auto* of = base.getType()->getAsCXXRecordDecl();
    if (of != nullptr && (of->getName() == "ModuleHolder" || HoldsModule(of))) return true;
  }
  return false;
}

// Null: the type is no list of a known type.
QualType TypeOfElements(QualType type) {
  const auto* list = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.isNull() ? nullptr : type->getAsCXXRecordDecl());
  if (list == nullptr || list->getTemplateArgs().size() == 0) return {};
  const clang::TemplateArgument& first = list->getTemplateArgs()[0];
  return first.getKind() == clang::TemplateArgument::Type ? first.getAsType() : QualType();
}

}  // namespace

// A container is copied where it gets a name of its own.
std::string Translator::Value(const Expr* e) {
  const Expr* inner = e->IgnoreImplicit();
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
  const bool copies =
      made != nullptr && made->getNumArgs() == 1 && made->getConstructor()->isCopyConstructor();
  const auto* record = made == nullptr ? nullptr : made->getConstructor()->getParent();
  if (copies && (Has(kLists, record->getName()) || Has(kMaps, record->getName()))) {
    return fmt::format("_cpp.copy({})", Visit(made->getArg(0)));
  }
  return Visit(e);
}

std::string Translator::VisitCXXConstructExpr(const clang::CXXConstructExpr* e) {
  return Construct(e->getType(), {e->getArgs(), e->getNumArgs()}, e->getConstructor());
}

std::string Translator::VisitCXXUnresolvedConstructExpr(
    const clang::CXXUnresolvedConstructExpr* e) {
  std::vector<const Expr*> arguments(e->arg_begin(), e->arg_end());
  const QualType type = e->getTypeAsWritten();
  if (!type->isDependentType() && type->isFloatingType() && arguments.size() == 1) {
    return fmt::format("float({})", Visit(arguments[0]));
  }
  return Construct(type, arguments, nullptr);
}

std::string Translator::VisitCXXScalarValueInitExpr(const clang::CXXScalarValueInitExpr* e) {
  const std::string value = DefaultOf(e->getType());
  return value.empty() ? "None" : value;
}

std::string Translator::VisitImplicitValueInitExpr(const clang::ImplicitValueInitExpr* e) {
  const std::string value = DefaultOf(e->getType());
  return value.empty() ? "None" : value;
}

std::string Translator::VisitCXXNewExpr(const clang::CXXNewExpr* e) {
  if (e->isArray()) {
    const std::string made = Construct(e->getAllocatedType(), {}, nullptr);
    return fmt::format("[{} for _ in range({})]", made, Visit(*e->getArraySize()));
  }
  if (const Expr* made = e->getInitializer()) return Visit(made);
  return Construct(e->getAllocatedType(), {}, nullptr);
}

std::string Translator::VisitInitListExpr(const clang::InitListExpr* e) {
  const clang::InitListExpr* list =
      e->isSemanticForm() || e->getSemanticForm() == nullptr ? e : e->getSemanticForm();
  const QualType type = list->getType();
  std::vector<const Expr*> parts(list->inits().begin(), list->inits().end());
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (record != nullptr && !Has(kLists, record->getName())) {
    // `conv{conv3x3(3, 16)}` in a template: what the function gives.
    const bool copies =
        parts.size() == 1 && context_.hasSameUnqualifiedType(parts[0]->getType(), type);
    if (copies) return Visit(parts[0]);
    return fmt::format("{}({})", NameOf(record), Arguments(parts));
  }
  if (record != nullptr && parts.size() == 1 &&
      llvm::isa<clang::InitListExpr>(parts[0]->IgnoreImplicit())) {
    return Visit(parts[0]);  // the elements of std::array
  }
  const bool number = !type.isNull() && (type->isArithmeticType() || type->isPointerType());
  if (number) return parts.empty() ? DefaultOf(type) : Visit(parts[0]);
  return "[" + Arguments(parts) + "]";
}

// A list, whose elements `std::get<0>(t) = x` sets.
std::string Translator::DefaultParts(const clang::ClassTemplateSpecializationDecl* made) {
  std::string parts;
  const auto add = [&](const clang::TemplateArgument& each) {
    if (each.getKind() != clang::TemplateArgument::Type) return;
    parts += (parts.empty() ? "" : ", ") + Construct(each.getAsType(), {}, nullptr);
  };
  for (const clang::TemplateArgument& each : made->getTemplateArgs().asArray()) {
    if (each.getKind() != clang::TemplateArgument::Pack) {
      add(each);
      continue;
    }
    for (const clang::TemplateArgument& inner : each.pack_elements()) add(inner);
  }
  return made->getName() == "pair" ? fmt::format("std.make_pair({})", parts) : "[" + parts + "]";
}

// What a list that is only sized holds.
std::string Translator::ElementOf(QualType list) {
  const QualType element = TypeOfElements(list);
  return element.isNull() ? "0" : Construct(element, {}, nullptr);
}

// The element that `list.emplace_back(a, b)` makes; empty: a value that is there.
std::string Translator::EmplacedIn(QualType list, llvm::ArrayRef<const Expr*> arguments) {
  const QualType element = TypeOfElements(list);
  const auto* record = element.isNull() ? nullptr : element->getAsCXXRecordDecl();
  const bool is_there =
      record == nullptr || Has(kHolders, record->getName()) ||
      (arguments.size() == 1 && arguments[0]->getType()->getAsCXXRecordDecl() == record);
  return is_there ? "" : Construct(element, arguments, nullptr);
}

// `vector<string>(n)`, `vector<vector<int>>(n, inner)`, `array<float, 3>`: each element is one of
// its own.
std::string Translator::ConstructList(QualType type, llvm::ArrayRef<const Expr*> arguments,
                                      const clang::CXXConstructorDecl* constructor) {
  const auto* list = llvm::cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const clang::TemplateArgumentList& types = list->getTemplateArgs();
  const bool is_array = list->getName() == "array" && types.size() > 1 &&
                        types[1].getKind() == clang::TemplateArgument::Integral;
  if (is_array && arguments.empty()) {
    return fmt::format("[{} for _ in range({})]", ElementOf(type),
                       llvm::toString(types[1].getAsIntegral(), 10));
  }
  const bool sized = constructor != nullptr && !arguments.empty() && arguments.size() <= 2 &&
                     constructor->getParamDecl(0)->getType()->isIntegerType();
  if (sized) {
    return fmt::format("[{} for _ in range({})]",
                       arguments.size() == 2 ? Value(arguments[1]) : ElementOf(type),
                       Visit(arguments[0]));
  }
  return fmt::format("_cpp.vector({})", Arguments(arguments));
}

std::string Translator::Construct(QualType type, llvm::ArrayRef<const Expr*> arguments,
                                  const clang::CXXConstructorDecl* constructor) {
  while (!arguments.empty() && llvm::isa<clang::CXXDefaultArgExpr>(arguments.back())) {
    arguments = arguments.drop_back();
  }
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    if (constructor != nullptr) {
      return fmt::format("[{} for _ in range({})]",
                         Construct(array->getElementType(), arguments, constructor),
                         array->getSize().getZExtValue());
    }
  }
  const bool copies = constructor != nullptr && constructor->isCopyOrMoveConstructor();
  if (copies && !arguments.empty()) return Visit(arguments[0]);
  const std::string name = TypeName(type);
  const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (!type.isNull() && type->isTemplateTypeParmType() && !name.empty()) {
    return fmt::format("{}({})", name, Arguments(arguments));
  }
  if (record == nullptr) {
    if (std::string value = DefaultOf(type); arguments.empty() && !value.empty()) return value;
    if (name.empty()) return arguments.size() == 1 ? Visit(arguments[0]) : "None";
    return fmt::format("{}({})", name, Arguments(arguments));
  }
  const llvm::StringRef short_name = record->getName();
  const bool one = arguments.size() == 1;
  if (one && HoldsModule(record) && (IsNullPointer(arguments[0]) || IsOwner(arguments[0]))) {
    return IsNullPointer(arguments[0]) ? "None" : Visit(arguments[0]);
  }
  if (SideOf(record) == Side::kUser) {
    if (record->isLambda()) return one ? Visit(arguments[0]) : "None";
    const auto* own = constructor == nullptr ? nullptr : constructor->getParent();
    int index = 0, count = 0;
    if (own != nullptr && own == record) {
      for (const clang::CXXConstructorDecl* each : own->ctors()) {
        if (each->isImplicit() || each->isDeleted() || each->isDefaulted() ||
            each->isCopyOrMoveConstructor()) {
          continue;
        }
        ++count;
        if (each->getCanonicalDecl() == constructor->getCanonicalDecl()) index = count;
      }
    }
    const std::string values = Arguments(arguments);
    if (count < 2 || index == 0) return fmt::format("{}({})", name, values);
    return fmt::format("_cpp.made({}, '_made_{}'{}{})", name, index, values.empty() ? "" : ", ",
                       values);
  }
  // Tensors and inputs of TensorFlow's graphs are objects of their own.
  const bool of_graphs = name.starts_with("_cpp.libraries.tensorflow.");
  if (Has(kHolders, short_name) && !of_graphs) {
    if (arguments.empty())
      return short_name.contains("ArrayRef") || short_name == "Span" ? "[]" : "None";
    return one ? Visit(arguments[0]) : "[" + Arguments(arguments) + "]";
  }
  if (Has(kLists, short_name)) return ConstructList(type, arguments, constructor);
  if (Has(kMaps, short_name)) return fmt::format("_cpp.dictionary({})", Arguments(arguments));
  if (short_name == "basic_string") {
    // `string(3, 'a')`, `{'a', 'b'}`, and what begins with a text.
    if (arguments.size() == 2 && arguments[0]->getType()->isIntegerType()) {
      return fmt::format("(_cpp.text({}) * {})", Visit(arguments[1]), Visit(arguments[0]));
    }
    const std::string text = arguments.empty() ? "''" : Visit(arguments[0]);
    return text.starts_with("[") ? fmt::format("_cpp.text({})", text) : text;
  }
  if (short_name == "pair" && arguments.size() == 2) {
    return fmt::format("std.make_pair({})", Arguments(arguments));
  }
  if (arguments.empty() && (short_name == "pair" || short_name == "tuple")) {
    return DefaultParts(llvm::cast<clang::ClassTemplateSpecializationDecl>(record));
  }
  if (short_name == "pair" || short_name == "tuple") {
    return one ? Visit(arguments[0]) : "(" + Arguments(arguments) + ")";
  }
  if (name.starts_with("torch.") && short_name.ends_with("Options") &&
      short_name != "TensorOptions") {
    return fmt::format("_cpp.Options({})", Arguments(arguments));
  }
  return LibraryCall(name, arguments);
}

}  // namespace tilewise::cpp
