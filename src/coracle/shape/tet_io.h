// Tetrahedral meshes from files.
#pragma once

#include "coracle/shape/tet_mesh.h"

namespace coracle {

// Read Gmsh (.msh 2.2 and 4.1), Medit (.mesh, .meshb), TetGen (.node and .ele, either name) or VTK (.vtu, not
// compressed). Faces, edges and points in the file are passed over; tets that are all turned the wrong way are turned
// back. Throws std::runtime_error with the place in the file and the reason: also for other volume elements,
// second-order ones, nodes that no tet uses, tets turned both ways, and whatever tet_mesh_problem finds.
TetMesh read_tet_mesh(const std::string& file);

}  // namespace coracle
