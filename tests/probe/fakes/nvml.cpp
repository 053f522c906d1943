// NVML for as many GPUs as FAKE_GPUS says, 18 NVLinks each; link 7 of GPU 3 is down where
// FAKE_NVLINK_DOWN is set.

#include <cstdio>

#include "tests/probe/fakes/plan.hpp"

namespace {

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

char handles[64];

int index_of(void* handle) { return static_cast<int>(static_cast<char*>(handle) - handles); }

int write_text(char* text, unsigned size, const char* form, int number) {
  std::snprintf(text, size, form, number);
  return 0;
}

}  // namespace

FAKE_API int nvmlInit_v2() { return fake::fails("nvmlInit") ? 9 : 0; }
FAKE_API int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return write_text(text, size, "550.%d", 54);
}
FAKE_API int nvmlDeviceGetCount_v2(unsigned* count) {
  return *count = static_cast<unsigned>(fake::gpus()), 0;
}
FAKE_API int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  if (fake::fails("nvmlDeviceGetHandleByIndex") && index == 2) return 15;
  return *handle = &handles[index], 0;
}
FAKE_API int nvmlDeviceGetName(void*, char* text, unsigned size) {
  return write_text(text, size, "Imaginary GPU %d", 80);
}
FAKE_API int nvmlDeviceGetUUID(void* handle, char* text, unsigned size) {
  return write_text(text, size, "GPU-5ec2e7-%d", index_of(handle));
}
FAKE_API int nvmlDeviceGetSerial(void* handle, char* text, unsigned size) {
  return write_text(text, size, "16500%d", index_of(handle));
}
FAKE_API int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info) {
  std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0", 0x10 + index_of(handle));
  return 0;
}
FAKE_API int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* value) { return *value = 5, 0; }
FAKE_API int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* value) { return *value = 5, 0; }
FAKE_API int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* value) { return *value = 16, 0; }
FAKE_API int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* value) { return *value = 16, 0; }
FAKE_API int nvmlDeviceGetNvLinkState(void* handle, unsigned link, int* state) {
  if (link >= 18) return 2;
  *state = fake::setting("FAKE_NVLINK_DOWN").empty() || index_of(handle) != 3 || link != 7;
  return 0;
}
FAKE_API int nvmlDeviceGetTopologyCommonAncestor(void*, void*, int* level) {
  return *level = 50, 0;
}
FAKE_API int nvmlDeviceGetP2PStatus(void*, void*, int, int* status) { return *status = 0, 0; }
FAKE_API const char* nvmlErrorString(int) { return "GPU is lost"; }
