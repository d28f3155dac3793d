// What is known of values that are not: of which containers one is, and sums of how many items
// lists have.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "python/interpreter.h"

namespace tilewise::py {

// `unknown`, but that it is one of the values: what is put into it may be in each of those that
// are lists or dicts.
Value EitherOf(Interpreter& in, const Value& unknown, std::span<const Value> values);

// What is known of an unknown value, to add to.
Unknown::Known& Know(Interpreter& in, Unknown& unknown);

// An attribute of what is not known, which is the same each time.
Value PartOfUnknown(Interpreter& in, Unknown& unknown, Symbol name);

// Whether a value says of itself that what is made of it has that use of it: "items" of a loader,
// "call" of a model.
bool IsWrapped(const Value& value, std::string_view use);
// The argument of a call of what is not known that its result is taken to hold.
Value WrappedOf(const Arguments& arguments);

// How many items there are in what has no length that is known: the same each time it is asked.
Value CountOf(Interpreter& in, const Value& container);

// The least that such a number can be; nothing for what is none.
std::optional<int64_t> LeastOf(const Unknown& unknown);
// Whether a comparison of such a number with a known one holds; nothing where that is not known.
std::optional<bool> CountCompared(Operator op, const Value& a, const Value& b);

// a + b and a - b of such numbers, and a list of one item times one; nothing where it is neither.
std::optional<Value> CountsCombined(Interpreter& in, Operator op, const Value& a, const Value& b);

// How many items a + b has, from what the two have; null: that is not known. A row that is filled
// up to a number of items has that number.
const Unknown* JoinedCount(Interpreter& in, const Sequence& a, const Sequence& b);
// Gives an open sequence that count.
void SetCount(Sequence& items, const Unknown* count);

}  // namespace tilewise::py
