// A point in a message.
#pragma once

#include "coracle/types.h"

#include <fmt/format.h>

#include <string>

namespace coracle {

// "(0.1, 0.25, 0)"
inline std::string point_text(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

}  // namespace coracle
