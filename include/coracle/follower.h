// A node that moves with others: its velocity is the weighted sum of theirs. The vertices of a rigid body follow its
// four leading nodes, and a node that is tied to another body follows nodes of that body. Where these follow in turn,
// all_followers() (world/ties.h) names the nodes that lead in the end.
#pragma once

#include <vector>

namespace coracle {

struct Follower {
  int node = -1;
  std::vector<int> leaders;
  std::vector<double> weights;  // their sum is 1
};

}  // namespace coracle
