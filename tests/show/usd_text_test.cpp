#include "coracle/show/usd_text.h"
#include "usda_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace coracle {
namespace {

TEST(UsdText, names_become_identifiers_each_once) {
  EXPECT_EQ(usd_identifiers({"beam", "2nd-post", "2nd post", "Körper", "", "_x"}),
            (std::vector<std::string>{"beam", "_2nd_post", "_2nd_post_2", "K__rper", "_", "_x"}));
  EXPECT_EQ(usd_identifiers({"a_2", "a-", "a.", "a_"}), (std::vector<std::string>{"a_2", "a_", "a__2", "a__3"}));
  EXPECT_EQ(usd_identifiers({"a-2", "a", "a"}, {"a"}), (std::vector<std::string>{"a_2", "a_3", "a_4"}))
      << "a number that is taken is passed over";
}

TEST(UsdText, strings_stay_whole) { EXPECT_EQ(usd_string("a \"b\" \\c\nd\t"), R"("a \"b\" \\c\nd")"); }

TEST(UsdText, every_float_reads_back_as_the_same_bits) {
  std::mt19937 random(1);
  std::vector<float> values = {0.0f, -0.0f, 0.1f, 1.0f / 3, 1e-45f, std::numeric_limits<float>::max(), -16777217.0f};
  while (values.size() < 20000)
    if (const float x = std::bit_cast<float>(std::uint32_t(random())); std::isfinite(x)) values.push_back(x);
  const std::vector<float> back = usda_numbers(usd_array(values));
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(values[i])) << values[i];
  EXPECT_EQ(usd_array(std::vector<float>{0.1f, 24.0f}), "[0.1, 24]") << "shortest";
}

TEST(UsdText, arrays) {
  EXPECT_EQ(usd_array(std::vector<int>{}), "[]");
  EXPECT_EQ(usd_array(std::vector<int>{3, -1}), "[3, -1]");
  EXPECT_EQ(usd_array(std::vector<Vec3f>{{0, 1, 0.5f}, {1, 2, 3}}), "[(0, 1, 0.5), (1, 2, 3)]");
}

}  // namespace
}  // namespace coracle
