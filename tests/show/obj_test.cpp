#include "coracle/show/obj.h"
#include "made_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace coracle {
namespace {

struct Obj {
  std::vector<Vec3f> x, normals;
  std::vector<Vec3i> tris;
  int dots = 0;
};

Obj read_obj(const std::string& text) {
  Obj obj;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v" || word == "vn") {
      Vec3f p;
      for (float& c : p) words >> word, c = std::stof(word);
      (line[1] == 'n' ? obj.normals : obj.x).push_back(p);
    } else if (word == "f") {
      Vec3i t;
      for (int& c : t) {
        words >> word;
        c = std::stoi(word) - 1;
        EXPECT_EQ(word, fmt::format("{0}//{0}", c + 1));
      }
      obj.tris.push_back(t);
    } else if (word == "p") {
      ++obj.dots;
    }
  }
  return obj;
}

TEST(Obj, a_mesh_reads_back_as_the_same_bits) {
  const TemporaryDirectory dir;
  const PlyMesh mesh = made_mesh(9, 1.0f / 7);
  write_obj(dir / "a.obj", mesh, "a");
  const Obj back = read_obj(read_file(dir / "a.obj"));
  EXPECT_EQ(back.x, mesh.x);
  EXPECT_EQ(back.normals, mesh.normals);
  EXPECT_EQ(back.tris, mesh.tris);
}

TEST(Obj, a_cloud_is_points) {
  const TemporaryDirectory dir;
  PlyMesh cloud;
  cloud.x = {{0, 1, 2}, {3, 4, 5}};
  write_obj(dir / "a.obj", cloud, "a");
  EXPECT_EQ(read_obj(read_file(dir / "a.obj")).dots, 2);
}

}  // namespace
}  // namespace coracle
