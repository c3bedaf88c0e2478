#include "coracle/shape/tet_io.h"

#include "coracle/base/files.h"
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace coracle {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = std::uintmax_t(2) << 30;  // bytes

std::string bytes_of(const std::string& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) throw std::runtime_error(fmt::format("{}: no such file", file));
  if (!fs::is_regular_file(file, ignored)) throw std::runtime_error(fmt::format("{}: not a file", file));
  if (fs::file_size(file, ignored) > largest_file)
    throw std::runtime_error(fmt::format("{}: it is larger than 2 GiB", file));
  return read_file(file);
}

std::string kind_of(const std::string& file) {
  std::string kind = fs::path(file).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return kind;
}

NumberedTets read_any(const std::string& file) {
  const std::string kind = kind_of(file);
  if (kind == ".msh") return read_gmsh(file, bytes_of(file));
  if (kind == ".mesh") return read_medit(file, bytes_of(file));
  if (kind == ".meshb") return read_medit_binary(file, bytes_of(file));
  if (kind == ".vtu") return read_vtu(file, bytes_of(file));
  if (kind == ".node" || kind == ".ele") {
    const auto other = [&](const char* ending) {
      return fs::path(file).extension() == ending ? file : fs::path(file).replace_extension(ending).string();
    };
    const std::string nodes = kind == ".node" ? file : other(".node"), elements = kind == ".ele" ? file : other(".ele");
    return read_tetgen(nodes, bytes_of(nodes), elements, bytes_of(elements));
  }
  throw std::runtime_error(
      fmt::format("{}: cannot read '{}' files; tetrahedral meshes are .msh, .mesh, .meshb, .vtu, .node "
                  "or .ele",
                  file, kind));
}

}  // namespace

bool is_tet_file(const std::string& file) {
  const std::string kind = kind_of(file);
  const auto known = {".msh", ".mesh", ".meshb", ".node", ".ele", ".vtu"};
  return std::any_of(known.begin(), known.end(), [&](const char* k) { return kind == k; });
}

TetMesh read_tet_mesh(const std::string& file) {
  const NumberedTets read = read_any(file);
  const auto refuse = [&](const std::string& reason) { throw std::runtime_error(fmt::format("{}: {}", file, reason)); };
  if (read.corners.empty()) refuse("it has no tetrahedra");
  if (read.x.size() > std::size_t(std::numeric_limits<int>::max())) refuse("it has too many nodes");
  TetMesh mesh;
  mesh.x = read.x;
  std::vector<char> used(mesh.x.size(), 0);
  for (std::size_t t = 0; t < read.corners.size(); ++t) {
    Vec4i tet;
    for (int c = 0; c < 4; ++c) {
      const auto it = read.index.find(read.corners[t][c]);
      if (it == read.index.end())
        refuse(fmt::format("tetrahedron {} has a node {}, and there is none of that number", read.tet[t],
                           read.corners[t][c]));
      tet[c] = it->second;
      used[tet[c]] = 1;
    }
    mesh.tets.push_back(tet);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) refuse(fmt::format("node {} belongs to no tetrahedron; delete it", read.node[i]));

  // The orientation of the tets.
  std::size_t turned[2] = {}, first[2] = {};
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Vec4i& t = mesh.tets[i];
    const double volume = tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]);
    if (volume == 0) refuse(fmt::format("tetrahedron {} is flat; delete it, or mesh again", read.tet[i]));
    if (turned[volume < 0]++ == 0) first[volume < 0] = i;
  }
  if (turned[0] > 0 && turned[1] > 0) {
    const int odd = turned[1] <= turned[0];
    refuse(
        fmt::format("tetrahedron {} is turned the other way than tetrahedron {} ({} of {} are); swap two of "
                    "its nodes",
                    read.tet[first[odd]], read.tet[first[!odd]], turned[odd], mesh.tets.size()));
  }
  if (turned[1] > 0)
    for (Vec4i& t : mesh.tets) std::swap(t[2], t[3]);
  if (const std::string problem = tet_mesh_problem(mesh); !problem.empty())
    refuse(fmt::format("the mesh {} (counted from 0, in the order of the file)", problem));
  return mesh;
}

}  // namespace coracle
