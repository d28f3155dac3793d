// Notebooks without what their cells printed.

#include "frontend/python/notebook_text.h"

#include <gtest/gtest.h>

namespace tilewise::python {
namespace {

TEST(WithoutOutputs, DropsListsAndMapsAndKeepsLines) {
  EXPECT_EQ(WithoutOutputs(R"({"cells": [{"outputs": [{"a": "]}\""}], "source": "x"}]})"),
            R"({"cells": [{"outputs": [], "source": "x"}]})");
  EXPECT_EQ(WithoutOutputs("{\"outputs\" : [\n1,\n2], \"attachments\":{\"i\": 1}}"),
            "{\"outputs\" : \n\n[], \"attachments\":[]}");
}

TEST(WithoutOutputs, KeepsWhatOnlyReadsLikeThem) {
  for (const char* text : {R"({"source": ["\"outputs\": [1]"], "outputs": 3})",
                           R"(["outputs", [1]])", R"({"outputs": )", "", "\"", "\"outputs\":"}) {
    EXPECT_EQ(WithoutOutputs(text), text);
  }
}

TEST(WithoutOutputs, WhatIsNotClosedStaysOpen) {
  EXPECT_EQ(WithoutOutputs(R"({"outputs": [1, 2)"), R"({"outputs": [)");
}

}  // namespace
}  // namespace tilewise::python
