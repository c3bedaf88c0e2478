#include "coracle/out/nrrd.h"

#include "coracle/base/check.h"
#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace coracle {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

// The text after "key: " in the header.
std::string entry(std::string_view header, const std::string& key) {
  const std::size_t at = header.find("\n" + key + ": ");
  if (at == std::string_view::npos) return "";
  const std::size_t begin = at + key.size() + 3;
  return std::string(header.substr(begin, header.find('\n', begin) - begin));
}

struct Header {
  Grid grid;
  std::size_t start = 0;  // of the numbers
  std::string damage;     // why it cannot be read; empty if it can
};

Header read_header(std::string_view bytes, std::uintmax_t size) {
  Header header;
  const auto broken = [&](const char* why) {
    header.damage = fmt::format("is broken ({})", why);
    return header;
  };
  const std::size_t end = bytes.find("\n\n");
  if (!bytes.starts_with("NRRD") || end == std::string_view::npos) return broken("no NRRD header");
  const std::string_view text = bytes.substr(0, end);
  Grid& grid = header.grid;
  double origin[3] = {};
  if (entry(text, "type") != "float" || entry(text, "encoding") != "raw" ||
      std::sscanf(entry(text, "sizes").c_str(), "%d %d %d", &grid.n[0], &grid.n[1], &grid.n[2]) != 3 ||
      std::sscanf(entry(text, "space directions").c_str(), "(%lf", &grid.dx) != 1 ||
      std::sscanf(entry(text, "space origin").c_str(), "(%lf,%lf,%lf)", &origin[0], &origin[1], &origin[2]) != 3)
    return broken("its header is not one of ours");
  if (!(grid.dx > 0) || (grid.n.array() < 1).any() || (grid.n.array() > 65536).any()) return broken("its sizes");
  grid.origin = Vec3(origin[0], origin[1], origin[2]) - Vec3::Constant(0.5 * grid.dx);
  header.start = end + 2;
  if (double(size - header.start) != grid.n.cast<double>().prod() * sizeof(float)) return broken("it ends early");
  return header;
}

}  // namespace

void write_nrrd(const std::string& path, const Grid& grid, const Array3<float>& values) {
  CHECK(values.n == grid.n);
  const Vec3 first = grid.center(Vec3i::Zero());
  std::string bytes = fmt::format(
      "NRRD0004\n# values at cell centres, m\ntype: float\ndimension: 3\nsizes: {} {} {}\nencoding: raw\n"
      "endian: little\nspace dimension: 3\nspace directions: ({},0,0) (0,{},0) (0,0,{})\nspace origin: ({},{},{})\n\n",
      grid.n.x(), grid.n.y(), grid.n.z(), grid.dx, grid.dx, grid.dx, first.x(), first.y(), first.z());
  bytes.append(reinterpret_cast<const char*>(values.data.data()), values.size() * sizeof(float));
  write_atomically(path, bytes);
}

std::string nrrd_damage(std::string_view head, std::uintmax_t size) { return read_header(head, size).damage; }

Volume read_nrrd(const std::string& path) {
  const std::string bytes = read_file(path);
  const Header header = read_header(bytes, bytes.size());
  if (!header.damage.empty()) throw RunError(fmt::format("{} {}; run the scene again", path, header.damage));
  Volume volume{header.grid, {}};
  volume.values.assign(header.grid.n);
  std::memcpy(volume.values.data.data(), bytes.data() + header.start, volume.values.size() * sizeof(float));
  return volume;
}

}  // namespace coracle
