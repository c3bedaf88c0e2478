#include "coracle/show/movie.h"

#include "coracle/base/files.h"
#include "coracle/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <vector>

namespace coracle {
namespace {

std::string part(const std::string& path) { return path + ".part"; }

RunError failed(const std::string& path) {
  return RunError(
      fmt::format("ffmpeg could not write {}; see its message above. For pictures instead: -o folder/", path));
}

}  // namespace

Movie::Movie(std::string path, int width, int height, double fps) : path_(std::move(path)) {
  std::signal(SIGPIPE, SIG_IGN);  // a write then fails with EPIPE instead
  // H.264 for all players needs an even width and height.
  const std::vector<std::string> words = {"ffmpeg",
                                          "-nostdin",
                                          "-v",
                                          "error",
                                          "-y",
                                          "-f",
                                          "rawvideo",
                                          "-pix_fmt",
                                          "rgb24",
                                          "-s",
                                          fmt::format("{}x{}", width, height),
                                          "-r",
                                          fmt::format("{}", fps),
                                          "-i",
                                          "-",
                                          "-vf",
                                          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                          "-c:v",
                                          "libx264",
                                          "-crf",
                                          "18",
                                          "-pix_fmt",
                                          "yuv420p",
                                          "-movflags",
                                          "+faststart",
                                          "-f",
                                          "mp4",
                                          part(path_)};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) file_error("open a pipe for", path_, errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  const int error = posix_spawnp(&child_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  pipe_ = ends[1];
  if (error == 0) return;
  child_ = -1;
  close(pipe_);
  throw RunError(
      fmt::format("cannot make {}: ffmpeg is not on the PATH; install it (Debian: apt-get install ffmpeg), or write "
                  "pictures instead: -o folder/",
                  path_));
}

Movie::~Movie() {
  if (child_ < 0) return;
  end();
  std::remove(part(path_).c_str());
}

bool Movie::end() {
  close(pipe_);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status == 0;
}

void Movie::add(const Picture& picture) {
  for (std::size_t done = 0; done < picture.rgb.size();) {
    const ssize_t n = write(pipe_, picture.rgb.data() + done, picture.rgb.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failed(path_);
    done += std::size_t(n);
  }
}

void Movie::finish() {
  const std::string from = part(path_);
  if (end() && std::rename(from.c_str(), path_.c_str()) == 0) return;
  std::remove(from.c_str());
  throw failed(path_);
}

}  // namespace coracle
