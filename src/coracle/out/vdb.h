// Everything that goes through OpenVDB: the liquid's surface as triangles, and volumes for renderers.
#pragma once

#include "coracle/grid.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/frame_layers.h"

#include <string>

namespace coracle {

// The surface φ = 0 of a cell-centred distance field (m, negative inside), closed at the walls of the domain.
TriMesh surface_mesh(const Grid& grid, const Array3<float>& phi);

// A level set "surface" (narrow band of ±3 dx) if the layer has one, fog volumes under their names, and a staggered
// vector grid "velocity": within 3 dx of the surface, or everywhere if there is none. Without a surface, numbers have
// 16 bits. The same fields give the same bytes.
void write_vdb(const std::string& path, const VolumeLayer& layer);

}  // namespace coracle
