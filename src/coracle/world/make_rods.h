// Makes rods from nodes and segments.
//
// Bending acts between segments that continue each other. Where two segments meet, they do. Where more meet, in a net,
// segments are paired: the pair that is closest to a straight line first, then the next among the rest, as long as the
// turn is at most `most_turn`. A segment that is left over is hinged to the node.
#pragma once

#include "coracle/body.h"

#include <vector>

namespace coracle {

inline constexpr double most_turn = 0.7853981633974483;  // 45°: of segments that continue each other in a net

// Three nodes per bend.
std::vector<Vec3i> continuing_segments(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments);

// The nodes before, at and after every bend must be those of two segments. Throws std::runtime_error with a reason if
// they are not, or if a segment has no length or a bend is folded onto itself.
Rods make_rods(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments,
               const std::vector<Vec3i>& bends);
// The same with continuing_segments().
Rods make_rods(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments);

// Half of ρ π r² L to each end, kg, per node.
std::vector<double> lumped_mass(const Rods& rods, std::size_t nodes, const BodyOptions& options);

}  // namespace coracle
