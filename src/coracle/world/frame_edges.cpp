#include "coracle/world/frame_edges.h"

namespace coracle {

std::array<FrameEdge, 6> frame_edges(const Rigid& rigid, int first, const std::vector<Vec3>& x) {
  const Vec4i& frame = rigid.frame.tets[0];
  std::array<FrameEdge, 6> edges;
  int e = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      const int i = first + frame[a], j = first + frame[b];
      edges[e++] = {.i = i, .j = j, .n = (x[i] - x[j]).normalized()};
    }
  return edges;
}

void add_damper(const FrameEdge& e, double damping, BlockSolver::Slot slot, BlockSolver& matrix) {
  const Mat3 block = damping * e.n * e.n.transpose();
  for (const int end : {e.i, e.j}) matrix.add_diagonal(end, block);
  matrix.add(slot, -block);
}

}  // namespace coracle
