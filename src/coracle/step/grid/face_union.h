// The open part of faces that several solids fill in part.
//
// The sections of the solids with the face's plane are polygons. Between the heights of their corners and crossings
// the length that they cover together is linear in the height: its value in the middle gives the exact area.
#pragma once

#include "coracle/step/grid/solid_field.h"

namespace coracle {

// Set cut.open of the faces to what the union of all solids leaves of them. `cut.patches` must be those of the solids,
// sorted by cell. A face keeps its value where a section does not have the area that the solid's cut says: there a
// surface passes through itself.
void open_by_union(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                   const std::vector<FaceId>& faces, Boundary& cut);

}  // namespace coracle
