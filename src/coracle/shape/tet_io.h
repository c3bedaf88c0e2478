// Tetrahedral meshes from files.
#pragma once

#include "coracle/shape/tet_mesh.h"

namespace coracle {

// By its ending: whether read_tet_mesh reads such files.
bool is_tet_file(const std::string& file);

// Read Gmsh (.msh 2.2 and 4.1), Medit (.mesh, .meshb), TetGen (.node and .ele, either name) or VTK (.vtu, not
// compressed). Faces, edges and points in the file are ignored. If all tets are inverted, they are turned back. Throws
// std::runtime_error with the place in the file and the reason; other volume elements, second-order elements, nodes
// that no tet uses, tets of both orientations and all problems that tet_mesh_problem finds are errors too.
TetMesh read_tet_mesh(const std::string& file);

}  // namespace coracle
