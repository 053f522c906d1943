#pragma once
// make_kind ties a parameter struct, its table and a typed build function into a TopologyKind;
// join puts the declarations that kinds share beside their own.

#include <array>
#include <memory>
#include <string_view>

#include "topologies/registry.hpp"

namespace spineleaf {

template <class Params, BuildResult (*Build)(const Params&)>
constexpr TopologyKind make_kind(std::string_view name, std::string_view text, ParamTable table) {
  return {name, text, table, []() -> std::shared_ptr<void> { return std::make_shared<Params>(); },
          [](const void* params) { return Build(*static_cast<const Params*>(params)); }};
}

template <std::size_t M, std::size_t N>
constexpr std::array<ParamDecl, M + N> join(const std::array<ParamDecl, M>& first,
                                            const std::array<ParamDecl, N>& second) {
  std::array<ParamDecl, M + N> all{};
  for (std::size_t i = 0; i < M; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < N; ++i) all[M + i] = second[i];
  return all;
}

}  // namespace spineleaf
