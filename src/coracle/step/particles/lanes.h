// Sums of a cell's particles for the samples around it: one lane per pair r = y + 3 z of samples along two axes.
#pragma once

#include "coracle/base/simd.h"

namespace coracle {

inline constexpr int pair_count = 9;

// Positions of the pairs' samples along the two axes, in cells from the cell's lower corner; unused lanes are out of
// reach.
inline constexpr float out_of_reach = 9;
inline constexpr Float16 place_b{-0.5,         0.5,          1.5,          -0.5,         0.5,          1.5,
                                 -0.5,         0.5,          1.5,          out_of_reach, out_of_reach, out_of_reach,
                                 out_of_reach, out_of_reach, out_of_reach, out_of_reach};
inline constexpr Float16 place_d{-0.5,         -0.5,         -0.5,         0.5,          0.5,          0.5,
                                 1.5,          1.5,          1.5,          out_of_reach, out_of_reach, out_of_reach,
                                 out_of_reach, out_of_reach, out_of_reach, out_of_reach};

}  // namespace coracle
