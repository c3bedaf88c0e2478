// A film: pictures handed to ffmpeg, a program of its own, through a pipe.
#pragma once

#include "coracle/show/picture.h"

#include <sys/types.h>

#include <string>

namespace coracle {

class Movie {
 public:
  // RunError where there is no ffmpeg; it names the remedy.
  Movie(std::string path, int width, int height, double fps);
  ~Movie();  // without finish(): leaves no file
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  void add(const Picture& picture);
  // Wait until ffmpeg is done; the file has its name only then.
  void finish();

 private:
  // Close the pipe and wait; whether ffmpeg was content.
  bool end();

  std::string path_;
  int pipe_ = -1;
  pid_t child_ = -1;
};

}  // namespace coracle
