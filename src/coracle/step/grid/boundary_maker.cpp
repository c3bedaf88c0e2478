#include "coracle/step/grid/exact_boundary.h"
#include "coracle/step/grid/voxel_boundary.h"

namespace coracle {

MakeBoundary boundary_maker(Method method) { return method == Method::simultaneous ? voxel_boundary : exact_boundary; }

}  // namespace coracle
