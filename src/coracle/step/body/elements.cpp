// Calls the functions of the kind of a body's elements, for everything that moves a body.
#include "coracle/step/body/elements.h"

#include "coracle/step/body/quadratic_tets.h"
#include "coracle/step/body/rigid.h"
#include "coracle/step/body/rods.h"
#include "coracle/step/body/shells.h"
#include "coracle/step/body/tets.h"

namespace coracle {

double elastic_energy(const Body& body, const std::vector<Vec3>& x) {
  return std::visit([&](const auto& kind) { return elastic_energy(*body.rest, kind, x); }, body.rest->elements);
}

void add_elastic_gradient(const Body& body, const std::vector<Vec3>& x, int first, std::vector<Vec3>& gradient) {
  std::visit([&](const auto& kind) { add_elastic_gradient(*body.rest, kind, x, first, gradient); },
             body.rest->elements);
}

void add_pairs(const Body& body, int first, NodePairs& pairs) {
  std::visit([&](const auto& kind) { add_pairs(kind, first, pairs); }, body.rest->elements);
}

ElementSlots element_slots(const Body& body, int first, const BlockSolver& matrix) {
  return std::visit([&](const auto& kind) { return element_slots(kind, first, matrix); }, body.rest->elements);
}

void add_stiffness(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                   const ElementSlots& slots, BlockSolver& matrix) {
  std::visit([&](const auto& kind) { add_stiffness(*body.rest, kind, x, how, scale, first, slots, matrix); },
             body.rest->elements);
}

void add_stiffness_times(const Body& body, const std::vector<Vec3>& x, Linearisation how, double scale, int first,
                         const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  std::visit([&](const auto& kind) { add_stiffness_times(*body.rest, kind, x, how, scale, first, w, y); },
             body.rest->elements);
}

}  // namespace coracle
