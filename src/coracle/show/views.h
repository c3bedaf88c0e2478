// Views of what the solver works with, rather than what a camera would see.
#pragma once

#include "coracle/show/frame_props.h"
#include "coracle/world.h"

#include <vector>

namespace coracle {

// Every particle as a ball of a third of a cell.
void add_particles(std::vector<Prop>& props, const Replay& replay, const PlyMesh& particles, const Coloring& coloring);

// Every tetrahedron of every solid body, drawn separately and slightly shrunk; of other bodies, the triangles of their
// surface.
void add_tets(std::vector<Prop>& props, const Replay& replay, const ReplayFrame& frame);

// The pieces into which the grid cuts the solids' and bodies' surfaces (step/grid/cut_cells.h), one colour per cell
// whose pressure acts on them: pieces of a sliver have the colour of the neighbour that took them. Rebuilt from the
// scene and the bodies' nodes of the frame, wherever liquid can be, even if there is none in the frame. `world` is the
// scene's; its solids and bodies are moved to their positions in the frame.
void add_cut_cells(std::vector<Prop>& props, const Replay& replay, int frame, World& world);

}  // namespace coracle
