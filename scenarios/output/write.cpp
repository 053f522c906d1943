#include "scenarios/output/write.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "scenarios/output/report_html.hpp"
#include "scenarios/output/summary_json.hpp"
#include "scenarios/output/tables.hpp"

namespace spineleaf {
namespace {

std::string problem(const std::filesystem::path& path, const std::error_code& error) {
  return "can't write " + path.string() + ": " + error.message();
}

std::error_code last_error() { return {errno == 0 ? EIO : errno, std::generic_category()}; }

/// Every step is checked: a full disk shows only in the flush or the close.
std::error_code write_whole(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return last_error();
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const std::error_code error = written ? std::error_code{} : last_error();
  const bool closed = std::fclose(file) == 0;
  return !error && !closed ? last_error() : error;
}

/// Makes the folder, writes beside `path` and renames.
std::error_code put_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) return error;
  // The process number keeps two runs that write to one folder from mixing their halves.
  std::filesystem::path partial = path;
  partial += ".partial-" + std::to_string(::getpid());
  error = write_whole(partial, text);
  if (!error) std::filesystem::rename(partial, path, error);
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return error;
}

}  // namespace

std::string write_text_file(const std::filesystem::path& path, std::string_view text) {
  const std::error_code error = put_file(path, text);
  return error ? problem(path, error) : "";
}

std::string try_folder(const std::filesystem::path& directory) {
  const std::filesystem::path probe = directory / ("probe-" + std::to_string(::getpid()));
  const std::error_code error = put_file(probe, "probe");
  std::error_code ignored;
  if (!error) std::filesystem::remove(probe, ignored);
  return error ? problem(directory, error) : "";
}

std::vector<std::string> write_outputs(const Result& result, const std::string& lock_text,
                                       const std::filesystem::path& directory,
                                       const std::string& topology_svg) {
  std::vector<std::string> problems;
  const auto write = [&](const char* name, const std::string& text) {
    std::string text_of_problem = write_text_file(directory / name, text);
    if (!text_of_problem.empty()) problems.push_back(std::move(text_of_problem));
  };
  // An old summary must not vouch for a set that is only half replaced.
  std::error_code ignored;
  std::filesystem::remove(directory / "summary.json", ignored);
  if (!lock_text.empty()) write("scenario.lock.json", lock_text);
  write("flows.csv", flows_csv(result));
  write("collectives.csv", collectives_csv(result));
  write("links.csv", links_csv(result));
  write("port_classes.csv", port_classes_csv(result));
  write("series.csv", series_csv(result));
  write("waits.csv", waits_csv(result));
  ReportInput report;
  report.title = result.name;
  report.runs = {&result};
  report.topology_svg = topology_svg;
  write("report.html", report_html(report));
  if (problems.empty()) write("summary.json", summary_json(result));
  return problems;
}

}  // namespace spineleaf
