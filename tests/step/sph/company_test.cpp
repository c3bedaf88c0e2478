#include "coracle/step/sph/company.h"

#include "tests/step/sph/tank.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// A sheet was expected to stay, but passes a particle far above it, and one beside a side falls against it.
TEST(Company, what_comes_near_or_passes_unexpectedly_is_found_afterwards) {
  Tank t(
      "method = 'proxy'\n[domain]\nmax = [0.4, 0.4, 0.4]\n[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = "
      "'rectangle'\nalong = [0.2, 0, 0]\nacross = [0, 0, -0.2]\ncenter = [0.2, 0.2, 0.2]\nshell_thickness = "
      "0.001\nedge = 0.05\n",
      0.02, Vec3::Zero(), Vec3::Zero());
  ContactMesh mesh = make_contact_mesh(t.world, 0);
  const std::vector<Vec3> from = contact_positions(mesh, t.world, t.world.bodies[0].x);
  std::vector<Vec3> to = from;
  const std::vector<Vec3> x{Vec3(0.2, 0.26, 0.2), Vec3(0.2, 0.36, 0.2), Vec3(0.05, 0.1, 0.2), Vec3(0.2, 0.205, 0.2)};
  std::vector<Vec3> v(x.size(), Vec3::Zero());
  const std::vector<std::uint8_t> held(x.size(), 0);
  const double reach = 0.01, dt = 0.01;
  const auto ways = [&](const std::vector<Vec3>& end) {
    return Ways{.x = x, .v = v, .dt = dt, .from = from, .to = end, .held = held};
  };
  std::vector<Company> company = find_company(mesh, ways(to), 1.5 * reach);
  EXPECT_EQ(company[0].kind, Company::none);
  EXPECT_EQ(company[2].kind, Company::none);
  EXPECT_EQ(company[3].kind, Company::bodies);
  EXPECT_EQ(add_missed(mesh, ways(to), reach, company), 0u);

  for (Vec3& p : to) p.y() += 0.1;
  v[2].x() = -4.5;
  EXPECT_EQ(add_missed(mesh, ways(to), reach, company), 2u);
  EXPECT_EQ(company[0].kind, Company::bodies) << "it was passed";
  EXPECT_EQ(company[1].kind, Company::none);
  EXPECT_EQ(company[2].kind, Company::given) << "it is beside a side now";
  EXPECT_EQ(add_missed(mesh, ways(to), reach, company), 0u);
}

}  // namespace
}  // namespace coracle
