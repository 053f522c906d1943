// kernels.cu as PTX: made by nvcc, not written by hand. kernels.cu says how.

#include "validation/probe/kernels_ptx.hpp"

namespace spineleaf::probe {

namespace {

constexpr const char* kPtx = R"PTX(
.version 6.3
.target sm_70
.address_size 64
.visible .entry spineleaf_empty()
{
  ret;
}
.visible .entry spineleaf_copy(
  .param .u64 spineleaf_copy_param_0,
  .param .u64 spineleaf_copy_param_1,
  .param .u64 spineleaf_copy_param_2
)
{
  .reg .pred   %p<5>;
  .reg .f32   %f<25>;
  .reg .b32   %r<21>;
  .reg .b64   %rd<46>;
  ld.param.u64   %rd19, [spineleaf_copy_param_0];
  ld.param.u64   %rd20, [spineleaf_copy_param_1];
  ld.param.u64   %rd18, [spineleaf_copy_param_2];
  cvta.to.global.u64   %rd1, %rd19;
  cvta.to.global.u64   %rd2, %rd20;
  mov.u32   %r1, %nctaid.x;
  cvt.u64.u32   %rd3, %r1;
  mov.u32   %r2, %ntid.x;
  cvt.u64.u32   %rd4, %r2;
  mul.wide.u32   %rd5, %r1, %r2;
  mov.u32   %r3, %ctaid.x;
  mul.wide.u32   %rd21, %r3, %r2;
  mov.u32   %r4, %tid.x;
  cvt.u64.u32   %rd22, %r4;
  add.s64   %rd44, %rd21, %rd22;
  mul.lo.s64   %rd7, %rd5, 3;
  add.s64   %rd23, %rd44, %rd7;
  setp.ge.u64   %p1, %rd23, %rd18;
  @%p1 bra   $L__BB1_3;
  mul.lo.s64   %rd24, %rd3, %rd4;
  shl.b64   %rd8, %rd24, 4;
  shl.b64   %rd25, %rd44, 4;
  add.s64   %rd43, %rd1, %rd25;
  neg.s64   %rd10, %rd24;
  shl.b64   %rd33, %rd10, 4;
$L__BB1_2:
  shl.b64   %rd26, %rd44, 4;
  add.s64   %rd27, %rd2, %rd26;
  shl.b64   %rd28, %rd5, 2;
  shl.b64   %rd29, %rd5, 4;
  add.s64   %rd30, %rd27, %rd29;
  ld.global.v4.f32   {%f1, %f2, %f3, %f4}, [%rd30];
  add.s64   %rd31, %rd30, %rd8;
  ld.global.v4.f32   {%f9, %f10, %f11, %f12}, [%rd31];
  add.s64   %rd32, %rd31, %rd8;
  ld.global.v4.f32   {%f17, %f18, %f19, %f20}, [%rd32];
  add.s64   %rd34, %rd30, %rd33;
  ld.global.v4.u32   {%r5, %r6, %r7, %r8}, [%rd34];
  st.global.v4.u32   [%rd43], {%r5, %r6, %r7, %r8};
  add.s64   %rd35, %rd43, %rd8;
  st.global.v4.f32   [%rd35], {%f1, %f2, %f3, %f4};
  add.s64   %rd36, %rd35, %rd8;
  st.global.v4.f32   [%rd36], {%f9, %f10, %f11, %f12};
  add.s64   %rd37, %rd36, %rd8;
  add.s64   %rd43, %rd37, %rd8;
  st.global.v4.f32   [%rd37], {%f17, %f18, %f19, %f20};
  add.s64   %rd44, %rd28, %rd44;
  add.s64   %rd38, %rd44, %rd7;
  setp.lt.u64   %p2, %rd38, %rd18;
  @%p2 bra   $L__BB1_2;
$L__BB1_3:
  setp.ge.u64   %p3, %rd44, %rd18;
  @%p3 bra   $L__BB1_5;
$L__BB1_4:
  shl.b64   %rd39, %rd44, 4;
  add.s64   %rd40, %rd2, %rd39;
  add.s64   %rd41, %rd1, %rd39;
  ld.global.v4.u32   {%r13, %r14, %r15, %r16}, [%rd40];
  st.global.v4.u32   [%rd41], {%r13, %r14, %r15, %r16};
  add.s64   %rd44, %rd44, %rd5;
  setp.lt.u64   %p4, %rd44, %rd18;
  @%p4 bra   $L__BB1_4;
$L__BB1_5:
  ret;
}
.visible .entry spineleaf_reduce(
  .param .u64 spineleaf_reduce_param_0,
  .param .u64 spineleaf_reduce_param_1,
  .param .u64 spineleaf_reduce_param_2,
  .param .u64 spineleaf_reduce_param_3
)
{
  .reg .pred   %p<5>;
  .reg .f32   %f<101>;
  .reg .b32   %r<5>;
  .reg .b64   %rd<54>;
  ld.param.u64   %rd25, [spineleaf_reduce_param_0];
  ld.param.u64   %rd26, [spineleaf_reduce_param_1];
  ld.param.u64   %rd27, [spineleaf_reduce_param_2];
  ld.param.u64   %rd24, [spineleaf_reduce_param_3];
  cvta.to.global.u64   %rd1, %rd25;
  cvta.to.global.u64   %rd2, %rd27;
  cvta.to.global.u64   %rd3, %rd26;
  mov.u32   %r1, %nctaid.x;
  cvt.u64.u32   %rd4, %r1;
  mov.u32   %r2, %ntid.x;
  cvt.u64.u32   %rd5, %r2;
  mul.wide.u32   %rd6, %r1, %r2;
  mov.u32   %r3, %ctaid.x;
  mul.wide.u32   %rd28, %r3, %r2;
  mov.u32   %r4, %tid.x;
  cvt.u64.u32   %rd29, %r4;
  add.s64   %rd52, %rd28, %rd29;
  mul.lo.s64   %rd8, %rd6, 3;
  add.s64   %rd30, %rd52, %rd8;
  setp.ge.u64   %p1, %rd30, %rd24;
  @%p1 bra   $L__BB2_3;
  shl.b64   %rd31, %rd52, 4;
  add.s64   %rd49, %rd3, %rd31;
  mul.lo.s64   %rd32, %rd4, %rd5;
  shl.b64   %rd10, %rd32, 4;
  add.s64   %rd50, %rd2, %rd31;
  add.s64   %rd51, %rd1, %rd31;
$L__BB2_2:
  ld.global.v4.f32   {%f1, %f2, %f3, %f4}, [%rd49];
  ld.global.v4.f32   {%f9, %f10, %f11, %f12}, [%rd50];
  add.s64   %rd33, %rd49, %rd10;
  ld.global.v4.f32   {%f17, %f18, %f19, %f20}, [%rd33];
  add.s64   %rd34, %rd50, %rd10;
  ld.global.v4.f32   {%f25, %f26, %f27, %f28}, [%rd34];
  add.s64   %rd35, %rd33, %rd10;
  ld.global.v4.f32   {%f33, %f34, %f35, %f36}, [%rd35];
  add.s64   %rd36, %rd34, %rd10;
  ld.global.v4.f32   {%f41, %f42, %f43, %f44}, [%rd36];
  add.s64   %rd37, %rd35, %rd10;
  add.s64   %rd49, %rd37, %rd10;
  ld.global.v4.f32   {%f49, %f50, %f51, %f52}, [%rd37];
  add.s64   %rd38, %rd36, %rd10;
  add.s64   %rd50, %rd38, %rd10;
  ld.global.v4.f32   {%f57, %f58, %f59, %f60}, [%rd38];
  add.f32   %f65, %f4, %f12;
  add.f32   %f66, %f3, %f11;
  add.f32   %f67, %f2, %f10;
  add.f32   %f68, %f1, %f9;
  st.global.v4.f32   [%rd51], {%f68, %f67, %f66, %f65};
  add.f32   %f69, %f20, %f28;
  add.f32   %f70, %f19, %f27;
  add.f32   %f71, %f18, %f26;
  add.f32   %f72, %f17, %f25;
  add.s64   %rd39, %rd51, %rd10;
  st.global.v4.f32   [%rd39], {%f72, %f71, %f70, %f69};
  add.f32   %f73, %f36, %f44;
  add.f32   %f74, %f35, %f43;
  add.f32   %f75, %f34, %f42;
  add.f32   %f76, %f33, %f41;
  add.s64   %rd40, %rd39, %rd10;
  st.global.v4.f32   [%rd40], {%f76, %f75, %f74, %f73};
  add.f32   %f77, %f52, %f60;
  add.f32   %f78, %f51, %f59;
  add.f32   %f79, %f50, %f58;
  add.f32   %f80, %f49, %f57;
  add.s64   %rd41, %rd40, %rd10;
  add.s64   %rd51, %rd41, %rd10;
  st.global.v4.f32   [%rd41], {%f80, %f79, %f78, %f77};
  shl.b64   %rd42, %rd6, 2;
  add.s64   %rd52, %rd42, %rd52;
  add.s64   %rd43, %rd52, %rd8;
  setp.lt.u64   %p2, %rd43, %rd24;
  @%p2 bra   $L__BB2_2;
$L__BB2_3:
  setp.ge.u64   %p3, %rd52, %rd24;
  @%p3 bra   $L__BB2_5;
$L__BB2_4:
  shl.b64   %rd44, %rd52, 4;
  add.s64   %rd45, %rd3, %rd44;
  ld.global.v4.f32   {%f81, %f82, %f83, %f84}, [%rd45];
  add.s64   %rd46, %rd2, %rd44;
  ld.global.v4.f32   {%f89, %f90, %f91, %f92}, [%rd46];
  add.f32   %f97, %f84, %f92;
  add.f32   %f98, %f83, %f91;
  add.f32   %f99, %f82, %f90;
  add.f32   %f100, %f81, %f89;
  add.s64   %rd47, %rd1, %rd44;
  st.global.v4.f32   [%rd47], {%f100, %f99, %f98, %f97};
  add.s64   %rd52, %rd52, %rd6;
  setp.lt.u64   %p4, %rd52, %rd24;
  @%p4 bra   $L__BB2_4;
$L__BB2_5:
  ret;
}
)PTX";

}  // namespace

const char* kernels_ptx() { return kPtx; }

}  // namespace spineleaf::probe
