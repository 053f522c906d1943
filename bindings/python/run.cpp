// Running a scenario without the interpreter's lock. Now and then the run comes back to Python, to
// tell how far it is and to look for Ctrl-C.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include "bindings/python/module.hpp"
#include "scenarios/run.hpp"

namespace spineleaf::python {

namespace {

/// What the run asks of Python. What is raised there ends the run and is kept for afterwards: it
/// must not pass through the simulator.
class Interpreter {
 public:
  Interpreter(py::object progress, py::object observer)
      : progress_(std::move(progress)), observer_(std::move(observer)) {}

  const std::atomic<bool>& stopped() const { return stopped_; }
  const py::object& raised() const { return raised_; }

  void show(const Progress& progress) {
    ask([&] {
      if (progress_.is_none()) return;
      progress_(progress.simulated.microseconds(), progress.share, progress.wall_seconds,
                progress.eta_seconds);
    });
  }

  /// The observer gets arrays of its own, which it may keep.
  void show(Time at, const std::vector<LinkSample>& links) {
    if (stopped_) return;
    ask([&] {
      py::array_t<std::int64_t> queued(static_cast<py::ssize_t>(links.size()));
      py::array_t<std::int64_t> sent(static_cast<py::ssize_t>(links.size()));
      py::array_t<bool> held(static_cast<py::ssize_t>(links.size()));
      for (std::size_t i = 0; i < links.size(); ++i) {
        queued.mutable_data()[i] = links[i].queued;
        sent.mutable_data()[i] = links[i].sent;
        held.mutable_data()[i] = links[i].held;
      }
      observer_(at.microseconds(), queued, sent, held);
    });
  }

 private:
  template <class Question>
  void ask(const Question& question) {
    const py::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      question();
    } catch (py::error_already_set& error) {
      if (!stopped_.exchange(true)) raised_ = error.value();
    }
  }

  py::object progress_;
  py::object observer_;
  py::object raised_ = py::none();
  std::atomic<bool> stopped_{false};
};

unsigned usable_threads(std::int64_t wanted) {
  return wanted > 0 ? static_cast<unsigned>(wanted)
                    : std::max(1U, std::thread::hardware_concurrency());
}

py::tuple run(const CompiledScenario& scenario, std::optional<std::uint64_t> seed,
              std::optional<std::int64_t> threads, const py::object& progress,
              const py::object& observer) {
  if (!observer.is_none() && scenario.spec->run.sample_every == Time{0}) {
    throw py::value_error("an observer is called every run.sample_every, which is 0");
  }
  Interpreter interpreter(progress, observer);
  RunOptions options;
  options.seed = seed;
  options.threads = usable_threads(threads.value_or(scenario.spec->run.threads));
  options.interrupt = &interpreter.stopped();
  options.record = true;
  options.progress = [&interpreter](const Progress& now) { interpreter.show(now); };
  if (!observer.is_none()) {
    options.observe = [&interpreter](Time at, const std::vector<LinkSample>& links) {
      interpreter.show(at, links);
    };
  }
  auto finished = std::make_shared<FinishedRun>();
  {
    const py::gil_scoped_release released;
    // The lock file must name the seed that ran.
    ValidSpec spec = *scenario.spec;
    if (seed) spec.run.seed = static_cast<std::int64_t>(*seed);
    finished->spec = std::make_shared<const ValidSpec>(std::move(spec));
    finished->result = run_world(*finished->spec, options);
  }
  return py::make_tuple(finished, interpreter.raised());
}

}  // namespace

void add_run(py::module_& module) {
  module.def("run", &run, py::arg("scenario"), py::arg("seed"), py::arg("threads"),
             py::arg("progress"), py::arg("observer"));
}

}  // namespace spineleaf::python
