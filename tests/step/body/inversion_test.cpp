// Elements that are turned inside out, through whole steps.
#include "coracle/error.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using validation::run_text;

// A soft ring thrown at 30 m/s into water.
std::string ring(const std::string& more) {
  return "[domain]\nresolution = 20\n[time]\nfps = 100\nframes = 6\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, "
         "0]\nmax = [1, 0.5, 1]\n[[body]]\nname = 'ring'\nshape = 'torus'\ncenter = [0.5, 0.65, 0.5]\nradius = "
         "0.2\ntube = 0.08\nedge = 0.08\nvelocity = [0, -30, 0]\nyoung = 2e4\ndensity = 500\n" +
         more;
}

TEST(Inversion, a_ring_thrown_at_30_m_s_into_water_goes_on_and_gains_no_energy) {
  double first = 0, most = 0, last = 0;
  run_text(ring(""), "ring", [&](const StepReport& r, const World&, const Workspace&) {
    const double e = r.liquid().kinetic_energy + r.liquid().potential_energy + r.bodies[0].kinetic_energy +
                     r.bodies[0].elastic_energy + 9.81 * 500 * r.bodies[0].volume * r.bodies[0].center.y();
    if (first == 0) first = e;
    most = std::max(most, e);
    last = r.time;
  });
  EXPECT_NEAR(last, 0.06, 1e-9);
  EXPECT_LT(most, 1.01 * first);
}

TEST(Inversion, a_material_that_does_not_allow_it_is_named_with_element_and_remedy) {
  try {
    run_text(ring("material = 'neo_hookean'\n"), "ring", [](const StepReport&, const World&, const Workspace&) {});
    ADD_FAILURE() << "the step should fail";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(" of 'ring' near ("), std::string::npos) << text;
    EXPECT_NE(text.find("elastic.newton = true"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace coracle
