// A 16-bit floating-point class and its pair. Included once for each format, with these macros set:
//   MSKB_HALF, MSKB_HALF2, MSKB_HALF_RAW, MSKB_HALF2_RAW   the types
//   MSKB_TO_FLOAT(bits), MSKB_FROM_FLOAT(x), MSKB_FROM_DOUBLE(x)   nearest even, NaN kept

struct MSKB_HALF_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) MSKB_HALF2_RAW {
  unsigned short x, y;
};

struct MSKB_HALF {
  unsigned short __x;

  MSKB_HALF() = default;
  constexpr MSKB_HALF(const MSKB_HALF_RAW& raw) : __x(raw.x) {}
  MSKB_HALF(float x) : __x(MSKB_FROM_FLOAT(x)) {}
  MSKB_HALF(double x) : __x(MSKB_FROM_DOUBLE(x)) {}
  MSKB_HALF(short x) : __x(MSKB_FROM_DOUBLE(x)) {}
  MSKB_HALF(unsigned short x) : __x(MSKB_FROM_DOUBLE(x)) {}
  MSKB_HALF(int x) : __x(MSKB_FROM_DOUBLE(x)) {}
  MSKB_HALF(unsigned x) : __x(MSKB_FROM_DOUBLE(x)) {}
  MSKB_HALF(long x) : __x(MSKB_FROM_DOUBLE(static_cast<double>(x))) {}
  MSKB_HALF(unsigned long x) : __x(MSKB_FROM_DOUBLE(static_cast<double>(x))) {}
  MSKB_HALF(long long x) : __x(MSKB_FROM_DOUBLE(static_cast<double>(x))) {}
  MSKB_HALF(unsigned long long x) : __x(MSKB_FROM_DOUBLE(static_cast<double>(x))) {}

  constexpr operator MSKB_HALF_RAW() const { return {__x}; }
  operator float() const { return MSKB_TO_FLOAT(__x); }
  constexpr operator bool() const { return (__x & 0x7FFF) != 0; }
  operator signed char() const { return mskb_simt::saturated<signed char>(truncf(MSKB_TO_FLOAT(__x)), -128, 127); }
  operator unsigned char() const { return mskb_simt::saturated<unsigned char>(truncf(MSKB_TO_FLOAT(__x)), 0, 255); }
  operator char() const { return static_cast<char>(static_cast<signed char>(*this)); }
  operator short() const { return mskb_simt::saturated<short>(truncf(MSKB_TO_FLOAT(__x)), -32768, 32767); }
  operator unsigned short() const { return mskb_simt::saturated<unsigned short>(truncf(MSKB_TO_FLOAT(__x)), 0, 65535); }
  operator int() const { return __float2int_rz(MSKB_TO_FLOAT(__x)); }
  operator unsigned() const { return __float2uint_rz(MSKB_TO_FLOAT(__x)); }
  operator long() const { return __float2ll_rz(MSKB_TO_FLOAT(__x)); }
  operator unsigned long() const { return __float2ull_rz(MSKB_TO_FLOAT(__x)); }
  operator long long() const { return __float2ll_rz(MSKB_TO_FLOAT(__x)); }
  operator unsigned long long() const { return __float2ull_rz(MSKB_TO_FLOAT(__x)); }

  MSKB_HALF& operator=(float x) { return __x = MSKB_FROM_FLOAT(x), *this; }
  MSKB_HALF& operator=(double x) { return __x = MSKB_FROM_DOUBLE(x), *this; }
  MSKB_HALF& operator=(short x) { return __x = MSKB_FROM_DOUBLE(x), *this; }
  MSKB_HALF& operator=(unsigned short x) { return __x = MSKB_FROM_DOUBLE(x), *this; }
  MSKB_HALF& operator=(int x) { return __x = MSKB_FROM_DOUBLE(x), *this; }
  MSKB_HALF& operator=(unsigned x) { return __x = MSKB_FROM_DOUBLE(x), *this; }
  MSKB_HALF& operator=(long long x) { return __x = MSKB_FROM_DOUBLE(static_cast<double>(x)), *this; }
  MSKB_HALF& operator=(unsigned long long x) { return __x = MSKB_FROM_DOUBLE(static_cast<double>(x)), *this; }
};

struct __attribute__((aligned(4))) MSKB_HALF2 {
  MSKB_HALF x, y;

  MSKB_HALF2() = default;
  constexpr MSKB_HALF2(const MSKB_HALF& low, const MSKB_HALF& high) : x(low), y(high) {}
  constexpr MSKB_HALF2(const MSKB_HALF2_RAW& raw) : x(MSKB_HALF_RAW{raw.x}), y(MSKB_HALF_RAW{raw.y}) {}
  constexpr operator MSKB_HALF2_RAW() const { return {x.__x, y.__x}; }
};

#define MSKB_BINARY(symbol)                                                                         \
  inline MSKB_HALF operator symbol(const MSKB_HALF& a, const MSKB_HALF& b) {                        \
    return MSKB_HALF(MSKB_TO_FLOAT(a.__x) symbol MSKB_TO_FLOAT(b.__x));                             \
  }                                                                                                 \
  inline MSKB_HALF& operator symbol##=(MSKB_HALF& a, const MSKB_HALF& b) { return a = a symbol b; } \
  inline MSKB_HALF2 operator symbol(const MSKB_HALF2& a, const MSKB_HALF2& b) {                     \
    return {a.x symbol b.x, a.y symbol b.y};                                                        \
  }                                                                                                 \
  inline MSKB_HALF2& operator symbol##=(MSKB_HALF2& a, const MSKB_HALF2& b) { return a = a symbol b; }
MSKB_BINARY(+)
MSKB_BINARY(-)
MSKB_BINARY(*)
MSKB_BINARY(/)
#undef MSKB_BINARY

#define MSKB_COMPARE(symbol)                                            \
  inline bool operator symbol(const MSKB_HALF& a, const MSKB_HALF& b) { \
    return MSKB_TO_FLOAT(a.__x) symbol MSKB_TO_FLOAT(b.__x);            \
  }                                                                     \
  inline bool operator symbol(const MSKB_HALF2& a, const MSKB_HALF2& b) { return a.x symbol b.x && a.y symbol b.y; }
MSKB_COMPARE(==)
MSKB_COMPARE(!=)
MSKB_COMPARE(<)
MSKB_COMPARE(<=)
MSKB_COMPARE(>)
MSKB_COMPARE(>=)
#undef MSKB_COMPARE

inline MSKB_HALF operator+(const MSKB_HALF& a) { return a; }
inline MSKB_HALF operator-(const MSKB_HALF& a) { return MSKB_HALF_RAW{static_cast<unsigned short>(a.__x ^ 0x8000)}; }
inline MSKB_HALF& operator++(MSKB_HALF& a) { return a += MSKB_HALF(1.0f); }
inline MSKB_HALF& operator--(MSKB_HALF& a) { return a -= MSKB_HALF(1.0f); }
inline MSKB_HALF operator++(MSKB_HALF& a, int) {
  const MSKB_HALF old = a;
  ++a;
  return old;
}
inline MSKB_HALF operator--(MSKB_HALF& a, int) {
  const MSKB_HALF old = a;
  --a;
  return old;
}
inline MSKB_HALF2 operator+(const MSKB_HALF2& a) { return a; }
inline MSKB_HALF2 operator-(const MSKB_HALF2& a) { return {-a.x, -a.y}; }
