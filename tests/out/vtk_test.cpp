#include "coracle/out/vtk.h"

#include "coracle/out/ply.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace coracle {
namespace {

std::string decode(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;  // padding
    word = word << 6 | unsigned(digit);
    if ((bits += 6) >= 8) bytes += char(word >> (bits -= 8) & 255);
  }
  return bytes;
}

// The text between the tags of the array with this name.
std::string array_text(const std::string& xml, const std::string& name) {
  const std::size_t tag = xml.find("Name=\"" + name + "\"");
  EXPECT_NE(tag, std::string::npos) << name;
  const std::size_t begin = xml.find(">\n", tag) + 2;
  return xml.substr(begin, xml.find('\n', begin) - begin);
}

template <class T>
std::vector<T> array_values(const std::string& xml, const std::string& name) {
  const std::string bytes = decode(array_text(xml, name));
  std::uint64_t size = 0;
  EXPECT_GE(bytes.size(), sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size, bytes.size() - sizeof size);
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), bytes.data() + sizeof size, size);
  return values;
}

std::string attribute(const std::string& xml, const std::string& name) {
  const std::size_t begin = xml.find(" " + name + "=\"") + name.size() + 3;
  return xml.substr(begin, xml.find('"', begin) - begin);
}

TEST(Vtk, Base64IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Vtk, ArraysDecodeToTheDataThatWasWritten) {
  const TemporaryDirectory dir;
  PolyData data;
  data.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.5f}};
  data.tris = {{0, 1, 2}, {0, 2, 3}};
  data.point_data = {vector_array("velocity", {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0.1f, 0.2f, 0.3f}}),
                     {"pressure", 1, std::vector<double>{0.1, 1e300, -0.0, 3}}};
  data.cell_data = {{"solid", 1, std::vector<std::int32_t>{7, -8}}};
  write_vtp(dir / "a.vtp", data);
  const std::string xml = read_file(dir / "a.vtp");

  EXPECT_EQ(attribute(xml, "header_type"), "UInt64");
  EXPECT_EQ(attribute(xml, "byte_order"), "LittleEndian");
  EXPECT_EQ(attribute(xml, "NumberOfPoints"), "4");
  EXPECT_EQ(attribute(xml, "NumberOfPolys"), "2");
  EXPECT_EQ(attribute(xml, "NumberOfVerts"), "0");
  EXPECT_EQ(array_values<float>(xml, "Points"), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5f}));
  EXPECT_EQ(array_values<float>(xml, "velocity"), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 0.1f, 0.2f, 0.3f}));
  EXPECT_EQ(array_values<double>(xml, "pressure"), (std::vector<double>{0.1, 1e300, -0.0, 3}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "solid"), (std::vector<std::int32_t>{7, -8}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "connectivity"), (std::vector<std::int32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "offsets"), (std::vector<std::int32_t>{3, 6}));
}

TEST(Vtk, PointsWithoutTrianglesAreOneCellOfVertices) {
  const TemporaryDirectory dir;
  write_vtp(dir / "a.vtp", {{{0, 0, 0}, {1, 2, 3}}, {}, {}, {}});
  const std::string xml = read_file(dir / "a.vtp");
  EXPECT_EQ(attribute(xml, "NumberOfVerts"), "1");
  EXPECT_EQ(array_values<std::int32_t>(xml, "connectivity"), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(array_values<std::int32_t>(xml, "offsets"), (std::vector<std::int32_t>{2}));
}

TEST(Vtk, NothingIsAFileOfNothing) {
  const TemporaryDirectory dir;
  write_vtp(dir / "a.vtp", {{}, {}, {vector_array("velocity", {})}, {}});
  const std::string xml = read_file(dir / "a.vtp");
  EXPECT_EQ(attribute(xml, "NumberOfPoints"), "0");
  EXPECT_TRUE(array_values<float>(xml, "Points").empty());
}

TEST(Vtk, AnIndexNamesFilesAndTheirTimes) {
  const TemporaryDirectory dir;
  write_pvd(dir / "a.pvd", {{0, "a.0000.vtp"}, {0.125, "a.0003.vtp"}});
  const std::string xml = read_file(dir / "a.pvd");
  EXPECT_NE(xml.find("<DataSet timestep=\"0.125\" group=\"\" part=\"0\" file=\"a.0003.vtp\"/>"), std::string::npos)
      << xml;
}

TEST(Ply, TheBodyIsAsLongAsTheHeaderSays) {
  const TemporaryDirectory dir;
  const std::vector<Vec3f> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  write_ply(dir / "a.ply", x, {{0, 1, 2}});
  write_ply(dir / "b.ply", x, {{0, 1, 2}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}});
  for (const auto& [name, floats] : {std::pair{"a.ply", 3}, std::pair{"b.ply", 6}}) {
    const std::string bytes = read_file(dir / name);
    const std::string end = "end_header\n";
    const std::size_t body = bytes.find(end) + end.size();
    EXPECT_EQ(bytes.size() - body, 3 * floats * 4 + 13u);
    float second_x = 0;
    std::memcpy(&second_x, bytes.data() + body + 4 * floats, 4);
    EXPECT_EQ(second_x, 1);
    EXPECT_EQ(bytes[body + 3 * floats * 4], 3);
  }
}

}  // namespace
}  // namespace coracle
