// Nodes that move with other nodes: vertices of rigid bodies, and nodes that the scene ties to another body.
#pragma once

#include "coracle/world.h"

#include <vector>

namespace coracle {

// The nodes that [[attachment]]s tie, numbered as by first_nodes(), with leaders that follow none. Throws SceneError.
std::vector<Follower> build_ties(const Scene& scene, const std::vector<Body>& bodies);

// The points of a body's own attachments: the nodes there must be free to be tied.
std::vector<Vec3> tied_points(const Scene& scene, const std::string& body);

// The node of a body nearest to a point at rest; of rigid bodies, of their skin.
int nearest_node(const BodyRest& rest, const Vec3& point);

// Per body: the first of all bodies that ties connect it with; itself if it is not tied.
std::vector<int> tied_groups(const World& world);

// Those of all bodies and the ties, sorted by node, numbered as by first_nodes(). No leader follows.
std::vector<Follower> all_followers(const World& world);

}  // namespace coracle
