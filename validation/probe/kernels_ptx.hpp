#pragma once
// What the probe runs on a GPU (kernels.cu), as text that the driver compiles for the GPU at hand.

namespace spineleaf::probe {

/// PTX 6.3 for sm_70: every driver since CUDA 10 takes it, for Volta and later.
const char* kernels_ptx();

}  // namespace spineleaf::probe
