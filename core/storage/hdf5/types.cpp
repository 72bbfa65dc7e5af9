#include "core/storage/hdf5/types.h"

#include <cstring>
#include <memory>

#include "core/tensor/dtype.h"

namespace td::storage::hdf5 {

namespace {

// Where sign, exponent and mantissa of a floating type lie: what makes it the same as another, whatever its byte order.
struct FloatLayout {
  size_t bytes, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
  at::ScalarType dtype;
};
constexpr FloatLayout float_layouts[] = {
    {2, 15, 10, 5, 0, 10, 15, at::kHalf},
    {2, 15, 7, 8, 0, 7, 127, at::kBFloat16},
    {4, 31, 23, 8, 0, 23, 127, at::kFloat},
    {8, 63, 52, 11, 0, 52, 1023, at::kDouble},
};

Hid made_float(const FloatLayout& f) {
  Hid type(H5Tcopy(H5T_NATIVE_FLOAT));  // with this machine's byte order
  H5Tset_fields(type.get(), f.sign, f.exponent, f.exponent_bits, f.mantissa, f.mantissa_bits);
  H5Tset_size(type.get(), f.bytes);
  H5Tset_ebias(type.get(), f.bias);
  return type;
}

const FloatLayout* layout_of(hid_t type) {
  size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
  if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return nullptr;
  for (const FloatLayout& f : float_layouts)
    if (f.bytes == H5Tget_size(type) && f.sign == sign && f.exponent == exponent && f.exponent_bits == exponent_bits &&
        f.mantissa == mantissa && f.mantissa_bits == mantissa_bits && f.bias == H5Tget_ebias(type) &&
        H5Tget_norm(type) == H5T_NORM_IMPLIED)
      return &f;
  return nullptr;
}

int32_t integer_code(size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? 3 : 2;
    case 2:
      return is_signed ? 4 : 7;
    case 4:
      return is_signed ? 5 : 8;
    case 8:
      return is_signed ? 6 : 9;
    default:
      return 0;
  }
}

void take_code(int32_t code, ElementType& out) {
  try {
    out.dtype = scalar_type(code);
    out.kind = ElementType::Kind::tensor;
  } catch (const Error& e) {  // not in this LibTorch
    out.why = "numbers whose " + e.message() + ", " + e.hint();
  }
}

void take_integer(hid_t type, ElementType& out) {
  int32_t code = integer_code(H5Tget_size(type), H5Tget_sign(type) == H5T_SGN_2);
  if (code)
    take_code(code, out);
  else
    out.why = "integers of " + std::to_string(H5Tget_size(type)) + " bytes";
}

std::string member_name(hid_t type, unsigned i) {
  std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(type, i), H5free_memory);
  return name ? name.get() : "";
}

bool is_truth(hid_t type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) return false;
  for (unsigned i = 0; i < 2; ++i) {
    int8_t value = -1;
    std::string name = member_name(type, i);
    if (H5Tget_member_value(type, i, &value) < 0 || (name != "FALSE" && name != "TRUE") || value != (name == "TRUE"))
      return false;
  }
  return true;
}

void take_enum(hid_t type, ElementType& out) {
  if (is_truth(type)) {
    out.kind = ElementType::Kind::tensor;
    out.dtype = at::kBool;
    return;
  }
  Hid base(H5Tget_super(type));
  if (H5Tget_class(base.get()) == H5T_INTEGER)
    take_integer(base.get(), out);
  else
    out.why = "an enumeration";
}

void take_compound(hid_t type, ElementType& out) {
  out.why = "a compound type";
  if (H5Tget_nmembers(type) != 2 || member_name(type, 0) != "r" || member_name(type, 1) != "i") return;
  Hid real(H5Tget_member_type(type, 0)), imaginary(H5Tget_member_type(type, 1));
  if (H5Tget_class(real.get()) != H5T_FLOAT || H5Tget_class(imaginary.get()) != H5T_FLOAT) return;
  const FloatLayout *r = layout_of(real.get()), *i = layout_of(imaginary.get());
  if (!r || r != i || r->dtype == at::kBFloat16) return;
  out.kind = ElementType::Kind::tensor;
  out.dtype = r->dtype == at::kHalf    ? at::kComplexHalf
              : r->dtype == at::kFloat ? at::kComplexFloat
                                       : at::kComplexDouble;
}

