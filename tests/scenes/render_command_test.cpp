// coracle render as a program: files, exit codes, words.
#include "../out/temporary_directory.h"
#include "coracle/show/picture.h"
#include "program.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

class RenderCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir = new TemporaryDirectory;
    write_atomically(*dir / "scene.toml",
                     "[domain]\nresolution = 8\n[time]\nframes = 3\nfps = 50\n[[body]]\nname = 'cube'\nshape = "
                     "'box'\ncenter = [0.5, 0.6, 0.5]\nsize = [0.3, 0.3, 0.3]\nmesh = 'grid6'\n");
    if (program_is_there()) coracle("run -q " + *dir / "scene.toml" + " -o " + *dir / "run");
  }
  static void TearDownTestSuite() { delete dir; }
  void SetUp() override {
    if (!program_is_there()) GTEST_SKIP() << "no program beside the tests";
  }
  static Said render(const std::string& arguments, const std::string& before = "") {
    const bool sized = arguments.find("--size") != std::string::npos;
    return coracle("render " + *dir / "run" + (sized ? "" : " --size 48x27") + " --samples 1 " + arguments, before);
  }
  static TemporaryDirectory* dir;
};
TemporaryDirectory* RenderCommand::dir = nullptr;

TEST_F(RenderCommand, makes_one_picture_or_a_folder_of_them) {
  const Said one = render("-o " + *dir / "a.png");
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_TRUE(one.has("1 picture in")) << one.text;
  EXPECT_EQ(read_png(*dir / "a.png").width, 48);
  EXPECT_EQ(render("-q --frame 1:2 -o " + *dir / "some/").code, 0);
  EXPECT_EQ(files_in(*dir / "some").size(), 2);
  EXPECT_EQ(render("-q --frame 3 --color von_mises --range 0:10").code, 0);
  EXPECT_TRUE(std::filesystem::exists(*dir / "run/render.png"));
}

TEST_F(RenderCommand, makes_a_film_or_says_what_is_missing) {
  const Said without = render("-o " + *dir / "a.mp4", "PATH=/nowhere");
  EXPECT_EQ(without.code, 2);
  EXPECT_TRUE(without.has("apt-get install ffmpeg") && without.has("-o folder/")) << without.text;
  EXPECT_FALSE(std::filesystem::exists(*dir / "a.mp4"));
  if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "no ffmpeg";
  const Said film = render("-o " + *dir / "b.mp4" + " --size 49x27");  // an odd side, too
  EXPECT_EQ(film.code, 0) << film.text;
  const std::string bytes = read_file(*dir / "b.mp4");
  EXPECT_EQ(bytes.substr(4, 4), "ftyp");
  EXPECT_EQ(render("-o " + *dir / "none/c.mp4").code, 2) << "nowhere to write to";
}

TEST_F(RenderCommand, bad_arguments_exit_with_2_and_name_the_remedy) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Said said = render(arguments);
    EXPECT_EQ(said.code, 2) << arguments << "\n" << said.text;
    EXPECT_TRUE(said.has(words)) << arguments << "\n" << said.text;
  };
  const std::string png = "-o " + *dir / "x.png ";
  refused(png + "--frame 99", "--frame 99: is not there; there are frames 0 to 3");
  refused(png + "--frame 2:1", "must be a frame");
  refused(png + "--frame two", "must be a frame");
  refused(png + "--frame 0:2", "one picture for 3 frames; give a folder/ or a .mp4 file");
  refused("-o " + *dir / "x.gif", "must end with .png, with .mp4, or with /");
  refused(png + "--color sped", "did you mean 'speed'?");
  refused(png + "--color film", "only solids with a [solid.skin] carry film");
  refused(png + "--color speed --show tets", "leave out --color or --show");
  refused(png + "--show atoms", "is none of particles, cut_cells, tets");
  refused(png + "--preset fnal", "did you mean 'final'?");
  refused(png + "--size 0x9", "such as 1920x1080");
  refused(png + "--color speed --range 3:1", "the lower first");
  refused(png + "--set camera.fov=1000", "at most 150");
  refused(png + "--set time.fps=3", "only camera and look");
  refused(png + "--set look.tnak=none", "did you mean 'tank'?");
  EXPECT_FALSE(std::filesystem::exists(*dir / "x.png"));
}

TEST_F(RenderCommand, what_a_run_does_not_hold_is_said_with_the_remedy) {
  const Said particles = render("--show particles -o " + *dir / "x.png");
  EXPECT_EQ(particles.code, 2);
  EXPECT_TRUE(particles.has("--set output.particles=true")) << particles.text;
  const Said nowhere = render("-o " + *dir / "scene.toml/x.png");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_TRUE(nowhere.has("scene.toml/x.png")) << nowhere.text;
  const Said no_run = coracle("render " + *dir / "nothing" + " -o x.png");
  EXPECT_EQ(no_run.code, 2);
  EXPECT_TRUE(no_run.has("holds no run")) << no_run.text;
}

}  // namespace
}  // namespace coracle
