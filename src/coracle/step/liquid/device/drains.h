// What outflows take, at a place (flows.h).
#pragma once

#include "coracle/shape/region.h"
#include "coracle/shape/region_view.h"
#include "coracle/step/liquid/device/state.h"

#include <cstdint>
#include <vector>

namespace coracle {

// Regions where kernels can read them; made once.
template <class Place>
struct PlacedRegions {
  template <class T>
  using Array = typename Place::template Array<T>;
  struct Tree {
    Array<TreeNode> nodes;
    Array<TreeTri> tris;
  };

  Array<RegionStep> steps;
  std::vector<int> first;              // step of every region; one entry more than regions
  std::vector<Tree> trees;             // of meshes
  std::vector<const Region*> by_host;  // those that have no steps
  Array<std::uint32_t> chosen;         // memory of mark_drained
  Array<Vec3> x;
  Array<std::uint8_t> answers;
  std::vector<Vec3> host_x;
  std::vector<std::uint8_t> host_answers;
};

// The regions must outlive what is made of them.
template <class Place>
void place_regions(Place& place, const std::vector<Region>& regions, PlacedRegions<Place>& placed) {
  std::vector<RegionStep> all;
  placed.first.assign(1, 0);
  placed.trees.clear(), placed.by_host.clear();
  for (const Region& region : regions) {
    std::vector<RegionStep> steps;
    if (!region.steps(steps)) {
      placed.by_host.push_back(&region);
      continue;
    }
    for (RegionStep& step : steps) {
      if (step.tree.count == 0) continue;
      typename PlacedRegions<Place>::Tree& tree = placed.trees.emplace_back();
      const TreeView from = step.tree;
      std::size_t tris = 0;
      for (int n = 0; n < from.count; ++n) tris += std::size_t(from.nodes[n].count);
      place.upload(from.nodes, std::size_t(from.count), tree.nodes);
      place.upload(from.tris, tris, tree.tris);
      step.tree = {tree.nodes.data(), tree.tris.data(), from.count};
    }
    all.insert(all.end(), steps.begin(), steps.end());
    placed.first.push_back(int(all.size()));
  }
  place.upload(all.data(), all.size(), placed.steps);
}

// gone: 1 for the particles in a region, else 0.
template <class Place>
void mark_drained(Place& place, PlacedRegions<Place>& regions, const PlacedParticles<Place>& particles,
                  typename Place::template Array<std::uint8_t>& gone) {
  gone.resize(particles.count);
  const Vec3* const x = particles.x.data();
  std::uint8_t* const marks = gone.data();
  place.clear(marks, particles.count);
  for (std::size_t r = 0; r + 1 < regions.first.size(); ++r) {
    const RegionStep* const steps = regions.steps.data() + regions.first[r];
    const int count = regions.first[r + 1] - regions.first[r];
    place.for_each(particles.count, [=] CORACLE_KERNEL(std::size_t p) {
      if (!marks[p]) marks[p] = steps_contain(steps, count, x[p]);
    });
  }
  // The host decides for those within the bounds of a region that only it knows.
  for (const Region* region : regions.by_host) {
    const Vec3 lo = region->bounds().lo, hi = region->bounds().hi;
    const std::size_t count = place.select(
        particles.count,
        [=] CORACLE_KERNEL(std::size_t p) {
          return (x[p].array() >= lo.array()).all() && (x[p].array() <= hi.array()).all();
        },
        regions.chosen);
    if (count == 0) continue;
    regions.x.resize(count);
    const std::uint32_t* const chosen = regions.chosen.data();
    Vec3* const near = regions.x.data();
    place.for_each(count, [=] CORACLE_KERNEL(std::size_t i) { near[i] = x[chosen[i]]; });
    regions.host_x.resize(count), regions.host_answers.resize(count);
    place.download(near, count, regions.host_x.data());
    for_each_index(
        count, [&](std::size_t i) { regions.host_answers[i] = region->contains(regions.host_x[i]); }, 256);
    place.upload(regions.host_answers.data(), count, regions.answers);
    const std::uint8_t* const answers = regions.answers.data();
    place.for_each(count, [=] CORACLE_KERNEL(std::size_t i) {
      if (answers[i]) marks[chosen[i]] = 1;
    });
  }
}

}  // namespace coracle
