#include "coracle/scene/body_size.h"

#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"

namespace coracle {

double expected_tets(const BodyOptions& body) {
  if (body.mesh != BodyMesh::stuffed) return body.cells.cast<double>().prod() * (body.mesh == BodyMesh::grid5 ? 5 : 6);
  if (body.shape.kind == ShapeKind::mesh && is_tet_file(body.shape.file)) return 0;
  return expected_tets(shape_volume(body.shape), body.edge);
}

}  // namespace coracle
