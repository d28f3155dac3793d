// Parts of instructions as HLO text writes them. All append to `text`.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

void AppendName(std::string_view name, std::string& text);     // %add.1
void AppendQuoted(std::string_view value, std::string& text);  // "a\"b"
// A word that stands without quotes; what no word has becomes "_".
void AppendPlain(std::string_view word, std::string& text);
void AppendIntegers(std::span<const int64_t> values, std::string& text);
void AppendShape(const HloShape& shape, std::string& text);
// What stands between the parentheses of constant(..).
void AppendLiteral(const Literal& literal, const HloShape& shape, std::string& text);
// ", name=value" of all that an instruction has besides operands and callees.
void AppendAttributes(const Instruction& instruction, std::string& text);
void AppendFrontendAttributes(
    std::span<const std::pair<std::string_view, std::string_view>> attributes, std::string& text);

}  // namespace tilewise::hlo
