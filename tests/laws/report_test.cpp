// The report of `coracle validate`.
#include "validation/report.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "validation/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace coracle::validation {
namespace {

Finished finished(int number, double measured) {
  Outcome outcome;
  outcome.results = {at_most("figure", measured, 2, "m", "a | b"), at_least("other", 1, 0, "", "")};
  outcome.curves = {{"Curve", "x", "y", {{0, 0}, {1, 1}}, {}}};
  return {.what = &cases()[number], .outcome = outcome, .seconds = 1.5};
}

TEST(Report, keeps_the_cases_that_were_not_run_and_replaces_those_that_were) {
  const TemporaryFolder folder;
  const std::string file = folder.path + "/report.md", first = "\n## " + cases()[0].name + "\n",
                    second = "\n## " + cases()[1].name + "\n";
  add_to_report(file, finished(1, 3));
  EXPECT_NE(read_file(file).find("1 of 2 results pass"), std::string::npos);
  add_to_report(file, finished(0, 1));
  const std::string both = read_file(file);
  EXPECT_NE(both.find("3 of 4 results pass"), std::string::npos);
  EXPECT_LT(both.find(first), both.find(second));
  EXPECT_NE(both.find(second), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path + "/plots/" + cases()[0].name + "-1.svg"));

  add_to_report(file, finished(1, 1));
  const std::string better = read_file(file);
  EXPECT_NE(better.find("4 of 4 results pass"), std::string::npos);
  EXPECT_EQ(better.find("fail"), std::string::npos);
  add_to_report(file, finished(1, 1));
  EXPECT_EQ(read_file(file), better);
}

TEST(Report, does_not_write_over_another_file) {
  const TemporaryFolder folder;
  const std::string file = folder.path + "/notes.md";
  write_atomically(file, "# Notes\n");
  EXPECT_THROW(check_report(file), SceneError);
  EXPECT_THROW(add_to_report(file, finished(0, 1)), SceneError);
  EXPECT_EQ(read_file(file), "# Notes\n");
}

}  // namespace
}  // namespace coracle::validation
