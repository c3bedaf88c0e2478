// Gmsh's MSH files, versions 2.2 and 4.1, as text or binary.
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

#include <array>

namespace coracle {
namespace {

constexpr int tet4 = 4;

// Number of nodes per element type; zero: unknown.
constexpr std::array<int, 32> nodes_of_type = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                               8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};

bool is_volume(std::int64_t type) {
  for (const int t : {4, 5, 6, 7, 11, 12, 13, 14, 17, 18, 19, 29, 30, 31})
    if (type == t) return true;
  return false;
}

class GmshReader {
 public:
  GmshReader(const std::string& file, std::string_view bytes) : in_(file, bytes) {}

  NumberedTets read() {
    header();
    while (!in_.at_end()) {
      const std::string section(in_.word("a section"));
      if (!section.starts_with('$')) in_.fail("a section that starts with '$' should stand here");
      if (section == "$Nodes") {
        nodes();
        end_of(section);
      } else if (section == "$Elements") {
        elements();
        end_of(section);
      } else {
        skip(section);
      }
    }
    return std::move(mesh_);
  }

 private:
  void header() {
    if (in_.at_end() || in_.word("$MeshFormat") != "$MeshFormat") in_.fail("a Gmsh file begins with $MeshFormat");
    const double version = in_.number("the version");
    const std::int64_t kind = in_.integer("the file type"), size = in_.integer("the data size");
    if (version != 2.2 && version != 4.1)
      in_.fail(fmt::format("version {} is not read; save it as 4.1 or 2.2", version));
    if (kind != 0 && kind != 1) in_.fail(fmt::format("file type {} is neither text (0) nor binary (1)", kind));
    if (size != 8) in_.fail(fmt::format("numbers of {} bytes are not read, only of 8", size));
    version_4_ = version == 4.1;
    packed_ = kind == 1;
    in_.next_line();
    if (packed_) {
      in_.binary = true;
      if (in_.raw<std::int32_t>("the byte order") != 1) in_.fail("the file was written in another byte order");
    }
    end_of("$MeshFormat");
  }

  void end_of(const std::string& section) {
    const std::string end = "$End" + section.substr(1);
    if (in_.word(end.c_str()) != end) in_.fail(fmt::format("{} should stand here", end));
    if (packed_) in_.next_line();
  }

  void skip(const std::string& section) {
    const std::string end = "$End" + section.substr(1);
    const std::size_t found = in_.rest().find(end);
    if (found == std::string_view::npos) in_.fail(fmt::format("{} is missing", end));
    in_.go_to(in_.position() + found + end.size());
  }

  // Integers that are `int` or `size_t` in binary files.
  std::int64_t small(const char* what) { return packed_ ? in_.raw<std::int32_t>(what) : in_.integer(what); }
  std::int64_t large(const char* what) { return packed_ ? in_.raw<std::int64_t>(what) : in_.integer(what); }
  double real(const char* what) { return packed_ ? in_.raw<double>(what) : in_.number(what); }
  Vec3 point() {
    Vec3 p;
    for (int a = 0; a < 3; ++a) p[a] = real("a coordinate");
    return p;
  }

  void nodes() {
    if (!version_4_) {
      const std::size_t n = in_.count(in_.integer("the number of nodes"), packed_ ? 28 : 8, "nodes");
      if (packed_) in_.next_line();
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t tag = small("a node's number");
        mesh_.add_node(in_, tag, point());
      }
      return;
    }
    if (packed_) in_.next_line();
    const std::int64_t blocks = large("the number of blocks");
    for (int i = 0; i < 3; ++i) large("the number of nodes");
    in_.count(blocks, packed_ ? 20 : 8, "blocks of nodes");
    std::vector<std::int64_t> tags;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = small("an entity's dimension");
      small("an entity's number");
      const bool parametric = small("whether nodes have parameters") != 0;
      if (dimension < 0 || dimension > 3) in_.fail(fmt::format("an entity of dimension {}", dimension));
      tags.resize(in_.count(large("the number of nodes"), packed_ ? 32 : 8, "nodes"));
      for (std::int64_t& tag : tags) tag = large("a node's number");
      for (const std::int64_t tag : tags) {
        mesh_.add_node(in_, tag, point());
        for (int k = 0; parametric && k < dimension; ++k) real("a parameter");
      }
    }
  }

  int nodes_of(std::int64_t type) {
    if (type < 1 || type >= std::int64_t(nodes_of_type.size()))
      in_.fail(fmt::format("elements of unknown type {}", type));
    if (is_volume(type) && type != tet4)
      in_.fail(fmt::format("elements of type {}; only tetrahedra with four nodes (type 4) are read", type));
    return nodes_of_type[std::size_t(type)];
  }

  void element(std::int64_t tag, std::int64_t type, int nodes) {
    std::array<std::int64_t, 56> corner = {};
    for (int k = 0; k < nodes; ++k)
      corner[k] = version_4_ ? large("a node of an element") : small("a node of an element");
    if (type == tet4) mesh_.add_tet(tag, corner.data());
  }

  void elements() {
    if (version_4_) {
      if (packed_) in_.next_line();
      const std::int64_t blocks = large("the number of blocks");
      for (int i = 0; i < 3; ++i) large("the number of elements");
      in_.count(blocks, packed_ ? 20 : 8, "blocks of elements");
      for (std::int64_t b = 0; b < blocks; ++b) {
        small("an entity's dimension");
        small("an entity's number");
        const std::int64_t type = small("the elements' type");
        const int nodes = nodes_of(type);
        const std::size_t n = in_.count(large("the number of elements"), packed_ ? 16 : 4, "elements");
        for (std::size_t i = 0; i < n; ++i) {
          const std::int64_t tag = large("an element's number");
          element(tag, type, nodes);
        }
      }
      return;
    }
    const std::size_t n = in_.count(in_.integer("the number of elements"), 8, "elements");
    if (packed_) in_.next_line();
    for (std::size_t done = 0; done < n;) {
      // In binary files elements come in groups of one type; in text files each element is one group.
      std::int64_t tag = packed_ ? 0 : in_.integer("an element's number");
      const std::int64_t type = small("an element's type");
      const std::int64_t in_group = packed_ ? in_.raw<std::int32_t>("the number of elements") : 1;
      const std::size_t tags = in_.count(small("the number of tags"), 1, "tags");
      const int nodes = nodes_of(type);
      if (in_group < 1 || std::size_t(in_group) > n - done) in_.fail("more elements than the file announced");
      for (std::int64_t i = 0; i < in_group; ++i, ++done) {
        if (packed_) tag = in_.raw<std::int32_t>("an element's number");
        for (std::size_t k = 0; k < tags; ++k) small("a tag");
        element(tag, type, nodes);
      }
    }
  }

  FileCursor in_;
  bool version_4_ = false, packed_ = false;
  NumberedTets mesh_;
};

}  // namespace

NumberedTets read_gmsh(const std::string& file, std::string_view bytes) { return GmshReader(file, bytes).read(); }

}  // namespace coracle
