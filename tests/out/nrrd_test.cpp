#include "coracle/out/nrrd.h"

#include "coracle/error.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace coracle {
namespace {

struct Case {
  TemporaryDirectory dir;
  std::string path = dir / "smoke.0001.nrrd";
  Grid grid{Vec3(-0.1, 1.0 / 3, 7), 1.0 / 30, Vec3i(5, 3, 4)};
  Array3<float> values{grid.n};

  Case() {
    for (std::size_t i = 0; i < values.size(); ++i) values.data[i] = 0.1f * float(i);
    values(1, 0, 0) = -0.0f;
    values(2, 0, 0) = std::numeric_limits<float>::denorm_min();
    values(4, 2, 3) = std::numeric_limits<float>::max();
    write_nrrd(path, grid, values);
  }
  std::string complaint(const std::string& bytes) const {
    write_atomically(path, bytes);
    return message_of<RunError>([&] { read_nrrd(path); });
  }
};

TEST(Nrrd, comes_back_to_the_bit) {
  const Case c;
  const Volume read = read_nrrd(c.path);
  EXPECT_EQ(read.grid.n, c.grid.n);
  EXPECT_EQ(read.grid.dx, c.grid.dx);
  EXPECT_LT((read.grid.origin - c.grid.origin).norm(), 1e-14);  // half a cell was added and taken off
  ASSERT_EQ(read.values.size(), c.values.size());
  EXPECT_EQ(std::memcmp(read.values.data.data(), c.values.data.data(), c.values.size() * sizeof(float)), 0);
}

TEST(Nrrd, a_broken_file_is_named_with_what_is_wrong) {
  const Case c;
  const std::string whole = read_file(c.path);
  const auto expect = [&](const std::string& bytes, const char* why) {
    const std::string said = c.complaint(bytes);
    EXPECT_NE(said.find("smoke.0001.nrrd is broken"), std::string::npos) << said;
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = whole;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  expect("", "no NRRD header");
  expect("ply\n\n", "no NRRD header");
  expect(whole.substr(0, whole.size() - 1), "it ends early");
  expect(whole.substr(0, whole.find("\n\n")), "no NRRD header");
  expect(with("sizes: 5 3 4", "sizes: 5 3"), "not one of ours");
  expect(with("type: float", "type: double"), "not one of ours");
  expect(with("encoding: raw", "encoding: gzip"), "not one of ours");
  expect(with("sizes: 5 3 4", "sizes: 5 3 -4"), "its sizes");
  expect(with("sizes: 5 3 4", "sizes: 65536 65536 65536"), "it ends early");
}

TEST(Nrrd, a_missing_file_is_named) {
  const TemporaryDirectory dir;
  const std::string said = message_of<RunError>([&] { read_nrrd(dir / "none.nrrd"); });
  EXPECT_NE(said.find("none.nrrd"), std::string::npos) << said;
}

}  // namespace
}  // namespace coracle
