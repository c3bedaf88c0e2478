// What a cell's particles bring to the samples around it, the nine pairs r = y + 3 z along two axes a lane each.
#pragma once

#include "coracle/base/simd.h"

namespace coracle {

inline constexpr int pairs = 9;

// Places of the pairs' samples along the two axes, in cells from the cell's lower corner; the lanes left over are out
// of reach.
inline constexpr float out_of_reach = 9;
inline constexpr Float16 place_b{-0.5,         0.5,          1.5,          -0.5,         0.5,          1.5,
                                 -0.5,         0.5,          1.5,          out_of_reach, out_of_reach, out_of_reach,
                                 out_of_reach, out_of_reach, out_of_reach, out_of_reach};
inline constexpr Float16 place_d{-0.5,         -0.5,         -0.5,         0.5,          0.5,          0.5,
                                 1.5,          1.5,          1.5,          out_of_reach, out_of_reach, out_of_reach,
                                 out_of_reach, out_of_reach, out_of_reach, out_of_reach};

}  // namespace coracle