// Numbers that NumPy's opaque types stand for; of the same size in bytes, or they are none.
void take_opaque(hid_t type, ElementType& out) {
  std::unique_ptr<char, herr_t (*)(void*)> tag(H5Tget_tag(type), H5free_memory);
  constexpr const char* prefix = "NUMPY:";
  if (!tag || std::strncmp(tag.get(), prefix, std::strlen(prefix)) != 0) {
    out.why = std::string("opaque bytes") + (tag ? " of the kind '" + std::string(tag.get()) + "'" : "");
    return;
  }
  out.kind = ElementType::Kind::numpy;
  out.descr = tag.get() + std::strlen(prefix);
  static constexpr struct {
    const char* code;
    at::ScalarType dtype;
    size_t bytes;
  } numbers[] = {
      {"b1", at::kBool, 1},   {"i1", at::kChar, 1},         {"u1", at::kByte, 1},           {"i2", at::kShort, 2},
      {"i4", at::kInt, 4},    {"i8", at::kLong, 8},         {"f2", at::kHalf, 2},           {"f4", at::kFloat, 4},
      {"f8", at::kDouble, 8}, {"c8", at::kComplexFloat, 8}, {"c16", at::kComplexDouble, 16}};
  for (const auto& n : numbers)
    if (out.descr.size() > 1 && out.descr.compare(1, std::string::npos, n.code) == 0 && H5Tget_size(type) == n.bytes) {
      out.dtype = n.dtype;
      out.is_number = true;
    }
}

hid_t native_integer(at::ScalarType dtype) {
  switch (dtype_code(dtype)) {
    case 2:
      return H5T_NATIVE_UINT8;
    case 3:
      return H5T_NATIVE_INT8;
    case 4:
      return H5T_NATIVE_INT16;
    case 5:
      return H5T_NATIVE_INT32;
    case 6:
      return H5T_NATIVE_INT64;
    case 7:
      return H5T_NATIVE_UINT16;
    case 8:
      return H5T_NATIVE_UINT32;
    case 9:
      return H5T_NATIVE_UINT64;
    default:
      return H5I_INVALID_HID;
  }
}

// Floats and what is made of them; an empty Hid for all others.
Hid native_float(at::ScalarType dtype) {
  at::ScalarType part = dtype == at::kComplexHalf     ? at::kHalf
                        : dtype == at::kComplexFloat  ? at::kFloat
                        : dtype == at::kComplexDouble ? at::kDouble
                                                      : dtype;
  for (const FloatLayout& f : float_layouts) {
    if (f.dtype != part) continue;
    Hid real = part == at::kFloat    ? Hid(H5Tcopy(H5T_NATIVE_FLOAT))
               : part == at::kDouble ? Hid(H5Tcopy(H5T_NATIVE_DOUBLE))
                                     : made_float(f);
    if (part == dtype) return real;
    Hid pair(H5Tcreate(H5T_COMPOUND, 2 * f.bytes));
    H5Tinsert(pair.get(), "r", 0, real.get());
    H5Tinsert(pair.get(), "i", f.bytes, real.get());
    return pair;
  }
  return Hid();
}

}  // namespace

ElementType element_type(hid_t type) {
  ElementType out;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      take_integer(type, out);
      break;
    case H5T_FLOAT:
      if (const FloatLayout* f = layout_of(type)) {
        out.kind = ElementType::Kind::tensor;
        out.dtype = f->dtype;
      } else {
        out.why = "floating-point numbers of " + std::to_string(H5Tget_size(type)) + " bytes that are not IEEE's";
      }
      break;
    case H5T_ENUM:
      take_enum(type, out);
      break;
    case H5T_COMPOUND:
      take_compound(type, out);
      break;
    case H5T_STRING:
      out.kind = ElementType::Kind::text;
      break;
    case H5T_OPAQUE:
      take_opaque(type, out);
      break;
    case H5T_VLEN:
      out.why = "lists of different lengths";
      break;
    case H5T_REFERENCE:
      out.why = "references";
      break;
    case H5T_ARRAY:
      out.why = "arrays as elements";
      break;
    case H5T_BITFIELD:
      out.why = "bit fields";
      break;
    default:
      out.why = "a type that is unknown here";
  }
  return out;
}

Hid memory_type(at::ScalarType dtype, hid_t type) {
  if (dtype == at::kBool) return Hid(H5Tcopy(type));
  Hid made = native_float(dtype);
  return made ? std::move(made) : Hid(H5Tcopy(native_integer(dtype)));
}

Hid file_type(at::ScalarType dtype, const std::string& key) {
  if (dtype == at::kBool) return truth_type();
  if (Hid made = native_float(dtype)) return made;
  hid_t integer = native_integer(dtype);
  if (integer < 0)
    throw Error(Code::dtype, "HDF5 files have no place for this dtype")
        .key(key)
        .hint_naming("convert it with {dict_to}");
  return Hid(H5Tcopy(integer));
}

Hid text_type(size_t bytes) {
  Hid type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), bytes);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Hid numpy_type(const std::string& descr, size_t bytes) {
  Hid type(H5Tcreate(H5T_OPAQUE, bytes));
  H5Tset_tag(type.get(), ("NUMPY:" + descr).c_str());
  return type;
}

Hid truth_type() {
  Hid type(H5Tenum_create(H5T_NATIVE_INT8));
  int8_t value = 0;
  H5Tenum_insert(type.get(), "FALSE", &value);
  value = 1;
  H5Tenum_insert(type.get(), "TRUE", &value);
  return type;
}

}  // namespace td::storage::hdf5
