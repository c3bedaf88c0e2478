// One thread beside the others that does what it is given, in order.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace coracle {

class Background {
 public:
  Background();
  ~Background();  // after all that was given to it
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void later(std::function<void()> task);
  // Until all is done. Throws what the first failing task threw; those given after it are not begun.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool busy_ = false, ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace coracle
