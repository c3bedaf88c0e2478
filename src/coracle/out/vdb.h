// Everything that goes through OpenVDB: the liquid's surface as triangles, and volumes for renderers.
#pragma once

#include "coracle/grid.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world.h"

#include <string>

namespace coracle {

// The surface φ = 0 of a cell-centred distance field (m, negative inside), closed at the walls of the domain.
TriMesh surface_mesh(const Grid& grid, const Array3<float>& phi);

// A level set "surface" (narrow band of ±3 dx) and a staggered vector grid "velocity" where φ < 3 dx.
// The same fields give the same bytes.
void write_vdb(const std::string& path, const Grid& grid, const Array3<double>& phi, const FaceField<double>& u);

// Fog volumes "density" (the smoke) and "temperature" (K above the surroundings) where there is any, and a staggered
// vector grid "velocity" everywhere; 16-bit numbers.
void write_gas_vdb(const std::string& path, const Grid& grid, const Gas& gas, const FaceField<double>& u);

}  // namespace coracle
