// A film: pictures go through a pipe to the program ffmpeg.
#pragma once

#include "coracle/show/picture.h"

#include <sys/types.h>

#include <string>

namespace coracle {

class Movie {
 public:
  // RunError with the remedy if ffmpeg is not installed.
  Movie(std::string path, int width, int height, double fps);
  ~Movie();  // without finish(): leaves no file
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  void add(const Picture& picture);
  // Waits until ffmpeg is done; only then does the file have its name.
  void finish();

 private:
  // Closes the pipe and waits; returns whether ffmpeg succeeded.
  bool end();

  std::string path_;
  int pipe_ = -1;
  pid_t child_ = -1;
};

}  // namespace coracle
