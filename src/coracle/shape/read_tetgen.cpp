// TetGen's .node and .ele.
#include "coracle/shape/tet_readers.h"

#include <fmt/format.h>

namespace coracle {

NumberedTets read_tetgen(const std::string& node_file, std::string_view nodes, const std::string& ele_file,
                         std::string_view elements) {
  NumberedTets mesh;
  FileCursor in(node_file, nodes);
  in.comment = '#';
  const auto numbers = [](FileCursor& from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) from.number("an attribute");
  };
  const std::int64_t points = in.integer("the number of nodes");
  if (const std::int64_t dimension = in.integer("the dimension"); dimension != 3)
    in.fail(fmt::format("only nodes of dimension 3 are read, not {}", dimension));
  const std::int64_t attributes = in.integer("the number of attributes"), markers = in.integer("the number of markers");
  const std::size_t extra = in.count(attributes, 1, "attributes") + in.count(markers, 1, "markers");
  const std::size_t count = in.count(points, 8, "nodes");
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = in.integer("a node's number");
    Vec3 p;
    for (int a = 0; a < 3; ++a) p[a] = in.number("a coordinate");
    mesh.add_node(in, number, p);
    numbers(in, extra);
  }

  FileCursor ele(ele_file, elements);
  ele.comment = '#';
  const std::int64_t tets = ele.integer("the number of tetrahedra");
  if (const std::int64_t corners = ele.integer("the nodes of a tetrahedron"); corners != 4)
    ele.fail(fmt::format("only tetrahedra of 4 nodes are read, not of {}", corners));
  const std::size_t regions = ele.count(ele.integer("the number of attributes"), 1, "attributes");
  const std::size_t tet_count = ele.count(tets, 10, "tetrahedra");
  for (std::size_t i = 0; i < tet_count; ++i) {
    const std::int64_t number = ele.integer("a tetrahedron's number");
    std::int64_t corner[4];
    for (std::int64_t& c : corner) c = ele.integer("a node of a tetrahedron");
    mesh.add_tet(number, corner);
    numbers(ele, regions);
  }
  return mesh;
}

}  // namespace coracle
