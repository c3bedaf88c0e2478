// A background thread that runs tasks in the order in which they were given.
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
  ~Background();  // waits for all tasks
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void later(std::function<void()> task);
  // Waits for all tasks. Rethrows the exception of the first task that failed; later tasks are not started.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool busy_ = false, stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace coracle
