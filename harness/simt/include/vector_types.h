// char1 ... double4 and dim3, with CUDA's sizes and alignments.
#pragma once

#define MSKB_VECTORS(prefix, type, align2, align4)                                          \
  struct prefix##1 {                                                                        \
    type x;                                                                                 \
  };                                                                                        \
  struct __attribute__((aligned(align2))) prefix##2 {                                       \
    type x, y;                                                                              \
  };                                                                                        \
  struct prefix##3 {                                                                        \
    type x, y, z;                                                                           \
  };                                                                                        \
  struct __attribute__((aligned(align4))) prefix##4 {                                       \
    type x, y, z, w;                                                                        \
  };                                                                                        \
  constexpr inline prefix##1 make_##prefix##1(type x) { return {x}; }                       \
  constexpr inline prefix##2 make_##prefix##2(type x, type y) { return {x, y}; }            \
  constexpr inline prefix##3 make_##prefix##3(type x, type y, type z) { return {x, y, z}; } \
  constexpr inline prefix##4 make_##prefix##4(type x, type y, type z, type w) { return {x, y, z, w}; }

MSKB_VECTORS(char, signed char, 2, 4)
MSKB_VECTORS(uchar, unsigned char, 2, 4)
MSKB_VECTORS(short, short, 4, 8)
MSKB_VECTORS(ushort, unsigned short, 4, 8)
MSKB_VECTORS(int, int, 8, 16)
MSKB_VECTORS(uint, unsigned int, 8, 16)
MSKB_VECTORS(long, long, 16, 16)
MSKB_VECTORS(ulong, unsigned long, 16, 16)
MSKB_VECTORS(longlong, long long, 16, 16)
MSKB_VECTORS(ulonglong, unsigned long long, 16, 16)
MSKB_VECTORS(float, float, 8, 16)
MSKB_VECTORS(double, double, 16, 16)
#undef MSKB_VECTORS

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
