#include "coracle/base/memory.h"

#include "../out/temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

// Folders of control groups as the system shows them.
struct Groups {
  TemporaryDirectory mount;
  void write(const std::string& group, const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(mount.path / group);
    write_atomically((mount.path / group / file).string(), text + "\n");
  }
  double left(const std::string& of) const { return left_in_groups(of, mount.path.string()); }
};

TEST(Memory, this_machine_has_some) { EXPECT_GT(available_memory(), 1e7); }

TEST(Memory, a_group_leaves_its_limit_less_what_is_used_and_cached_files_are_not) {
  const Groups groups;
  groups.write("job", "memory.max", "1000");
  groups.write("job", "memory.current", "400");
  groups.write("job", "memory.stat", "anon 250\nfile 150\ninactive_file 100\nactive_file 50");
  EXPECT_EQ(groups.left("0::/job\n"), 1000 - (400 - 150));
}

TEST(Memory, the_limit_of_a_group_holds_for_those_below_it) {
  const Groups groups;
  groups.write("job", "memory.max", "1000");
  groups.write("job", "memory.current", "400");
  groups.write("job/step", "memory.max", "max");
  groups.write("job/step", "memory.current", "300");
  EXPECT_EQ(groups.left("0::/job/step\n"), 600);
  groups.write("job/step", "memory.max", "350");
  EXPECT_EQ(groups.left("0::/job/step\n"), 50);
  EXPECT_EQ(groups.left("0::/job\n"), 600);
}

TEST(Memory, version_1_has_a_folder_for_memory_and_other_names) {
  const Groups groups;
  groups.write("memory/job", "memory.limit_in_bytes", "1000");
  groups.write("memory/job", "memory.usage_in_bytes", "400");
  groups.write("memory/job", "memory.stat", "inactive_file 1\ntotal_inactive_file 100");
  EXPECT_EQ(groups.left("5:cpu,cpuacct:/other\n4:memory:/job\n0::/\n"), 700);
}

TEST(Memory, a_container_sees_its_group_as_the_top_one) {
  const Groups groups;
  groups.write("", "memory.max", "1000");
  groups.write("", "memory.current", "1200");
  EXPECT_EQ(groups.left("0::/kubepods/a/b\n"), 0) << "of the path only the top is there; nothing is left";
}

TEST(Memory, without_a_limit_groups_leave_everything) {
  const Groups groups;
  groups.write("job", "memory.max", "max");
  groups.write("job", "memory.current", "400");
  for (const char* text : {"0::/job\n", "0::/\n", "3:cpu:/job\n", "nonsense\n", ""})
    EXPECT_TRUE(std::isinf(groups.left(text))) << text;
}

}  // namespace
}  // namespace coracle
