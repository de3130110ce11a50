// SPDX-License-Identifier: Apache-2.0
// The package's declarations of XLA's structs have the layout of jaxlib's headers. It compiles, or
// it fails.
#include "xla/ffi/api/c_api.h"
#include "xla_ffi.h"

namespace mshadow_python {
namespace xla {
namespace {

#define SAME(ours, member, theirs, other)                            \
  static_assert(offsetof(ours, member) == offsetof(theirs, other) && \
                    sizeof(ours::member) == sizeof(theirs::other),   \
                #ours "::" #member " is not where " #theirs " has it")

static_assert(XLA_FFI_API_MAJOR == kMajor && XLA_FFI_API_MINOR >= kMinor, "another version");
SAME(Extension, bytes, XLA_FFI_Extension_Base, struct_size);
SAME(Extension, type, XLA_FFI_Extension_Base, type);
SAME(Extension, next, XLA_FFI_Extension_Base, next);
static_assert(XLA_FFI_Extension_Metadata == kMetadata);
SAME(Version, head.extension, XLA_FFI_Api_Version, extension_start);
SAME(Version, major, XLA_FFI_Api_Version, major_version);
SAME(Version, minor, XLA_FFI_Api_Version, minor_version);
SAME(Metadata, version, XLA_FFI_Metadata, api_version);
SAME(Metadata, traits, XLA_FFI_Metadata, traits);
SAME(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);

SAME(ErrorArguments, message, XLA_FFI_Error_Create_Args, message);
SAME(ErrorArguments, code, XLA_FFI_Error_Create_Args, errc);
static_assert(XLA_FFI_Error_Code_INVALID_ARGUMENT == kInvalidArgument);
static_assert(XLA_FFI_Error_Code_INTERNAL == kInternal);
SAME(Api, version, XLA_FFI_Api, api_version);
SAME(Api, make_error, XLA_FFI_Api, XLA_FFI_Error_Create);

static_assert(XLA_FFI_DataType_PRED == kBool && XLA_FFI_DataType_S8 == kInt8);
static_assert(XLA_FFI_DataType_S16 == kInt16);
static_assert(XLA_FFI_DataType_S32 == kInt32 && XLA_FFI_DataType_S64 == kInt64);
static_assert(XLA_FFI_DataType_U8 == kUint8 && XLA_FFI_DataType_F16 == kFloat16);
static_assert(XLA_FFI_DataType_F32 == kFloat32 && XLA_FFI_DataType_F64 == kFloat64);
static_assert(XLA_FFI_DataType_BF16 == kBfloat16);
SAME(Buffer, type, XLA_FFI_Buffer, dtype);
SAME(Buffer, data, XLA_FFI_Buffer, data);
SAME(Buffer, rank, XLA_FFI_Buffer, rank);
SAME(Buffer, shape, XLA_FFI_Buffer, dims);
SAME(Text, data, XLA_FFI_ByteSpan, ptr);
SAME(Text, size, XLA_FFI_ByteSpan, len);
SAME(Array, type, XLA_FFI_Array, dtype);
SAME(Array, size, XLA_FFI_Array, size);
SAME(Array, data, XLA_FFI_Array, data);

SAME(Buffers, size, XLA_FFI_Args, size);
SAME(Buffers, kinds, XLA_FFI_Args, types);
SAME(Buffers, all, XLA_FFI_Args, args);
SAME(Buffers, size, XLA_FFI_Rets, size);
SAME(Buffers, all, XLA_FFI_Rets, rets);
SAME(Attributes, size, XLA_FFI_Attrs, size);
SAME(Attributes, kinds, XLA_FFI_Attrs, types);
SAME(Attributes, names, XLA_FFI_Attrs, names);
SAME(Attributes, all, XLA_FFI_Attrs, attrs);
static_assert(XLA_FFI_AttrType_ARRAY == kArray && XLA_FFI_AttrType_STRING == kText);
SAME(Call, head.extension, XLA_FFI_CallFrame, extension_start);
SAME(Call, api, XLA_FFI_CallFrame, api);
SAME(Call, operands, XLA_FFI_CallFrame, args);
SAME(Call, results, XLA_FFI_CallFrame, rets);
SAME(Call, attributes, XLA_FFI_CallFrame, attrs);

}  // namespace
}  // namespace xla
}  // namespace mshadow_python
