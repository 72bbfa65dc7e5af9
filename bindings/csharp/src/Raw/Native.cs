// Made from tensordict.h 0.2.0 by bindings/generate.py; do not edit.
#nullable enable

using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The functions with arguments of C#.</summary>
internal static unsafe partial class Native
{
    internal static string? status_name(Status status)
    {
        var result = Api.td_status_name(status);
        return Marshalled.Text(result);
    }

    internal static KeyPath path_new(Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_path* made_out = default;
        Status status = Api.td_path_new(c.Key(key), &made_out, &err);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return KeyPath.Take(made_out);
    }

    internal static void path_view(KeyPath self, td_key* out_view)
    {
        td_error* err = null;
        Status status = Api.td_path_view((td_path*)self.Pointer, out_view, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long live_objects(ObjectKind kind)
    {
        var result = Api.td_live_objects(kind);
        return result;
    }

    internal static void release_many(td_object* objects, long n)
    {
        td_error* err = null;
        Status status = Api.td_release_many(objects, checked((nuint)n), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long live_bytes()
    {
        var result = Api.td_live_bytes();
        return result;
    }

    internal static void set_fast_level(FastLevel level)
    {
        td_error* err = null;
        Status status = Api.td_set_fast_level(level, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static FastLevel get_fast_level()
    {
        var result = Api.td_get_fast_level();
        return result;
    }

    internal static void set_num_threads(int n)
    {
        td_error* err = null;
        Status status = Api.td_set_num_threads(n, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static int get_num_threads()
    {
        var result = Api.td_get_num_threads();
        return result;
    }

    internal static void set_warning_callback(td_warning_function* function)
    {
        td_error* err = null;
        Status status = Api.td_set_warning_callback(function, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void after_fork()
    {
        Api.td_after_fork();
    }

    internal static string? version()
    {
        var result = Api.td_version();
        return Marshalled.Text(result);
    }

    internal static int abi_version()
    {
        var result = Api.td_abi_version();
        return result;
    }

    internal static string build_info()
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_build_info(&made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static bool has_feature(string? name)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var result = Api.td_has_feature(c.String(name));
        return result != 0;
    }

    internal static Cancel cancel_new()
    {
        td_error* err = null;
        td_cancel* made_out = default;
        Status status = Api.td_cancel_new(&made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Cancel.Take(made_out);
    }

    internal static void cancel_request(Cancel self)
    {
        Api.td_cancel_request((td_cancel*)self.Pointer);
        GC.KeepAlive(self);
    }

    internal static bool cancel_requested(Cancel self)
    {
        var result = Api.td_cancel_requested((td_cancel*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static Tensor tensor_from_memory(void* data, DType dtype, ReadOnlySpan<long> dims, ReadOnlySpan<long> strides, delegate* unmanaged[Cdecl]<void*, void> release, void* owner)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Frame.Match(strides.Length, dims.Length, true);
        Status status;
        fixed (long* dims_at = dims)
        fixed (long* strides_at = strides)
            status = Api.td_tensor_from_memory(data, dtype, dims_at, (nuint)dims.Length, strides_at, release, owner, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_copy_from(void* data, DType dtype, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_copy_from(data, dtype, dims_at, (nuint)dims.Length, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_empty(ReadOnlySpan<long> dims, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_empty(dims_at, (nuint)dims.Length, dtype, c.String(device), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_zeros(ReadOnlySpan<long> dims, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_zeros(dims_at, (nuint)dims.Length, dtype, c.String(device), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_full(ReadOnlySpan<long> dims, Value value, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_full(dims_at, (nuint)dims.Length, c.Value(value), dtype, c.String(device), &made_out, &err);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_randn(ReadOnlySpan<long> dims, DType dtype, string? device, Generator? generator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_randn(dims_at, (nuint)dims.Length, dtype, c.String(device), (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static long tensor_ndim(Tensor self)
    {
        var result = Api.td_tensor_ndim((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long tensor_shape(Tensor self, long* @out, long capacity)
    {
        var result = Api.td_tensor_shape((td_tensor*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long tensor_strides(Tensor self, long* @out, long capacity)
    {
        var result = Api.td_tensor_strides((td_tensor*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long tensor_numel(Tensor self)
    {
        var result = Api.td_tensor_numel((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long tensor_itemsize(Tensor self)
    {
        var result = Api.td_tensor_itemsize((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long tensor_nbytes(Tensor self)
    {
        var result = Api.td_tensor_nbytes((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static string? dtype_name(DType dtype)
    {
        var result = Api.td_dtype_name(dtype);
        return Marshalled.Text(result);
    }

    internal static long dtype_size(DType dtype)
    {
        var result = Api.td_dtype_size(dtype);
        return result;
    }

    internal static DType dtype_from_name(string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        DType made_out = default;
        Status status = Api.td_dtype_from_name(c.String(name), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static DType tensor_dtype(Tensor self)
    {
        var result = Api.td_tensor_dtype((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static DType tensor_stored_dtype(Tensor self)
    {
        var result = Api.td_tensor_stored_dtype((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static string? tensor_device(Tensor self)
    {
        var result = Api.td_tensor_device((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static bool tensor_is_contiguous(Tensor self)
    {
        var result = Api.td_tensor_is_contiguous((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static bool tensor_is_read_only(Tensor self)
    {
        var result = Api.td_tensor_is_read_only((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static bool tensor_is_shared(Tensor self)
    {
        var result = Api.td_tensor_is_shared((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void tensor_info(Tensor self, td_tensor_facts* @out)
    {
        td_error* err = null;
        Status status = Api.td_tensor_info((td_tensor*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void tensor_data(Tensor self, void** out_view)
    {
        td_error* err = null;
        Status status = Api.td_tensor_data((td_tensor*)self.Pointer, out_view, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void tensor_mutable_data(Tensor self, void** out_view)
    {
        td_error* err = null;
        Status status = Api.td_tensor_mutable_data((td_tensor*)self.Pointer, out_view, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor tensor_clone(Tensor self)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_clone((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_contiguous(Tensor self)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_contiguous((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_to(Tensor self, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_tensor_to((td_tensor*)self.Pointer, dtype, c.String(device), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void tensor_copy_(Tensor self, Tensor src)
    {
        td_error* err = null;
        Status status = Api.td_tensor_copy_((td_tensor*)self.Pointer, (td_tensor*)src.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void tensor_item(Tensor self, td_value* @out)
    {
        td_error* err = null;
        Status status = Api.td_tensor_item((td_tensor*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string tensor_repr(Tensor self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_tensor_repr((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void tensor_to_dlpack(Tensor self, DLManagedTensorVersioned** @out)
    {
        td_error* err = null;
        Status status = Api.td_tensor_to_dlpack((td_tensor*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void tensor_to_dlpack_unversioned(Tensor self, DLManagedTensor** @out)
    {
        td_error* err = null;
        Status status = Api.td_tensor_to_dlpack_unversioned((td_tensor*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor tensor_from_dlpack(DLManagedTensorVersioned* managed)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_from_dlpack(managed, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_from_dlpack_unversioned(DLManagedTensor* managed)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_from_dlpack_unversioned(managed, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static bool tensor_requires_grad(Tensor self)
    {
        var result = Api.td_tensor_requires_grad((td_tensor*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void tensor_requires_grad_(Tensor self, bool requires_grad)
    {
        td_error* err = null;
        Status status = Api.td_tensor_requires_grad_((td_tensor*)self.Pointer, Marshalled.Byte(requires_grad), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void tensor_backward(Tensor self, Tensor? gradient, bool retain_graph)
    {
        td_error* err = null;
        Status status = Api.td_tensor_backward((td_tensor*)self.Pointer, (td_tensor*)NativeObject.PointerOrNull(gradient), Marshalled.Byte(retain_graph), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(gradient);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor? tensor_grad(Tensor self)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_grad((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.TakeOrNull(made_out);
    }

    internal static Tensor tensor_detach(Tensor self)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_detach((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static bool is_grad_enabled()
    {
        var result = Api.td_is_grad_enabled();
        return result != 0;
    }

    internal static void no_grad_run(delegate* unmanaged[Cdecl]<void*, td_error**, Status> fn, void* userdata)
    {
        td_error* err = null;
        Status status = Api.td_no_grad_run(fn, userdata, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void no_grad_begin(td_no_grad** @out)
    {
        td_error* err = null;
        Status status = Api.td_no_grad_begin(@out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void no_grad_end(td_no_grad* self)
    {
        td_error* err = null;
        Status status = Api.td_no_grad_end(self, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Generator generator_new(ulong seed)
    {
        td_error* err = null;
        td_generator* made_out = default;
        Status status = Api.td_generator_new(seed, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Generator.Take(made_out);
    }

    internal static void generator_seed(Generator self, ulong seed)
    {
        td_error* err = null;
        Status status = Api.td_generator_seed((td_generator*)self.Pointer, seed, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static ulong generator_initial_seed(Generator self)
    {
        var result = Api.td_generator_initial_seed((td_generator*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static Tensor generator_state(Generator self)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_generator_state((td_generator*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void generator_load_state(Generator self, Tensor state)
    {
        td_error* err = null;
        Status status = Api.td_generator_load_state((td_generator*)self.Pointer, (td_tensor*)state.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void manual_seed(ulong seed)
    {
        td_error* err = null;
        Status status = Api.td_manual_seed(seed, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Operator op_find(string? name, string? overload)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_op* made_out = default;
        Status status = Api.td_op_find(c.String(name), c.String(overload), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Operator.Take(made_out);
    }

    internal static string op_schema(Operator self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_op_schema((td_op*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void op_call(Operator self, ReadOnlySpan<Value> args, ReadOnlySpan<NamedValue> kwargs, td_value* outs, long n_outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_op_call((td_op*)self.Pointer, c.Values(args), (nuint)args.Length, c.NamedValues(kwargs), (nuint)kwargs.Length, outs, checked((nuint)n_outs), &err);
        GC.KeepAlive(self);
        Frame.Keep(args);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void op_run(string? name, ReadOnlySpan<Value> args, ReadOnlySpan<NamedValue> kwargs, td_value* outs, long n_outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_op_run(c.String(name), c.Values(args), (nuint)args.Length, c.NamedValues(kwargs), (nuint)kwargs.Length, outs, checked((nuint)n_outs), &err);
        Frame.Keep(args);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_new(ReadOnlySpan<long> batch_size, td_dict_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_new(batch_size_at, (nuint)batch_size.Length, options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static long dict_batch_size(TensorDict self, long* @out, long capacity)
    {
        var result = Api.td_dict_batch_size((td_dict*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static void dict_set_batch_size(TensorDict self, ReadOnlySpan<long> batch_size)
    {
        td_error* err = null;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_set_batch_size((td_dict*)self.Pointer, batch_size_at, (nuint)batch_size.Length, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string? dict_device(TensorDict self)
    {
        var result = Api.td_dict_device((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static void dict_clear_device_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_clear_device_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_auto_device_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_auto_device_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long dict_len(TensorDict self)
    {
        var result = Api.td_dict_len((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long dict_count(TensorDict self)
    {
        var result = Api.td_dict_count((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long dict_nbytes(TensorDict self)
    {
        var result = Api.td_dict_nbytes((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long dict_depth(TensorDict self)
    {
        var result = Api.td_dict_depth((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static DType dict_dtype(TensorDict self)
    {
        var result = Api.td_dict_dtype((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static bool dict_is_floating_point(TensorDict self)
    {
        var result = Api.td_dict_is_floating_point((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static long dict_param_count(TensorDict self, bool count_duplicates)
    {
        var result = Api.td_dict_param_count((td_dict*)self.Pointer, Marshalled.Byte(count_duplicates));
        GC.KeepAlive(self);
        return result;
    }

    internal static long dict_param_bytes(TensorDict self, bool count_duplicates)
    {
        var result = Api.td_dict_param_bytes((td_dict*)self.Pointer, Marshalled.Byte(count_duplicates));
        GC.KeepAlive(self);
        return result;
    }

    internal static void dict_set(TensorDict self, Key key, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set((td_dict*)self.Pointer, c.Key(key), (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_set_path(TensorDict self, KeyPath path, Tensor value)
    {
        td_error* err = null;
        Status status = Api.td_dict_set_path((td_dict*)self.Pointer, (td_path*)path.Pointer, (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(path);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_set_unbatched(TensorDict self, Key key, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_unbatched((td_dict*)self.Pointer, c.Key(key), (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool dict_is_unbatched(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        byte made_out = default;
        Status status = Api.td_dict_is_unbatched((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out != 0;
    }

    internal static void dict_set_dict(TensorDict self, Key key, TensorDict value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_dict((td_dict*)self.Pointer, c.Key(key), (td_dict*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_copy_into(TensorDict self, Key key, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_copy_into((td_dict*)self.Pointer, c.Key(key), (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_get(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_get((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dict_get_path(TensorDict self, KeyPath path)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dict_get_path((td_dict*)self.Pointer, (td_path*)path.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(path);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void dict_get_many(TensorDict self, ReadOnlySpan<KeyPath> paths, td_tensor** outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_get_many((td_dict*)self.Pointer, (td_path**)c.Handles(paths), (nuint)paths.Length, outs, &err);
        GC.KeepAlive(self);
        Frame.Keep(paths);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_get_dict(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_get_dict((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_lookup(TensorDict self, Key key, td_entry* @out)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_lookup((td_dict*)self.Pointer, c.Key(key), @out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static EntryKind dict_entry_kind(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        EntryKind made_out = default;
        Status status = Api.td_dict_entry_kind((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static Tensor dict_set_default(TensorDict self, Key key, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_set_default((td_dict*)self.Pointer, c.Key(key), (td_tensor*)value.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void dict_remove(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_remove((td_dict*)self.Pointer, c.Key(key), &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Key[] dict_keys(TensorDict self, KeysFlags flags)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_dict_keys((td_dict*)self.Pointer, flags, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static void dict_entries(TensorDict self, ulong flags, td_entries** @out)
    {
        td_error* err = null;
        Status status = Api.td_dict_entries((td_dict*)self.Pointer, flags, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_copy(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_copy((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_clone(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_clone((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_to_tensordict(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_to_tensordict((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_set_data(TensorDict self, Key key, DataValue value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_data((td_dict*)self.Pointer, c.Key(key), c.DataValue(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_set_data_stack(TensorDict self, Key key, ReadOnlySpan<DataValue> values)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_data_stack((td_dict*)self.Pointer, c.Key(key), c.DataValues(values), (nuint)values.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_set_data_(TensorDict self, Key key, DataValue value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_data_((td_dict*)self.Pointer, c.Key(key), c.DataValue(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Data dict_get_data(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_data_list* made_out = default;
        Status status = Api.td_dict_get_data((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeData(made_out);
    }

    internal static TensorDict dict_from_json(string? json)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_from_json(c.String(json), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict[] dict_list_from_json(string? json)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict_list* made_out = default;
        Status status = Api.td_dict_list_from_json(c.String(json), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict dict_from_items(ReadOnlySpan<long> batch_size, ReadOnlySpan<Item> items, td_dict_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_from_items(batch_size_at, (nuint)batch_size.Length, c.Items(items), (nuint)items.Length, options, &made_out, &err);
        Frame.Keep(items);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_from_keys(ReadOnlySpan<Key> keys, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_from_keys(c.Keys(keys), (nuint)keys.Length, (td_tensor*)value.Pointer, &made_out, &err);
        Frame.Keep(keys);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_from_struct_array(void* data, long itemsize, ReadOnlySpan<long> batch_size, td_field* fields, long n, delegate* unmanaged[Cdecl]<void*, void> release, void* owner)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_from_struct_array(data, checked((nuint)itemsize), batch_size_at, (nuint)batch_size.Length, fields, checked((nuint)n), release, owner, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_to_struct_array(TensorDict self, td_field* fields, long n, long itemsize, void* data, long size)
    {
        td_error* err = null;
        Status status = Api.td_dict_to_struct_array((td_dict*)self.Pointer, fields, checked((nuint)n), checked((nuint)itemsize), data, checked((nuint)size), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_merge(ReadOnlySpan<TensorDict> dicts)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_merge((td_dict**)c.Handles(dicts), (nuint)dicts.Length, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (Key[], Tensor[]) dict_leaves(TensorDict self)
    {
        td_error* err = null;
        td_keys* made_out_keys = default;
        td_tensor_list* made_out_tensors = default;
        Status status = Api.td_dict_leaves((td_dict*)self.Pointer, &made_out_keys, &made_out_tensors, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeKeys(made_out_keys), Marshalled.TakeTensors(made_out_tensors));
    }

    internal static void dict_set_many(TensorDict self, ReadOnlySpan<KeyPath> paths, ReadOnlySpan<Tensor> values)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Frame.Match(paths.Length, values.Length, false);
        Status status = Api.td_dict_set_many((td_dict*)self.Pointer, (td_path**)c.Handles(paths), (td_tensor**)c.Handles(values), (nuint)values.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(paths);
        Frame.Keep(values);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_update(TensorDict self, TensorDict src, td_dict_update_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_update((td_dict*)self.Pointer, (td_dict*)src.Pointer, options, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_update_(TensorDict self, TensorDict src)
    {
        td_error* err = null;
        Status status = Api.td_dict_update_((td_dict*)self.Pointer, (td_dict*)src.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_fill_(TensorDict self, Key key, Value value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_fill_((td_dict*)self.Pointer, c.Key(key), c.Value(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_zero_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_zero_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_pop(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_pop((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static TensorDict dict_pop_dict(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_pop_dict((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (string, Tensor?, TensorDict?, Data?) dict_popitem(TensorDict self)
    {
        td_error* err = null;
        td_string* made_out_key = default;
        td_tensor* made_out_tensor = default;
        td_dict* made_out_dict = default;
        td_data_list* made_out_data = default;
        Status status = Api.td_dict_popitem((td_dict*)self.Pointer, &made_out_key, &made_out_tensor, &made_out_dict, &made_out_data, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeString(made_out_key), Tensor.TakeOrNull(made_out_tensor), TensorDict.TakeOrNull(made_out_dict), made_out_data == null ? null : Marshalled.TakeData(made_out_data));
    }

    internal static TensorDict dict_replace(TensorDict self, TensorDict src)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_replace((td_dict*)self.Pointer, (td_dict*)src.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_cat_tensors(TensorDict self, ReadOnlySpan<Key> keys, Key out_key, long dim, bool keep_entries)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_cat_tensors((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, c.Key(out_key), dim, Marshalled.Byte(keep_entries), &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        Frame.Keep(out_key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_stack_tensors(TensorDict self, ReadOnlySpan<Key> keys, Key out_key, long dim, bool keep_entries)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_stack_tensors((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, c.Key(out_key), dim, Marshalled.Byte(keep_entries), &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        Frame.Keep(out_key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_cat_leaves(TensorDict self, long dim, bool sorted)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dict_cat_leaves((td_dict*)self.Pointer, dim, Marshalled.Byte(sorted), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dict_stack_leaves(TensorDict self, long dim, bool sorted)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dict_stack_leaves((td_dict*)self.Pointer, dim, Marshalled.Byte(sorted), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void dict_clear(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_clear((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_become(TensorDict self, TensorDict other)
    {
        td_error* err = null;
        Status status = Api.td_dict_become((td_dict*)self.Pointer, (td_dict*)other.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_create_nested(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_create_nested((td_dict*)self.Pointer, c.Key(key), &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_rename_key_(TensorDict self, Key old_key, Key new_key, bool safe)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_rename_key_((td_dict*)self.Pointer, c.Key(old_key), c.Key(new_key), Marshalled.Byte(safe), &err);
        GC.KeepAlive(self);
        Frame.Keep(old_key);
        Frame.Keep(new_key);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_select(TensorDict self, ReadOnlySpan<Key> keys, bool strict)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_select((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, Marshalled.Byte(strict), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_select_(TensorDict self, ReadOnlySpan<Key> keys, bool strict)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_select_((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, Marshalled.Byte(strict), &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_exclude(TensorDict self, ReadOnlySpan<Key> keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_exclude((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_exclude_(TensorDict self, ReadOnlySpan<Key> keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_exclude_((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_split_keys(TensorDict self, td_key_set* sets, long n, td_split_options* options, td_dict** outs)
    {
        td_error* err = null;
        Status status = Api.td_dict_split_keys((td_dict*)self.Pointer, sets, checked((nuint)n), options, outs, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_separate(TensorDict self, ReadOnlySpan<Key> keys, td_separate_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_separate((td_dict*)self.Pointer, c.Keys(keys), (nuint)keys.Length, options, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_filter_non_tensor_data(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_filter_non_tensor_data((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_empty(TensorDict self, bool recurse)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_empty((td_dict*)self.Pointer, Marshalled.Byte(recurse), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static bool dict_is_empty(TensorDict self)
    {
        var result = Api.td_dict_is_empty((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void dict_filter_empty_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_filter_empty_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_flatten_keys(TensorDict self, string? separator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_flatten_keys((td_dict*)self.Pointer, c.String(separator), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_unflatten_keys(TensorDict self, string? separator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_unflatten_keys((td_dict*)self.Pointer, c.String(separator), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_index(TensorDict self, ReadOnlySpan<IndexPart> indices)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_index((td_dict*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_window(TensorDict self, ReadOnlySpan<IndexPart> indices)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_window((td_dict*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_set_at(TensorDict self, ReadOnlySpan<IndexPart> indices, TensorDict value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_at((td_dict*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, (td_dict*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_set_at_value(TensorDict self, ReadOnlySpan<IndexPart> indices, Value value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_at_value((td_dict*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, c.Value(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_copy_into_at(TensorDict self, Key key, ReadOnlySpan<IndexPart> indices, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_copy_into_at((td_dict*)self.Pointer, c.Key(key), c.IndexParts(indices), (nuint)indices.Length, (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        Frame.Keep(indices);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_get_at(TensorDict self, Key key, ReadOnlySpan<IndexPart> indices)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_get_at((td_dict*)self.Pointer, c.Key(key), c.IndexParts(indices), (nuint)indices.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        Frame.Keep(indices);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_index(Tensor self, ReadOnlySpan<IndexPart> indices)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_tensor_index((td_tensor*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void tensor_set_at(Tensor self, ReadOnlySpan<IndexPart> indices, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_tensor_set_at((td_tensor*)self.Pointer, c.IndexParts(indices), (nuint)indices.Length, (td_tensor*)value.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(indices);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_stack(ReadOnlySpan<TensorDict> dicts, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_stack((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_cat(ReadOnlySpan<TensorDict> dicts, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_cat((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_cat_into(ReadOnlySpan<TensorDict> dicts, long dim, TensorDict target)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_cat_into((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, (td_dict*)target.Pointer, &err);
        Frame.Keep(dicts);
        GC.KeepAlive(target);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_stack_into(ReadOnlySpan<TensorDict> dicts, long dim, TensorDict target)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_stack_into((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, (td_dict*)target.Pointer, &err);
        Frame.Keep(dicts);
        GC.KeepAlive(target);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_pad(TensorDict self, ReadOnlySpan<long> pairs, Value value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status;
        fixed (long* pairs_at = pairs)
            status = Api.td_dict_pad((td_dict*)self.Pointer, pairs_at, (nuint)pairs.Length, c.Value(value), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_pad_sequence(ReadOnlySpan<TensorDict> dicts, td_pad_sequence_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_pad_sequence((td_dict**)c.Handles(dicts), (nuint)dicts.Length, options, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_unpad_sequence(TensorDict self, td_unpad_sequence_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_unpad_sequence((td_dict*)self.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static DictKind dict_kind_of(TensorDict self)
    {
        var result = Api.td_dict_kind_of((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static TensorDict dict_lazy_stack(ReadOnlySpan<TensorDict> dicts, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_lazy_stack((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_lazy_new(ReadOnlySpan<long> element, long dim)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* element_at = element)
            status = Api.td_dict_lazy_new(element_at, (nuint)element.Length, dim, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_maybe_dense_stack(ReadOnlySpan<TensorDict> dicts, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_maybe_dense_stack((td_dict**)c.Handles(dicts), (nuint)dicts.Length, dim, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_to_lazy_stack(TensorDict self, long dim)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_to_lazy_stack((td_dict*)self.Pointer, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static long dict_stack_dim(TensorDict self)
    {
        var result = Api.td_dict_stack_dim((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static TensorDict[] dict_members(TensorDict self)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_members((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static void dict_insert(TensorDict self, long index, ReadOnlySpan<TensorDict> dicts)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_insert((td_dict*)self.Pointer, index, (td_dict**)c.Handles(dicts), (nuint)dicts.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_append(TensorDict self, TensorDict dict)
    {
        td_error* err = null;
        Status status = Api.td_dict_append((td_dict*)self.Pointer, (td_dict*)dict.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long dict_entry_shape(TensorDict self, Key key, long* @out, long capacity)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        nuint made_out_ndim = default;
        Status status = Api.td_dict_entry_shape((td_dict*)self.Pointer, c.Key(key), @out, checked((nuint)capacity), &made_out_ndim, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (long)made_out_ndim;
    }

    internal static Key[] dict_ragged_keys(TensorDict self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_dict_ragged_keys((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] dict_exclusive_keys(TensorDict self, long index)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_dict_exclusive_keys((td_dict*)self.Pointer, index, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Tensor[] dict_get_list(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor_list* made_out = default;
        Status status = Api.td_dict_get_list((td_dict*)self.Pointer, c.Key(key), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeTensors(made_out);
    }

    internal static void dict_set_list(TensorDict self, Key key, ReadOnlySpan<Tensor> values)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_list((td_dict*)self.Pointer, c.Key(key), (td_tensor**)c.Handles(values), (nuint)values.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        Frame.Keep(values);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static (Tensor, Tensor?) dict_get_padded(TensorDict self, Key key, td_padding_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        td_tensor* made_out_mask = default;
        Status status = Api.td_dict_get_padded((td_dict*)self.Pointer, c.Key(key), options, &made_out, &made_out_mask, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Tensor.Take(made_out), Tensor.TakeOrNull(made_out_mask));
    }

    internal static (Tensor, Tensor) dict_get_jagged(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out_values = default;
        td_tensor* made_out_offsets = default;
        Status status = Api.td_dict_get_jagged((td_dict*)self.Pointer, c.Key(key), &made_out_values, &made_out_offsets, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Tensor.Take(made_out_values), Tensor.Take(made_out_offsets));
    }

    internal static TensorDict dict_densify(TensorDict self, td_padding_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_densify((td_dict*)self.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_params(TensorDict self, td_params_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_params((td_dict*)self.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (Key[], Tensor[]) dict_parameters(TensorDict self)
    {
        td_error* err = null;
        td_keys* made_out_keys = default;
        td_tensor_list* made_out_tensors = default;
        Status status = Api.td_dict_parameters((td_dict*)self.Pointer, &made_out_keys, &made_out_tensors, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeKeys(made_out_keys), Marshalled.TakeTensors(made_out_tensors));
    }

    internal static (Key[], Tensor[]) dict_buffers(TensorDict self)
    {
        td_error* err = null;
        td_keys* made_out_keys = default;
        td_tensor_list* made_out_tensors = default;
        Status status = Api.td_dict_buffers((td_dict*)self.Pointer, &made_out_keys, &made_out_tensors, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeKeys(made_out_keys), Marshalled.TakeTensors(made_out_tensors));
    }

    internal static TensorDict dict_gather(TensorDict self, long dim, Tensor index)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_gather((td_dict*)self.Pointer, dim, (td_tensor*)index.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(index);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_masked_select(TensorDict self, Tensor mask)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_masked_select((td_dict*)self.Pointer, (td_tensor*)mask.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(mask);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_where(TensorDict self, Tensor condition, TensorDict other, Value? pad)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_where((td_dict*)self.Pointer, (td_tensor*)condition.Pointer, (td_dict*)other.Pointer, c.Value(pad), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(condition);
        GC.KeepAlive(other);
        Frame.Keep(pad);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_masked_fill(TensorDict self, Tensor mask, Value value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_masked_fill((td_dict*)self.Pointer, (td_tensor*)mask.Pointer, c.Value(value), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(mask);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_masked_fill_(TensorDict self, Tensor mask, Value value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_masked_fill_((td_dict*)self.Pointer, (td_tensor*)mask.Pointer, c.Value(value), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(mask);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_isin(TensorDict self, TensorDict reference, Key key, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_isin((td_dict*)self.Pointer, (td_dict*)reference.Pointer, c.Key(key), dim, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(reference);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static (TensorDict, Tensor?) dict_remove_duplicates(TensorDict self, Key key, long dim)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        td_tensor* made_out_inverse = default;
        Status status = Api.td_dict_remove_duplicates((td_dict*)self.Pointer, c.Key(key), dim, &made_out, &made_out_inverse, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Tensor.TakeOrNull(made_out_inverse));
    }

    internal static (Tensor?, Data?, TensorDict[]) dict_group_by(TensorDict self, Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out_values = default;
        td_data_list* made_out_data = default;
        td_dict_list* made_out_groups = default;
        Status status = Api.td_dict_group_by((td_dict*)self.Pointer, c.Key(key), &made_out_values, &made_out_data, &made_out_groups, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Tensor.TakeOrNull(made_out_values), made_out_data == null ? null : Marshalled.TakeData(made_out_data), Marshalled.TakeDicts(made_out_groups));
    }

    internal static Tensor tensor_expand_right(Tensor self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_expand_right((td_tensor*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_expand_as_right(Tensor self, Tensor other)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_tensor_expand_as_right((td_tensor*)self.Pointer, (td_tensor*)other.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static long dict_numel(TensorDict self)
    {
        var result = Api.td_dict_numel((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static TensorDict dict_view(TensorDict self, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_dict_view((td_dict*)self.Pointer, sizes_at, (nuint)sizes.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_reshape(TensorDict self, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_dict_reshape((td_dict*)self.Pointer, sizes_at, (nuint)sizes.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_flatten(TensorDict self, long start, long end)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_flatten((td_dict*)self.Pointer, start, end, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_unflatten(TensorDict self, long dim, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_dict_unflatten((td_dict*)self.Pointer, dim, sizes_at, (nuint)sizes.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_squeeze(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_dict_squeeze((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_unsqueeze(TensorDict self, long dim)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_unsqueeze((td_dict*)self.Pointer, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_expand(TensorDict self, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_dict_expand((td_dict*)self.Pointer, sizes_at, (nuint)sizes.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_expand_as(TensorDict self, TensorDict other)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_expand_as((td_dict*)self.Pointer, (td_dict*)other.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_permute(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_dict_permute((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_transpose(TensorDict self, long dim0, long dim1)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_transpose((td_dict*)self.Pointer, dim0, dim1, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_movedim(TensorDict self, ReadOnlySpan<long> source, ReadOnlySpan<long> destination)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Frame.Match(source.Length, destination.Length, false);
        Status status;
        fixed (long* source_at = source)
        fixed (long* destination_at = destination)
            status = Api.td_dict_movedim((td_dict*)self.Pointer, source_at, destination_at, (nuint)destination.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_narrow(TensorDict self, long dim, long start, long length)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_narrow((td_dict*)self.Pointer, dim, start, length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict[] dict_split(TensorDict self, long size, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_split((td_dict*)self.Pointer, size, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict[] dict_split_sizes(TensorDict self, ReadOnlySpan<long> sizes, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_dict_split_sizes((td_dict*)self.Pointer, sizes_at, (nuint)sizes.Length, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict[] dict_chunk(TensorDict self, long chunks, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_chunk((td_dict*)self.Pointer, chunks, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict[] dict_tensor_split(TensorDict self, long sections, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_tensor_split((td_dict*)self.Pointer, sections, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict[] dict_tensor_split_at(TensorDict self, ReadOnlySpan<long> indices, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status;
        fixed (long* indices_at = indices)
            status = Api.td_dict_tensor_split_at((td_dict*)self.Pointer, indices_at, (nuint)indices.Length, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict[] dict_unbind(TensorDict self, long dim)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_unbind((td_dict*)self.Pointer, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static TensorDict dict_repeat(TensorDict self, ReadOnlySpan<long> repeats)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* repeats_at = repeats)
            status = Api.td_dict_repeat((td_dict*)self.Pointer, repeats_at, (nuint)repeats.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_tile(TensorDict self, ReadOnlySpan<long> repeats)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* repeats_at = repeats)
            status = Api.td_dict_tile((td_dict*)self.Pointer, repeats_at, (nuint)repeats.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_repeat_interleave(TensorDict self, ReadOnlySpan<long> repeats, long dim)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* repeats_at = repeats)
            status = Api.td_dict_repeat_interleave((td_dict*)self.Pointer, repeats_at, (nuint)repeats.Length, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_flip(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_dict_flip((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_roll(TensorDict self, ReadOnlySpan<long> shifts, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* shifts_at = shifts)
        fixed (long* dims_at = dims)
            status = Api.td_dict_roll((td_dict*)self.Pointer, shifts_at, (nuint)shifts.Length, dims_at, (nuint)dims.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_rot90(TensorDict self, long times, long dim0, long dim1)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_rot90((td_dict*)self.Pointer, times, dim0, dim1, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_contiguous(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_contiguous((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static bool dict_is_contiguous(TensorDict self)
    {
        var result = Api.td_dict_is_contiguous((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void dict_auto_batch_size_(TensorDict self, long limit)
    {
        td_error* err = null;
        Status status = Api.td_dict_auto_batch_size_((td_dict*)self.Pointer, limit, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_new_empty(TensorDict self, ReadOnlySpan<long> batch_size, DType dtype)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_new_empty((td_dict*)self.Pointer, batch_size_at, (nuint)batch_size.Length, dtype, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_new_full(TensorDict self, ReadOnlySpan<long> batch_size, Value value, DType dtype)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_new_full((td_dict*)self.Pointer, batch_size_at, (nuint)batch_size.Length, c.Value(value), dtype, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_new_tensor(TensorDict self, Value data, td_new_tensor_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_new_tensor((td_dict*)self.Pointer, c.Value(data), options, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (Tensor, PackLayout?) dict_pack(TensorDict self, long dim, PackLayout? layout)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        td_pack_layout* made_out_layout = default;
        Status status = Api.td_dict_pack((td_dict*)self.Pointer, dim, (td_pack_layout*)NativeObject.PointerOrNull(layout), &made_out, &made_out_layout, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(layout);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Tensor.Take(made_out), PackLayout.TakeOrNull(made_out_layout));
    }

    internal static PackLayout pack_layout_new(td_pack_entry* columns, long n_columns, td_pack_entry* nested, long n_nested, long dim, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_pack_layout* made_out = default;
        Status status = Api.td_pack_layout_new(columns, checked((nuint)n_columns), nested, checked((nuint)n_nested), dim, c.String(device), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return PackLayout.Take(made_out);
    }

    internal static TensorDict pack_layout_unpack(PackLayout self, Tensor packed)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_pack_layout_unpack((td_pack_layout*)self.Pointer, (td_tensor*)packed.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(packed);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Key[] pack_layout_keys(PackLayout self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_pack_layout_keys((td_pack_layout*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] pack_layout_nested(PackLayout self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_pack_layout_nested((td_pack_layout*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static long pack_layout_shape(PackLayout self, long index, long* @out, long capacity)
    {
        var result = Api.td_pack_layout_shape((td_pack_layout*)self.Pointer, index, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long pack_layout_nested_shape(PackLayout self, long index, long* @out, long capacity)
    {
        var result = Api.td_pack_layout_nested_shape((td_pack_layout*)self.Pointer, index, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long pack_layout_offset(PackLayout self, long index)
    {
        var result = Api.td_pack_layout_offset((td_pack_layout*)self.Pointer, index);
        GC.KeepAlive(self);
        return result;
    }

    internal static long pack_layout_numel(PackLayout self)
    {
        var result = Api.td_pack_layout_numel((td_pack_layout*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long pack_layout_dim(PackLayout self)
    {
        var result = Api.td_pack_layout_dim((td_pack_layout*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static string? pack_layout_device(PackLayout self)
    {
        var result = Api.td_pack_layout_device((td_pack_layout*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static bool pack_layout_equal(PackLayout self, PackLayout? other)
    {
        var result = Api.td_pack_layout_equal((td_pack_layout*)self.Pointer, (td_pack_layout*)NativeObject.PointerOrNull(other));
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        return result != 0;
    }

    internal static string pack_layout_repr(PackLayout self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_pack_layout_repr((td_pack_layout*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void dict_set_names(TensorDict self, ReadOnlySpan<string?> names)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_set_names((td_dict*)self.Pointer, c.Strings(names), (nuint)names.Length, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string? dict_name(TensorDict self, long dim)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dict_name((td_dict*)self.Pointer, dim, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out == null ? null : Marshalled.TakeString(made_out);
    }

    internal static void dict_refine_names(TensorDict self, ReadOnlySpan<string?> names)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_refine_names((td_dict*)self.Pointer, c.Strings(names), (nuint)names.Length, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_rename_names(TensorDict self, ReadOnlySpan<string?> from, ReadOnlySpan<string?> to)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Frame.Match(from.Length, to.Length, false);
        Status status = Api.td_dict_rename_names((td_dict*)self.Pointer, c.Strings(from), c.Strings(to), (nuint)to.Length, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict? dict_pointwise(Operator op, ReadOnlySpan<Value> operands, ReadOnlySpan<NamedValue> kwargs, td_pointwise_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_pointwise((td_op*)op.Pointer, c.Values(operands), (nuint)operands.Length, c.NamedValues(kwargs), (nuint)kwargs.Length, options, &made_out, &err);
        GC.KeepAlive(op);
        Frame.Keep(operands);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.TakeOrNull(made_out);
    }

    internal static void dict_apply_op(Operator op, ReadOnlySpan<Value> args, ReadOnlySpan<NamedValue> kwargs, td_dict** outs, long n_outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_apply_op((td_op*)op.Pointer, c.Values(args), (nuint)args.Length, c.NamedValues(kwargs), (nuint)kwargs.Length, outs, checked((nuint)n_outs), &err);
        GC.KeepAlive(op);
        Frame.Keep(args);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_reduce(TensorDict self, Operator op, ReadOnlySpan<NamedValue> kwargs, td_reduce_options* options, td_dict** outs, long n_outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_dict_reduce((td_dict*)self.Pointer, (td_op*)op.Pointer, c.NamedValues(kwargs), (nuint)kwargs.Length, options, outs, checked((nuint)n_outs), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(op);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor dict_reduce_all(TensorDict self, Operator op, ReadOnlySpan<NamedValue> kwargs, td_reduce_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_reduce_all((td_dict*)self.Pointer, (td_op*)op.Pointer, c.NamedValues(kwargs), (nuint)kwargs.Length, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(op);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static bool dict_all(TensorDict self)
    {
        td_error* err = null;
        byte made_out = default;
        Status status = Api.td_dict_all((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out != 0;
    }

    internal static bool dict_any(TensorDict self)
    {
        td_error* err = null;
        byte made_out = default;
        Status status = Api.td_dict_any((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out != 0;
    }

    internal static Data data_list_new(td_data* values, ReadOnlySpan<long> shape)
    {
        td_error* err = null;
        td_data_list* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_data_list_new(values, shape_at, (nuint)shape.Length, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeData(made_out);
    }

    internal static TensorDict? dict_map(TensorDict self, td_map_function* function, ReadOnlySpan<TensorDict> others, td_map_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_map((td_dict*)self.Pointer, function, (td_dict**)c.Handles(others), (nuint)others.Length, options, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(others);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.TakeOrNull(made_out);
    }

    internal static TensorDict dict_merge_with(ReadOnlySpan<TensorDict> dicts, td_map_function* function)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_merge_with((td_dict**)c.Handles(dicts), (nuint)dicts.Length, function, &made_out, &err);
        Frame.Keep(dicts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static bool dict_requires_grad(TensorDict self)
    {
        var result = Api.td_dict_requires_grad((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void dict_requires_grad_(TensorDict self, bool requires_grad)
    {
        td_error* err = null;
        Status status = Api.td_dict_requires_grad_((td_dict*)self.Pointer, Marshalled.Byte(requires_grad), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_detach(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_detach((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_detach_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_detach_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict? dict_grad(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_grad((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.TakeOrNull(made_out);
    }

    internal static void dict_zero_grad(TensorDict self, bool set_to_none)
    {
        td_error* err = null;
        Status status = Api.td_dict_zero_grad((td_dict*)self.Pointer, Marshalled.Byte(set_to_none), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_backward(TensorDict self, TensorDict? gradient, TensorDict? inputs, td_backward_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_backward((td_dict*)self.Pointer, (td_dict*)NativeObject.PointerOrNull(gradient), (td_dict*)NativeObject.PointerOrNull(inputs), options, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(gradient);
        GC.KeepAlive(inputs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_autograd_grad(TensorDict self, TensorDict inputs, TensorDict? gradient, td_backward_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_autograd_grad((td_dict*)self.Pointer, (td_dict*)inputs.Pointer, (td_dict*)NativeObject.PointerOrNull(gradient), options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(inputs);
        GC.KeepAlive(gradient);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_to(TensorDict self, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_to((td_dict*)self.Pointer, dtype, c.String(device), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_pin_memory(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_pin_memory((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_state_dict(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_state_dict((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_load_state_dict(TensorDict self, TensorDict state, td_load_state_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_load_state_dict((td_dict*)self.Pointer, (td_dict*)state.Pointer, options, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_lock_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_lock_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_unlock_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_unlock_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool dict_is_locked(TensorDict self)
    {
        var result = Api.td_dict_is_locked((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void dict_share_memory_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_share_memory_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool dict_is_shared(TensorDict self)
    {
        var result = Api.td_dict_is_shared((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static string dict_repr(TensorDict self, ReprFlags flags)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dict_repr((td_dict*)self.Pointer, flags, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static TensorDict dict_parse(string? text, td_parse_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_parse(c.String(text), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (bool, string?) tensor_equal(Tensor self, Tensor other, td_equal_options* options)
    {
        td_error* err = null;
        byte made_out = default;
        td_string* made_out_difference = default;
        Status status = Api.td_tensor_equal((td_tensor*)self.Pointer, (td_tensor*)other.Pointer, options, &made_out, &made_out_difference, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (made_out != 0, made_out_difference == null ? null : Marshalled.TakeString(made_out_difference));
    }

    internal static (bool, string?) dict_equal(TensorDict self, TensorDict other, td_equal_options* options)
    {
        td_error* err = null;
        byte made_out = default;
        td_string* made_out_difference = default;
        Status status = Api.td_dict_equal((td_dict*)self.Pointer, (td_dict*)other.Pointer, options, &made_out, &made_out_difference, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(other);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (made_out != 0, made_out_difference == null ? null : Marshalled.TakeString(made_out_difference));
    }

    internal static Scope scope_unlock(TensorDict self)
    {
        td_error* err = null;
        td_scope* made_out = default;
        Status status = Api.td_scope_unlock((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Scope.Take(made_out);
    }

    internal static (TensorDict, Scope) scope_flatten_keys(TensorDict self, string? separator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_flatten_keys((td_dict*)self.Pointer, c.String(separator), &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_unflatten_keys(TensorDict self, string? separator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_unflatten_keys((td_dict*)self.Pointer, c.String(separator), &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_to(TensorDict self, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_to((td_dict*)self.Pointer, dtype, c.String(device), &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static void scope_end(Scope self)
    {
        td_error* err = null;
        Status status = Api.td_scope_end((td_scope*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void scope_cancel(Scope self)
    {
        td_error* err = null;
        Status status = Api.td_scope_cancel((td_scope*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static (TensorDict, Scope) scope_view(TensorDict self, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_scope_view((td_dict*)self.Pointer, sizes_at, (nuint)sizes.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_flatten(TensorDict self, long start, long end)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_flatten((td_dict*)self.Pointer, start, end, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_unflatten(TensorDict self, long dim, ReadOnlySpan<long> sizes)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* sizes_at = sizes)
            status = Api.td_scope_unflatten((td_dict*)self.Pointer, dim, sizes_at, (nuint)sizes.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_squeeze(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_scope_squeeze((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_unsqueeze(TensorDict self, long dim)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_unsqueeze((td_dict*)self.Pointer, dim, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_permute(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_scope_permute((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_transpose(TensorDict self, long dim0, long dim1)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status = Api.td_scope_transpose((td_dict*)self.Pointer, dim0, dim1, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_movedim(TensorDict self, ReadOnlySpan<long> source, ReadOnlySpan<long> destination)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Frame.Match(source.Length, destination.Length, false);
        Status status;
        fixed (long* source_at = source)
        fixed (long* destination_at = destination)
            status = Api.td_scope_movedim((td_dict*)self.Pointer, source_at, destination_at, (nuint)destination.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_flip(TensorDict self, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_scope_flip((td_dict*)self.Pointer, dims_at, (nuint)dims.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static (TensorDict, Scope) scope_roll(TensorDict self, ReadOnlySpan<long> shifts, ReadOnlySpan<long> dims)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_scope* made_out_scope = default;
        Status status;
        fixed (long* shifts_at = shifts)
        fixed (long* dims_at = dims)
            status = Api.td_scope_roll((td_dict*)self.Pointer, shifts_at, (nuint)shifts.Length, dims_at, (nuint)dims.Length, &made_out, &made_out_scope, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out), Scope.Take(made_out_scope));
    }

    internal static string? format_name(Format format)
    {
        var result = Api.td_format_name(format);
        return Marshalled.Text(result);
    }

    internal static Format format_detect(string? path)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Format made_out = default;
        Status status = Api.td_format_detect(c.String(path), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static Format format_of_ending(string? path)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Format made_out = default;
        Status status = Api.td_format_of_ending(c.String(path), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static TensorDict open(string? path, td_open_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_open(c.String(path), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void save(TensorDict self, string? path, td_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_save((td_dict*)self.Pointer, c.String(path), options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void archive_verify(string? path)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_archive_verify(c.String(path), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void archive_refresh_checksums(string? path)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_archive_refresh_checksums(c.String(path), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_consolidate(TensorDict self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_consolidate((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dict_memmap_like(TensorDict self, string? path, td_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_memmap_like((td_dict*)self.Pointer, c.String(path), options, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Tensor? dict_make_memmap(TensorDict self, Key key, ReadOnlySpan<long> shape, DType dtype)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dict_make_memmap((td_dict*)self.Pointer, c.Key(key), shape_at, (nuint)shape.Length, dtype, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.TakeOrNull(made_out);
    }

    internal static Tensor? dict_make_memmap_from(TensorDict self, Key key, Tensor value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_dict_make_memmap_from((td_dict*)self.Pointer, c.Key(key), (td_tensor*)value.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(key);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.TakeOrNull(made_out);
    }

    internal static void dict_memmap_refresh_(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_dict_memmap_refresh_((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool dict_is_memmap(TensorDict self)
    {
        var result = Api.td_dict_is_memmap((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static string? dict_saved_path(TensorDict self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dict_saved_path((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out == null ? null : Marshalled.TakeString(made_out);
    }

    internal static string? dict_python_class(TensorDict self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dict_python_class((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out == null ? null : Marshalled.TakeString(made_out);
    }

    internal static string dict_python_fields(TensorDict self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dict_python_fields((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void append_memmap(string? path, TensorDict rows, bool sync)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_append_memmap(c.String(path), (td_dict*)rows.Pointer, Marshalled.Byte(sync), &err);
        GC.KeepAlive(rows);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor tensor_memmap_zeros(string? path, ReadOnlySpan<long> dims, DType dtype, td_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_memmap_zeros(c.String(path), dims_at, (nuint)dims.Length, dtype, options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_memmap_full(string? path, ReadOnlySpan<long> dims, Value value, DType dtype, td_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_memmap_full(c.String(path), dims_at, (nuint)dims.Length, c.Value(value), dtype, options, &made_out, &err);
        Frame.Keep(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_memmap_from(Tensor self, string? path, td_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_tensor_memmap_from((td_tensor*)self.Pointer, c.String(path), options, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor tensor_memmap_open(string? path, ReadOnlySpan<long> dims, DType dtype, OpenMode mode)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status;
        fixed (long* dims_at = dims)
            status = Api.td_tensor_memmap_open(c.String(path), dims_at, (nuint)dims.Length, dtype, mode, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static string? tensor_saved_path(Tensor self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_tensor_saved_path((td_tensor*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out == null ? null : Marshalled.TakeString(made_out);
    }

    internal static TensorDict persistent_open(string? path, td_persistent_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_persistent_open(c.String(path), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict persistent_create(string? path, td_persistent_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_persistent_create(c.String(path), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static string persistent_file(TensorDict self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_persistent_file((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static bool persistent_is_writable(TensorDict self)
    {
        var result = Api.td_persistent_is_writable((td_dict*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static void persistent_close(TensorDict self)
    {
        td_error* err = null;
        Status status = Api.td_persistent_close((td_dict*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_from_schema(td_schema_entry* entries, long n, ReadOnlySpan<long> batch_size, td_schema_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* batch_size_at = batch_size)
            status = Api.td_dict_from_schema(entries, checked((nuint)n), batch_size_at, (nuint)batch_size.Length, options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Segment segment_create(string? name, TensorDict dict, td_segment_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_segment* made_out = default;
        Status status = Api.td_segment_create(c.String(name), (td_dict*)dict.Pointer, options, &made_out, &err);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Segment.Take(made_out);
    }

    internal static Segment segment_open(string? name, td_segment_open_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_segment* made_out = default;
        Status status = Api.td_segment_open(c.String(name), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Segment.Take(made_out);
    }

    internal static TensorDict segment_dict(Segment self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_segment_dict((td_segment*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void segment_update(Segment self, TensorDict src)
    {
        td_error* err = null;
        Status status = Api.td_segment_update((td_segment*)self.Pointer, (td_dict*)src.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict segment_snapshot(Segment self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_segment_snapshot((td_segment*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static ulong segment_version(Segment self)
    {
        var result = Api.td_segment_version((td_segment*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static ulong segment_wait(Segment self, ulong seen, long timeout_ms, Cancel? cancel)
    {
        td_error* err = null;
        ulong made_out_version = default;
        Status status = Api.td_segment_wait((td_segment*)self.Pointer, seen, timeout_ms, (td_cancel*)NativeObject.PointerOrNull(cancel), &made_out_version, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(cancel);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_version;
    }

    internal static string? segment_path(Segment self)
    {
        var result = Api.td_segment_path((td_segment*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static long segment_nbytes(Segment self)
    {
        var result = Api.td_segment_nbytes((td_segment*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static void segment_unlink(string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_segment_unlink(c.String(name), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string segment_list(string? prefix)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_string* made_out = default;
        Status status = Api.td_segment_list(c.String(prefix), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static long segment_prune(string? prefix)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        long made_out_removed = default;
        Status status = Api.td_segment_prune(c.String(prefix), &made_out_removed, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_removed;
    }

    internal static void segment_send(TensorDict dict, int socket)
    {
        td_error* err = null;
        Status status = Api.td_segment_send((td_dict*)dict.Pointer, socket, &err);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Segment segment_receive(int socket, long timeout_ms)
    {
        td_error* err = null;
        td_segment* made_out = default;
        Status status = Api.td_segment_receive(socket, timeout_ms, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Segment.Take(made_out);
    }

    internal static int segment_export(TensorDict dict)
    {
        td_error* err = null;
        int made_out_fd = default;
        Status status = Api.td_segment_export((td_dict*)dict.Pointer, &made_out_fd, &err);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_fd;
    }

    internal static Segment segment_import(int fd)
    {
        td_error* err = null;
        td_segment* made_out = default;
        Status status = Api.td_segment_import(fd, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Segment.Take(made_out);
    }

    internal static Channel channel_create(string? name, TensorDict schema, td_channel_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_channel* made_out = default;
        Status status = Api.td_channel_create(c.String(name), (td_dict*)schema.Pointer, options, &made_out, &err);
        GC.KeepAlive(schema);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Channel.Take(made_out);
    }

    internal static Channel channel_open(string? name, ChannelRole roles, td_channel_open_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_channel* made_out = default;
        Status status = Api.td_channel_open(c.String(name), roles, options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Channel.Take(made_out);
    }

    internal static Message channel_acquire(Channel self, long timeout_ms, Cancel? cancel)
    {
        td_error* err = null;
        td_message* made_out = default;
        Status status = Api.td_channel_acquire((td_channel*)self.Pointer, timeout_ms, (td_cancel*)NativeObject.PointerOrNull(cancel), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(cancel);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Message.Take(made_out);
    }

    internal static Message channel_take(Channel self, long timeout_ms, Cancel? cancel)
    {
        td_error* err = null;
        td_message* made_out = default;
        Status status = Api.td_channel_take((td_channel*)self.Pointer, timeout_ms, (td_cancel*)NativeObject.PointerOrNull(cancel), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(cancel);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Message.Take(made_out);
    }

    internal static int channel_descriptor(Channel self, ChannelRole role)
    {
        td_error* err = null;
        int made_out_fd = default;
        Status status = Api.td_channel_descriptor((td_channel*)self.Pointer, role, &made_out_fd, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_fd;
    }

    internal static void channel_close(Channel self)
    {
        td_error* err = null;
        Status status = Api.td_channel_close((td_channel*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static int channel_sweep(Channel self)
    {
        td_error* err = null;
        int made_out_dead = default;
        Status status = Api.td_channel_sweep((td_channel*)self.Pointer, &made_out_dead, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_dead;
    }

    internal static void channel_stats(Channel self, td_channel_statistics* @out)
    {
        td_error* err = null;
        Status status = Api.td_channel_stats((td_channel*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string channel_dump(Channel self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_channel_dump((td_channel*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void channel_get_options(Channel self, td_channel_options* @out)
    {
        td_error* err = null;
        Status status = Api.td_channel_get_options((td_channel*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict channel_schema(Channel self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_channel_schema((td_channel*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static string? channel_path(Channel self)
    {
        var result = Api.td_channel_path((td_channel*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static long channel_nbytes(Channel self)
    {
        var result = Api.td_channel_nbytes((td_channel*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static void channel_unlink(string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_channel_unlink(c.String(name), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict message_dict(Message self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_message_dict((td_message*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict message_clone(Message self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_message_clone((td_message*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static long message_open_views(Message self)
    {
        var result = Api.td_message_open_views((td_message*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static void message_publish(Message self)
    {
        td_error* err = null;
        Status status = Api.td_message_publish((td_message*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long message_number(Message self)
    {
        var result = Api.td_message_number((td_message*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static int message_delivery(Message self)
    {
        var result = Api.td_message_delivery((td_message*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static long message_lag(Message self)
    {
        var result = Api.td_message_lag((td_message*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static void group_open(string? store, td_group_options* options, td_group** @out)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_group_open(c.String(store), options, @out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void group_adopt(string? name, bool beside_stock, td_group** @out)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_group_adopt(c.String(name), Marshalled.Byte(beside_stock), @out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static int group_rank(td_group* self)
    {
        var result = Api.td_group_rank(self);
        return result;
    }

    internal static long group_size(td_group* self)
    {
        var result = Api.td_group_size(self);
        return (long)result;
    }

    internal static void group_barrier(td_group* self)
    {
        td_error* err = null;
        Status status = Api.td_group_barrier(self, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void group_set(td_group* self, string? key, string? value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_group_set(self, c.String(key), c.String(value), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string group_get(td_group* self, string? key, long timeout_ms, Cancel? cancel)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_string* made_out = default;
        Status status = Api.td_group_get(self, c.String(key), timeout_ms, (td_cancel*)NativeObject.PointerOrNull(cancel), &made_out, &err);
        GC.KeepAlive(cancel);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static long group_add(td_group* self, string? key, long n)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        long made_out = default;
        Status status = Api.td_group_add(self, c.String(key), n, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static bool group_remove(td_group* self, string? key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        byte made_out_removed = default;
        Status status = Api.td_group_remove(self, c.String(key), &made_out_removed, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_removed != 0;
    }

    internal static void dict_send(TensorDict self, td_group* group, int dst, td_transfer_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_send((td_dict*)self.Pointer, group, dst, options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_recv(TensorDict self, td_group* group, int src, td_transfer_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_recv((td_dict*)self.Pointer, group, src, options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_init_remote(TensorDict self, td_group* group, int dst)
    {
        td_error* err = null;
        Status status = Api.td_dict_init_remote((td_dict*)self.Pointer, group, dst, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_from_remote_init(td_group* group, int src)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_from_remote_init(group, src, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_isend(TensorDict self, td_group* group, int dst, td_transfer_options* options, td_work** @out)
    {
        td_error* err = null;
        Status status = Api.td_dict_isend((td_dict*)self.Pointer, group, dst, options, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_irecv(TensorDict self, td_group* group, int src, td_transfer_options* options, td_work** @out)
    {
        td_error* err = null;
        Status status = Api.td_dict_irecv((td_dict*)self.Pointer, group, src, options, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void work_wait(td_work* self, long timeout_ms, Cancel? cancel)
    {
        td_error* err = null;
        Status status = Api.td_work_wait(self, timeout_ms, (td_cancel*)NativeObject.PointerOrNull(cancel), &err);
        GC.KeepAlive(cancel);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool work_done(td_work* self)
    {
        var result = Api.td_work_done(self);
        return result != 0;
    }

    internal static TensorDict dict_broadcast(TensorDict self, td_group* group, int src)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_broadcast((td_dict*)self.Pointer, group, src, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void dict_all_reduce(TensorDict self, td_group* group, td_group_reduce_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_all_reduce((td_dict*)self.Pointer, group, options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dict_reduce_to(TensorDict self, td_group* group, int dst, td_group_reduce_options* options)
    {
        td_error* err = null;
        Status status = Api.td_dict_reduce_to((td_dict*)self.Pointer, group, dst, options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict[] dict_all_gather(TensorDict self, td_group* group)
    {
        td_error* err = null;
        td_dict_list* made_out = default;
        Status status = Api.td_dict_all_gather((td_dict*)self.Pointer, group, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeDicts(made_out);
    }

    internal static void dict_gather_and_stack(TensorDict self, td_group* group, int dst)
    {
        td_error* err = null;
        Status status = Api.td_dict_gather_and_stack((td_dict*)self.Pointer, group, dst, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict remote_open(string? url, td_remote_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_remote_open(c.String(url), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict remote_create(string? url, td_remote_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_remote_create(c.String(url), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Key[] remote_list(string? url, td_remote_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_keys* made_out = default;
        Status status = Api.td_remote_list(c.String(url), options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static void remote_remove(string? url, td_remote_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_remote_remove(c.String(url), options, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long remote_version(TensorDict self)
    {
        td_error* err = null;
        long made_out = default;
        Status status = Api.td_remote_version((td_dict*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static void remote_update_if(TensorDict self, TensorDict src, long version)
    {
        td_error* err = null;
        Status status = Api.td_remote_update_if((td_dict*)self.Pointer, (td_dict*)src.Pointer, version, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(src);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Interaction interaction_from_name(string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Interaction made_out = default;
        Status status = Api.td_interaction_from_name(c.String(name), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static void interaction_run(Interaction type, delegate* unmanaged[Cdecl]<void*, td_error**, Status> fn, void* userdata)
    {
        td_error* err = null;
        Status status = Api.td_interaction_run(type, fn, userdata, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Interaction interaction_set(Interaction type)
    {
        td_error* err = null;
        Interaction made_out_previous = default;
        Status status = Api.td_interaction_set(type, &made_out_previous, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_previous;
    }

    internal static Interaction interaction_get()
    {
        var result = Api.td_interaction_get();
        return result;
    }

    internal static Tensor dist_interact(Distribution self, Interaction type, ReadOnlySpan<long> shape, long n_empirical, Generator? generator)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_interact((td_dist*)self.Pointer, type, shape_at, (nuint)shape.Length, n_empirical, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Module module_new(string? type, string? config, Generator? generator)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_new(c.String(type), c.String(config), (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_from_function(td_module_function* function)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_from_function(function, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static string module_type_name(Module self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_module_type_name((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static string module_config(Module self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_module_config((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void module_train(Module self, bool training)
    {
        td_error* err = null;
        Status status = Api.td_module_train((td_module*)self.Pointer, Marshalled.Byte(training), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_forward(Module self, TensorDict data)
    {
        td_error* err = null;
        Status status = Api.td_module_forward((td_module*)self.Pointer, (td_dict*)data.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_forward_with_state(Module self, TensorDict state, TensorDict data)
    {
        td_error* err = null;
        Status status = Api.td_module_forward_with_state((td_module*)self.Pointer, (td_dict*)state.Pointer, (td_dict*)data.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_call(Module self, ReadOnlySpan<Tensor> inputs, td_tensor** outputs, long n_outputs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_call((td_module*)self.Pointer, (td_tensor**)c.Handles(inputs), (nuint)inputs.Length, outputs, checked((nuint)n_outputs), &err);
        GC.KeepAlive(self);
        Frame.Keep(inputs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_from_module(Module module)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dict_from_module((td_module*)module.Pointer, &made_out, &err);
        GC.KeepAlive(module);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict module_vmap(Module self, TensorDict states, TensorDict data, td_vmap_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_module_vmap((td_module*)self.Pointer, (td_dict*)states.Pointer, (td_dict*)data.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(states);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Module module_from_params(TensorDict @params)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_from_params((td_dict*)@params.Pointer, &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_from_values(td_values_function* function)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_from_values(function, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_wrap(td_dict_function* function, bool inplace, ReadOnlySpan<Key> in_keys, ReadOnlySpan<Key> out_keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_wrap(function, Marshalled.Byte(inplace), c.Keys(in_keys), (nuint)in_keys.Length, c.Keys(out_keys), (nuint)out_keys.Length, &made_out, &err);
        Frame.Keep(in_keys);
        Frame.Keep(out_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_tensordict(Module inner, ReadOnlySpan<Key> in_keys, ReadOnlySpan<Key> out_keys, td_tensordict_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_tensordict((td_module*)inner.Pointer, c.Keys(in_keys), (nuint)in_keys.Length, c.Keys(out_keys), (nuint)out_keys.Length, options, &made_out, &err);
        GC.KeepAlive(inner);
        Frame.Keep(in_keys);
        Frame.Keep(out_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_sequential(ReadOnlySpan<Module> modules, td_sequential_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_sequential((td_module**)c.Handles(modules), (nuint)modules.Length, options, &made_out, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_chain(ReadOnlySpan<Module> modules, ReadOnlySpan<string?> names)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Frame.Match(names.Length, modules.Length, true);
        Status status = Api.td_module_chain((td_module**)c.Handles(modules), (nuint)modules.Length, c.Strings(names), &made_out, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_list(ReadOnlySpan<Module> modules, ReadOnlySpan<string?> names)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Frame.Match(names.Length, modules.Length, true);
        Status status = Api.td_module_list((td_module**)c.Handles(modules), (nuint)modules.Length, c.Strings(names), &made_out, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static TensorDict module_run(Module self, TensorDict data, td_run_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_module_run((td_module*)self.Pointer, (td_dict*)data.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static long module_dispatch(Module self, ReadOnlySpan<Value> args, ReadOnlySpan<NamedValue> kwargs, string? separator, td_value* outs, long capacity)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        nuint made_n_outs = default;
        Status status = Api.td_module_dispatch((td_module*)self.Pointer, c.Values(args), (nuint)args.Length, c.NamedValues(kwargs), (nuint)kwargs.Length, c.String(separator), outs, checked((nuint)capacity), &made_n_outs, &err);
        GC.KeepAlive(self);
        Frame.Keep(args);
        Frame.Keep(kwargs);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (long)made_n_outs;
    }

    internal static Key[] module_in_keys(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_in_keys((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] module_out_keys(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_out_keys((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] module_out_keys_source(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_out_keys_source((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static void module_select_out_keys(Module self, ReadOnlySpan<Key> keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_select_out_keys((td_module*)self.Pointer, c.Keys(keys), (nuint)keys.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_reset_out_keys(Module self)
    {
        td_error* err = null;
        Status status = Api.td_module_reset_out_keys((td_module*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Module module_select_subsequence(Module self, ReadOnlySpan<Key> in_keys, ReadOnlySpan<Key> out_keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_select_subsequence((td_module*)self.Pointer, c.Keys(in_keys), (nuint)in_keys.Length, c.Keys(out_keys), (nuint)out_keys.Length, &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(in_keys);
        Frame.Keep(out_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static long module_size(Module self)
    {
        var result = Api.td_module_size((td_module*)self.Pointer);
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static Module module_member(Module self, long index)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_member((td_module*)self.Pointer, index, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_slice(Module self, long start, long stop, long step)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_slice((td_module*)self.Pointer, start, stop, step, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static void module_set_member(Module self, long index, Module member)
    {
        td_error* err = null;
        Status status = Api.td_module_set_member((td_module*)self.Pointer, index, (td_module*)member.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(member);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_remove_member(Module self, long index)
    {
        td_error* err = null;
        Status status = Api.td_module_remove_member((td_module*)self.Pointer, index, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict dict_from_modules(ReadOnlySpan<Module> modules, td_from_modules_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_dict_from_modules((td_module**)c.Handles(modules), (nuint)modules.Length, options, &made_out, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (TensorDict, TensorDict) module_stack_state(ReadOnlySpan<Module> modules)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out_params = default;
        td_dict* made_out_buffers = default;
        Status status = Api.td_module_stack_state((td_module**)c.Handles(modules), (nuint)modules.Length, &made_out_params, &made_out_buffers, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.Take(made_out_params), TensorDict.Take(made_out_buffers));
    }

    internal static void module_functional_call(Module self, ReadOnlySpan<TensorDict> states, td_functional_options* options, ReadOnlySpan<Tensor> inputs, td_tensor** outputs, long n_outputs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_functional_call((td_module*)self.Pointer, (td_dict**)c.Handles(states), (nuint)states.Length, options, (td_tensor**)c.Handles(inputs), (nuint)inputs.Length, outputs, checked((nuint)n_outputs), &err);
        GC.KeepAlive(self);
        Frame.Keep(states);
        Frame.Keep(inputs);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict module_state_dict(Module self, string? prefix, bool keep_vars)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dict* made_out = default;
        Status status = Api.td_module_state_dict((td_module*)self.Pointer, c.String(prefix), Marshalled.Byte(keep_vars), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static (Key[]?, Key[]?) module_load_state_dict(Module self, TensorDict state, td_load_options* options)
    {
        td_error* err = null;
        td_keys* made_out_missing = default;
        td_keys* made_out_unexpected = default;
        Status status = Api.td_module_load_state_dict((td_module*)self.Pointer, (td_dict*)state.Pointer, options, &made_out_missing, &made_out_unexpected, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (made_out_missing == null ? null : Marshalled.TakeKeys(made_out_missing), made_out_unexpected == null ? null : Marshalled.TakeKeys(made_out_unexpected));
    }

    internal static void module_set_extra_state(Module self, td_extra_state* extra)
    {
        td_error* err = null;
        Status status = Api.td_module_set_extra_state((td_module*)self.Pointer, extra, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Scope module_swap(Module self, TensorDict @params, bool preserve_module_state)
    {
        td_error* err = null;
        td_scope* made_out = default;
        Status status = Api.td_module_swap((td_module*)self.Pointer, (td_dict*)@params.Pointer, Marshalled.Byte(preserve_module_state), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Scope.Take(made_out);
    }

    internal static (Key[], Tensor[]) module_parameters(Module self, td_list_options* options)
    {
        td_error* err = null;
        td_keys* made_out_keys = default;
        td_tensor_list* made_out_tensors = default;
        Status status = Api.td_module_parameters((td_module*)self.Pointer, options, &made_out_keys, &made_out_tensors, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeKeys(made_out_keys), Marshalled.TakeTensors(made_out_tensors));
    }

    internal static (Key[], Tensor[]) module_buffers(Module self, td_list_options* options)
    {
        td_error* err = null;
        td_keys* made_out_keys = default;
        td_tensor_list* made_out_tensors = default;
        Status status = Api.td_module_buffers((td_module*)self.Pointer, options, &made_out_keys, &made_out_tensors, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (Marshalled.TakeKeys(made_out_keys), Marshalled.TakeTensors(made_out_tensors));
    }

    internal static void module_visit(Module self, VisitOrder order, td_list_options* options, delegate* unmanaged[Cdecl]<void*, td_key*, td_module*, td_error**, Status> visit, void* userdata)
    {
        td_error* err = null;
        Status status = Api.td_module_visit((td_module*)self.Pointer, order, options, visit, userdata, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor module_get_parameter(Module self, Key? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_module_get_parameter((td_module*)self.Pointer, c.Key(name), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor module_get_buffer(Module self, Key? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_tensor* made_out = default;
        Status status = Api.td_module_get_buffer((td_module*)self.Pointer, c.Key(name), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Module module_get_submodule(Module self, Key? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_get_submodule((td_module*)self.Pointer, c.Key(name), &made_out, &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static void module_set_parameter(Module self, Key name, Tensor? value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_set_parameter((td_module*)self.Pointer, c.Key(name), (td_tensor*)NativeObject.PointerOrNull(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_set_buffer(Module self, Key name, Tensor? value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_set_buffer((td_module*)self.Pointer, c.Key(name), (td_tensor*)NativeObject.PointerOrNull(value), &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_set_submodule(Module self, Key name, Module module)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_set_submodule((td_module*)self.Pointer, c.Key(name), (td_module*)module.Pointer, &err);
        GC.KeepAlive(self);
        Frame.Keep(name);
        GC.KeepAlive(module);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_register_parameter(Module self, string? name, Tensor? value)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_register_parameter((td_module*)self.Pointer, c.String(name), (td_tensor*)NativeObject.PointerOrNull(value), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_register_buffer(Module self, string? name, Tensor? value, bool persistent)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_register_buffer((td_module*)self.Pointer, c.String(name), (td_tensor*)NativeObject.PointerOrNull(value), Marshalled.Byte(persistent), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_register_module(Module self, string? name, Module? module)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_register_module((td_module*)self.Pointer, c.String(name), (td_module*)NativeObject.PointerOrNull(module), &err);
        GC.KeepAlive(self);
        GC.KeepAlive(module);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static bool module_is_training(Module self)
    {
        var result = Api.td_module_is_training((td_module*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static bool module_has_keys(Module self)
    {
        var result = Api.td_module_has_keys((td_module*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static string module_repr(Module self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_module_repr((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void module_requires_grad_(Module self, bool requires_grad)
    {
        td_error* err = null;
        Status status = Api.td_module_requires_grad_((td_module*)self.Pointer, Marshalled.Byte(requires_grad), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_zero_grad(Module self, bool set_to_none)
    {
        td_error* err = null;
        Status status = Api.td_module_zero_grad((td_module*)self.Pointer, Marshalled.Byte(set_to_none), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_to(Module self, DType dtype, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_to((td_module*)self.Pointer, dtype, c.String(device), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_to_type(Module self, DType dtype)
    {
        td_error* err = null;
        Status status = Api.td_module_to_type((td_module*)self.Pointer, dtype, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_to_empty(Module self, string? device)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_module_to_empty((td_module*)self.Pointer, c.String(device), &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void module_share_memory(Module self)
    {
        td_error* err = null;
        Status status = Api.td_module_share_memory((td_module*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static (TensorDict?, long) module_reset_parameters(Module self, TensorDict? @params, Generator? generator)
    {
        td_error* err = null;
        td_dict* made_out = default;
        nuint made_n_reset = default;
        Status status = Api.td_module_reset_parameters((td_module*)self.Pointer, (td_dict*)NativeObject.PointerOrNull(@params), (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &made_n_reset, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(@params);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.TakeOrNull(made_out), (long)made_n_reset);
    }

    internal static void hook_call_set_data(td_hook_call* self, TensorDict dict)
    {
        td_error* err = null;
        Status status = Api.td_hook_call_set_data(self, (td_dict*)dict.Pointer, &err);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void hook_call_set_result(td_hook_call* self, TensorDict dict)
    {
        td_error* err = null;
        Status status = Api.td_hook_call_set_result(self, (td_dict*)dict.Pointer, &err);
        GC.KeepAlive(dict);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void hook_call_set_input(td_hook_call* self, long index, Tensor tensor)
    {
        td_error* err = null;
        Status status = Api.td_hook_call_set_input(self, index, (td_tensor*)tensor.Pointer, &err);
        GC.KeepAlive(tensor);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void hook_call_set_output(td_hook_call* self, long index, Tensor tensor)
    {
        td_error* err = null;
        Status status = Api.td_hook_call_set_output(self, index, (td_tensor*)tensor.Pointer, &err);
        GC.KeepAlive(tensor);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static ulong module_add_forward_pre_hook(Module self, td_forward_hook* hook, HookFlags flags)
    {
        td_error* err = null;
        ulong made_out_id = default;
        Status status = Api.td_module_add_forward_pre_hook((td_module*)self.Pointer, hook, flags, &made_out_id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_id;
    }

    internal static ulong module_add_forward_hook(Module self, td_forward_hook* hook, HookFlags flags)
    {
        td_error* err = null;
        ulong made_out_id = default;
        Status status = Api.td_module_add_forward_hook((td_module*)self.Pointer, hook, flags, &made_out_id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_id;
    }

    internal static ulong module_add_state_hook(Module self, StateHookKind kind, td_state_hook* hook, HookFlags flags)
    {
        td_error* err = null;
        ulong made_out_id = default;
        Status status = Api.td_module_add_state_hook((td_module*)self.Pointer, kind, hook, flags, &made_out_id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_id;
    }

    internal static void backward_call_set_grad_input(td_backward_call* self, long index, Tensor? grad)
    {
        td_error* err = null;
        Status status = Api.td_backward_call_set_grad_input(self, index, (td_tensor*)NativeObject.PointerOrNull(grad), &err);
        GC.KeepAlive(grad);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void backward_call_set_grad_output(td_backward_call* self, long index, Tensor? grad)
    {
        td_error* err = null;
        Status status = Api.td_backward_call_set_grad_output(self, index, (td_tensor*)NativeObject.PointerOrNull(grad), &err);
        GC.KeepAlive(grad);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static ulong module_add_backward_pre_hook(Module self, td_backward_hook* hook, HookFlags flags)
    {
        td_error* err = null;
        ulong made_out_id = default;
        Status status = Api.td_module_add_backward_pre_hook((td_module*)self.Pointer, hook, flags, &made_out_id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_id;
    }

    internal static ulong module_add_backward_hook(Module self, td_backward_hook* hook, HookFlags flags)
    {
        td_error* err = null;
        ulong made_out_id = default;
        Status status = Api.td_module_add_backward_hook((td_module*)self.Pointer, hook, flags, &made_out_id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_id;
    }

    internal static void module_remove_hook(Module self, ulong id)
    {
        td_error* err = null;
        Status status = Api.td_module_remove_hook((td_module*)self.Pointer, id, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Module module_ensemble(Module module, long copies, bool expand_input, Generator? generator)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_ensemble((td_module*)module.Pointer, copies, Marshalled.Byte(expand_input), (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(module);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static void vmap(delegate* unmanaged[Cdecl]<void*, td_value*, nuint, td_value*, nuint, td_error**, Status> fn, void* userdata, ReadOnlySpan<Value> args, td_vmap_function_options* options, td_value* outs, long n_outs)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_vmap(fn, userdata, c.Values(args), (nuint)args.Length, options, outs, checked((nuint)n_outs), &err);
        Frame.Keep(args);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Optimizer optimizer_sgd(TensorDict @params, td_sgd_options* options)
    {
        td_error* err = null;
        td_optimizer* made_out = default;
        Status status = Api.td_optimizer_sgd((td_dict*)@params.Pointer, options, &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Optimizer.Take(made_out);
    }

    internal static Optimizer optimizer_adam(TensorDict @params, td_adam_options* options)
    {
        td_error* err = null;
        td_optimizer* made_out = default;
        Status status = Api.td_optimizer_adam((td_dict*)@params.Pointer, options, &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Optimizer.Take(made_out);
    }

    internal static void optimizer_zero_grad(Optimizer self)
    {
        td_error* err = null;
        Status status = Api.td_optimizer_zero_grad((td_optimizer*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void optimizer_step(Optimizer self)
    {
        td_error* err = null;
        Status status = Api.td_optimizer_step((td_optimizer*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Optimizer optimizer_adamw(TensorDict @params, td_adamw_options* options)
    {
        td_error* err = null;
        td_optimizer* made_out = default;
        Status status = Api.td_optimizer_adamw((td_dict*)@params.Pointer, options, &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Optimizer.Take(made_out);
    }

    internal static Optimizer optimizer_rmsprop(TensorDict @params, td_rmsprop_options* options)
    {
        td_error* err = null;
        td_optimizer* made_out = default;
        Status status = Api.td_optimizer_rmsprop((td_dict*)@params.Pointer, options, &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Optimizer.Take(made_out);
    }

    internal static void optimizer_add_group(Optimizer self, TensorDict @params)
    {
        td_error* err = null;
        Status status = Api.td_optimizer_add_group((td_optimizer*)self.Pointer, (td_dict*)@params.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string? optimizer_type_name(Optimizer self)
    {
        var result = Api.td_optimizer_type_name((td_optimizer*)self.Pointer);
        GC.KeepAlive(self);
        return Marshalled.Text(result);
    }

    internal static long optimizer_group_count(Optimizer self)
    {
        var result = Api.td_optimizer_group_count((td_optimizer*)self.Pointer);
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static double optimizer_get(Optimizer self, long group, string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        double made_out = default;
        Status status = Api.td_optimizer_get((td_optimizer*)self.Pointer, group, c.String(name), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static void optimizer_set(Optimizer self, long group, string? name, double setting)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_optimizer_set((td_optimizer*)self.Pointer, group, c.String(name), setting, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict optimizer_state(Optimizer self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_optimizer_state((td_optimizer*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void optimizer_load_state(Optimizer self, TensorDict state)
    {
        td_error* err = null;
        Status status = Api.td_optimizer_load_state((td_optimizer*)self.Pointer, (td_dict*)state.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static double dict_clip_grad_norm_(TensorDict @params, double max_norm, double norm_type, bool error_if_nonfinite)
    {
        td_error* err = null;
        double made_out_norm = default;
        Status status = Api.td_dict_clip_grad_norm_((td_dict*)@params.Pointer, max_norm, norm_type, Marshalled.Byte(error_if_nonfinite), &made_out_norm, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out_norm;
    }

    internal static void dict_clip_grad_value_(TensorDict @params, double max_value)
    {
        td_error* err = null;
        Status status = Api.td_dict_clip_grad_value_((td_dict*)@params.Pointer, max_value, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Schedule schedule_new_step(Optimizer optimizer, long step_size, double gamma)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_step((td_optimizer*)optimizer.Pointer, step_size, gamma, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_multi_step(Optimizer optimizer, ReadOnlySpan<long> milestones, double gamma)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status;
        fixed (long* milestones_at = milestones)
            status = Api.td_schedule_new_multi_step((td_optimizer*)optimizer.Pointer, milestones_at, (nuint)milestones.Length, gamma, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_exponential(Optimizer optimizer, double gamma)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_exponential((td_optimizer*)optimizer.Pointer, gamma, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_cosine(Optimizer optimizer, long steps, double min_lr)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_cosine((td_optimizer*)optimizer.Pointer, steps, min_lr, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_linear(Optimizer optimizer, double start_factor, double end_factor, long steps)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_linear((td_optimizer*)optimizer.Pointer, start_factor, end_factor, steps, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_constant(Optimizer optimizer, double factor, long steps)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_constant((td_optimizer*)optimizer.Pointer, factor, steps, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static Schedule schedule_new_one_cycle(Optimizer optimizer, double max_lr, long steps, td_one_cycle_options* options)
    {
        td_error* err = null;
        td_schedule* made_out = default;
        Status status = Api.td_schedule_new_one_cycle((td_optimizer*)optimizer.Pointer, max_lr, steps, options, &made_out, &err);
        GC.KeepAlive(optimizer);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Schedule.Take(made_out);
    }

    internal static void schedule_step(Schedule self)
    {
        td_error* err = null;
        Status status = Api.td_schedule_step((td_schedule*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long schedule_steps(Schedule self)
    {
        var result = Api.td_schedule_steps((td_schedule*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static TensorDict schedule_state(Schedule self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_schedule_state((td_schedule*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void schedule_load_state(Schedule self, TensorDict state)
    {
        td_error* err = null;
        Status status = Api.td_schedule_load_state((td_schedule*)self.Pointer, (td_dict*)state.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Distribution dist_new(string? type, TensorDict @params, string? config)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dist* made_out = default;
        Status status = Api.td_dist_new(c.String(type), (td_dict*)@params.Pointer, c.String(config), &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Tensor dist_sample(Distribution self, ReadOnlySpan<long> shape, Generator? generator)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_sample((td_dist*)self.Pointer, shape_at, (nuint)shape.Length, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_rsample(Distribution self, ReadOnlySpan<long> shape, Generator? generator)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_rsample((td_dist*)self.Pointer, shape_at, (nuint)shape.Length, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_log_prob(Distribution self, Tensor value)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_log_prob((td_dist*)self.Pointer, (td_tensor*)value.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_get(Distribution self, DistStat stat)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_get((td_dist*)self.Pointer, stat, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_cdf(Distribution self, Tensor value)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_cdf((td_dist*)self.Pointer, (td_tensor*)value.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_icdf(Distribution self, Tensor value)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_icdf((td_dist*)self.Pointer, (td_tensor*)value.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(value);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor dist_enumerate_support(Distribution self, bool expand)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_enumerate_support((td_dist*)self.Pointer, Marshalled.Byte(expand), &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Distribution dist_expand(Distribution self, ReadOnlySpan<long> batch)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status;
        fixed (long* batch_at = batch)
            status = Api.td_dist_expand((td_dist*)self.Pointer, batch_at, (nuint)batch.Length, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static long dist_batch_shape(Distribution self, long* @out, long capacity)
    {
        var result = Api.td_dist_batch_shape((td_dist*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static long dist_event_shape(Distribution self, long* @out, long capacity)
    {
        var result = Api.td_dist_event_shape((td_dist*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static bool dist_has_rsample(Distribution self)
    {
        var result = Api.td_dist_has_rsample((td_dist*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static bool dist_has_enumerate_support(Distribution self)
    {
        var result = Api.td_dist_has_enumerate_support((td_dist*)self.Pointer);
        GC.KeepAlive(self);
        return result != 0;
    }

    internal static string dist_repr(Distribution self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_dist_repr((td_dist*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void dist_set_default_validate_args(bool validate)
    {
        Api.td_dist_set_default_validate_args(Marshalled.Byte(validate));
    }

    internal static bool dist_default_validate_args()
    {
        var result = Api.td_dist_default_validate_args();
        return result != 0;
    }

    internal static Distribution dist_independent(Distribution @base, long ndims)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status = Api.td_dist_independent((td_dist*)@base.Pointer, ndims, &made_out, &err);
        GC.KeepAlive(@base);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Distribution dist_transformed(Distribution @base, string? transforms, TensorDict? @params)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dist* made_out = default;
        Status status = Api.td_dist_transformed((td_dist*)@base.Pointer, c.String(transforms), (td_dict*)NativeObject.PointerOrNull(@params), &made_out, &err);
        GC.KeepAlive(@base);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Distribution dist_mixture(Distribution mixture, Distribution components)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status = Api.td_dist_mixture((td_dist*)mixture.Pointer, (td_dist*)components.Pointer, &made_out, &err);
        GC.KeepAlive(mixture);
        GC.KeepAlive(components);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Tensor dist_kl_divergence(Distribution p, Distribution q)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_kl_divergence((td_dist*)p.Pointer, (td_dist*)q.Pointer, &made_out, &err);
        GC.KeepAlive(p);
        GC.KeepAlive(q);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Distribution dist_composite(TensorDict @params, td_dist_part* parts, long n)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status = Api.td_dist_composite((td_dict*)@params.Pointer, parts, checked((nuint)n), &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Distribution dist_composite_of(ReadOnlySpan<long> batch, ReadOnlySpan<Key> names, ReadOnlySpan<Distribution> dists)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dist* made_out = default;
        Frame.Match(names.Length, dists.Length, false);
        Status status;
        fixed (long* batch_at = batch)
            status = Api.td_dist_composite_of(batch_at, (nuint)batch.Length, c.Keys(names), (td_dist**)c.Handles(dists), (nuint)dists.Length, &made_out, &err);
        Frame.Keep(names);
        Frame.Keep(dists);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static TensorDict dist_sample_dict(Distribution self, ReadOnlySpan<long> shape, Generator? generator)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_sample_dict((td_dist*)self.Pointer, shape_at, (nuint)shape.Length, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dist_rsample_dict(Distribution self, ReadOnlySpan<long> shape, Generator? generator)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_rsample_dict((td_dist*)self.Pointer, shape_at, (nuint)shape.Length, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dist_get_dict(Distribution self, DistStat stat)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dist_get_dict((td_dist*)self.Pointer, stat, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dist_interact_dict(Distribution self, Interaction type, ReadOnlySpan<long> shape, long n_empirical, Generator? generator)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status;
        fixed (long* shape_at = shape)
            status = Api.td_dist_interact_dict((td_dist*)self.Pointer, type, shape_at, (nuint)shape.Length, n_empirical, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static TensorDict dist_log_prob_dict(Distribution self, TensorDict sample, bool include_sum)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_dist_log_prob_dict((td_dist*)self.Pointer, (td_dict*)sample.Pointer, Marshalled.Byte(include_sum), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(sample);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Tensor dist_log_prob_sum(Distribution self, TensorDict sample)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_dist_log_prob_sum((td_dist*)self.Pointer, (td_dict*)sample.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(sample);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void dist_cdf_dict(Distribution self, TensorDict sample)
    {
        td_error* err = null;
        Status status = Api.td_dist_cdf_dict((td_dist*)self.Pointer, (td_dict*)sample.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(sample);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void dist_icdf_dict(Distribution self, TensorDict sample)
    {
        td_error* err = null;
        Status status = Api.td_dist_icdf_dict((td_dist*)self.Pointer, (td_dict*)sample.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(sample);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Transform transform_new(string? transform, TensorDict? @params)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_transform* made_out = default;
        Status status = Api.td_transform_new(c.String(transform), (td_dict*)NativeObject.PointerOrNull(@params), &made_out, &err);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Transform.Take(made_out);
    }

    internal static Transform transform_cdf_of(Distribution dist)
    {
        td_error* err = null;
        td_transform* made_out = default;
        Status status = Api.td_transform_cdf_of((td_dist*)dist.Pointer, &made_out, &err);
        GC.KeepAlive(dist);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Transform.Take(made_out);
    }

    internal static Transform transform_compose(ReadOnlySpan<Transform> parts)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_transform* made_out = default;
        Status status = Api.td_transform_compose((td_transform**)c.Handles(parts), (nuint)parts.Length, &made_out, &err);
        Frame.Keep(parts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Transform.Take(made_out);
    }

    internal static Transform transform_inverse_of(Transform self)
    {
        td_error* err = null;
        td_transform* made_out = default;
        Status status = Api.td_transform_inverse_of((td_transform*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Transform.Take(made_out);
    }

    internal static Tensor transform_forward(Transform self, Tensor x)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_transform_forward((td_transform*)self.Pointer, (td_tensor*)x.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(x);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor transform_inverse(Transform self, Tensor y)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_transform_inverse((td_transform*)self.Pointer, (td_tensor*)y.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(y);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor transform_log_abs_det_jacobian(Transform self, Tensor x, Tensor y)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_transform_log_abs_det_jacobian((td_transform*)self.Pointer, (td_tensor*)x.Pointer, (td_tensor*)y.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(x);
        GC.KeepAlive(y);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static string transform_repr(Transform self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_transform_repr((td_transform*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static Distribution dist_transformed_by(Distribution @base, ReadOnlySpan<Transform> parts)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_dist* made_out = default;
        Status status = Api.td_dist_transformed_by((td_dist*)@base.Pointer, (td_transform**)c.Handles(parts), (nuint)parts.Length, &made_out, &err);
        GC.KeepAlive(@base);
        Frame.Keep(parts);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Module module_probabilistic(string? type, string? config, ReadOnlySpan<Key> in_keys, ReadOnlySpan<Key> out_keys, td_probabilistic_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_probabilistic(c.String(type), c.String(config), c.Keys(in_keys), (nuint)in_keys.Length, c.Keys(out_keys), (nuint)out_keys.Length, options, &made_out, &err);
        Frame.Keep(in_keys);
        Frame.Keep(out_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_probabilistic_composite(Key @params, td_dist_part* parts, long n_parts, td_probabilistic_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_probabilistic_composite(c.Key(@params), parts, checked((nuint)n_parts), options, &made_out, &err);
        Frame.Keep(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_probabilistic_function(td_dist_function* function, ReadOnlySpan<Key> in_keys, ReadOnlySpan<Key> out_keys, td_probabilistic_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_probabilistic_function(function, c.Keys(in_keys), (nuint)in_keys.Length, c.Keys(out_keys), (nuint)out_keys.Length, options, &made_out, &err);
        Frame.Keep(in_keys);
        Frame.Keep(out_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Module module_probabilistic_sequential(ReadOnlySpan<Module> modules, ReturnComposite return_composite, td_sequential_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_module* made_out = default;
        Status status = Api.td_module_probabilistic_sequential((td_module**)c.Handles(modules), (nuint)modules.Length, return_composite, options, &made_out, &err);
        Frame.Keep(modules);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Distribution module_get_dist(Module self, TensorDict data, TensorDict? tensordict_out)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status = Api.td_module_get_dist((td_module*)self.Pointer, (td_dict*)data.Pointer, (td_dict*)NativeObject.PointerOrNull(tensordict_out), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        GC.KeepAlive(tensordict_out);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static TensorDict module_get_dist_params(Module self, TensorDict data, TensorDict? tensordict_out)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_module_get_dist_params((td_module*)self.Pointer, (td_dict*)data.Pointer, (td_dict*)NativeObject.PointerOrNull(tensordict_out), &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        GC.KeepAlive(tensordict_out);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Distribution module_dist_from_params(Module self, TensorDict @params)
    {
        td_error* err = null;
        td_dist* made_out = default;
        Status status = Api.td_module_dist_from_params((td_module*)self.Pointer, (td_dict*)@params.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(@params);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Distribution.Take(made_out);
    }

    internal static Tensor module_log_prob(Module self, TensorDict data, td_log_prob_options* options)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_module_log_prob((td_module*)self.Pointer, (td_dict*)data.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static TensorDict module_log_prob_dict(Module self, TensorDict data, td_log_prob_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_module_log_prob_dict((td_module*)self.Pointer, (td_dict*)data.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Key[] module_dist_params_keys(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_dist_params_keys((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] module_dist_sample_keys(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_dist_sample_keys((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] module_log_prob_keys(Module self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_module_log_prob_keys((td_module*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static long module_num_samples(Module self, long* @out, long capacity)
    {
        var result = Api.td_module_num_samples((td_module*)self.Pointer, @out, checked((nuint)capacity));
        GC.KeepAlive(self);
        return (long)result;
    }

    internal static Interaction module_default_interaction(Module self)
    {
        var result = Api.td_module_default_interaction((td_module*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static Hash hash_new(string? type, string? config)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_hash* made_out = default;
        Status status = Api.td_hash_new(c.String(type), c.String(config), &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Hash.Take(made_out);
    }

    internal static Hash hash_from_function(td_hash_function* function)
    {
        td_error* err = null;
        td_hash* made_out = default;
        Status status = Api.td_hash_from_function(function, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Hash.Take(made_out);
    }

    internal static Hash hash_clone(Hash self)
    {
        td_error* err = null;
        td_hash* made_out = default;
        Status status = Api.td_hash_clone((td_hash*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Hash.Take(made_out);
    }

    internal static void hash_rows(Hash self, void* rows, long n, long row_bytes, long stride, ulong* @out)
    {
        td_error* err = null;
        Status status = Api.td_hash_rows((td_hash*)self.Pointer, rows, checked((nuint)n), checked((nuint)row_bytes), checked((nuint)stride), @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Tensor hash_call(Hash self, Tensor rows)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_hash_call((td_hash*)self.Pointer, (td_tensor*)rows.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(rows);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static string hash_describe(Hash self)
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_hash_describe((td_hash*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void hash_save(Hash self, td_writer* to)
    {
        td_error* err = null;
        Status status = Api.td_hash_save((td_hash*)self.Pointer, to, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void hash_load(Hash self, td_reader* from)
    {
        td_error* err = null;
        Status status = Api.td_hash_load((td_hash*)self.Pointer, from, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Query query_new(ReadOnlySpan<Key> in_keys, td_query_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_query* made_out = default;
        Status status = Api.td_query_new(c.Keys(in_keys), (nuint)in_keys.Length, options, &made_out, &err);
        Frame.Keep(in_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Query.Take(made_out);
    }

    internal static void query_forward(Query self, TensorDict data, QueryFlags flags)
    {
        td_error* err = null;
        Status status = Api.td_query_forward((td_query*)self.Pointer, (td_dict*)data.Pointer, flags, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict query_call(Query self, TensorDict data, td_query_call_options* options)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_query_call((td_query*)self.Pointer, (td_dict*)data.Pointer, options, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Module module_query(Query query)
    {
        td_error* err = null;
        td_module* made_out = default;
        Status status = Api.td_module_query((td_query*)query.Pointer, &made_out, &err);
        GC.KeepAlive(query);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Module.Take(made_out);
    }

    internal static Tensor query_contains(Query self, TensorDict data)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_query_contains((td_query*)self.Pointer, (td_dict*)data.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor query_look_up(Query self, TensorDict data)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_query_look_up((td_query*)self.Pointer, (td_dict*)data.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static Tensor query_hash(Query self, TensorDict data)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_query_hash((td_query*)self.Pointer, (td_dict*)data.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static long query_remove(Query self, TensorDict data)
    {
        td_error* err = null;
        long made_out = default;
        Status status = Api.td_query_remove((td_query*)self.Pointer, (td_dict*)data.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(data);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made_out;
    }

    internal static void query_clear(Query self)
    {
        td_error* err = null;
        Status status = Api.td_query_clear((td_query*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_select_out_keys(Query self, ReadOnlySpan<Key> keys)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_query_select_out_keys((td_query*)self.Pointer, c.Keys(keys), (nuint)keys.Length, &err);
        GC.KeepAlive(self);
        Frame.Keep(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_reset_out_keys(Query self)
    {
        td_error* err = null;
        Status status = Api.td_query_reset_out_keys((td_query*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Key[] query_in_keys(Query self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_query_in_keys((td_query*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static Key[] query_out_keys(Query self)
    {
        td_error* err = null;
        td_keys* made_out = default;
        Status status = Api.td_query_out_keys((td_query*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeKeys(made_out);
    }

    internal static TensorDict query_state(Query self)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_query_state((td_query*)self.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static void query_load_state(Query self, TensorDict state, QueryLoadAnyFlags flags)
    {
        td_error* err = null;
        Status status = Api.td_query_load_state((td_query*)self.Pointer, (td_dict*)state.Pointer, flags, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(state);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_stats(Query self, td_query_statistics* @out)
    {
        td_error* err = null;
        Status status = Api.td_query_stats((td_query*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_get_options(Query self, td_query_options* @out)
    {
        td_error* err = null;
        Status status = Api.td_query_get_options((td_query*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long query_size(Query self)
    {
        var result = Api.td_query_size((td_query*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static Query query_new_with_map(ReadOnlySpan<Key> in_keys, td_query_options* options, td_index_map* map)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_query* made_out = default;
        Status status = Api.td_query_new_with_map(c.Keys(in_keys), (nuint)in_keys.Length, options, map, &made_out, &err);
        Frame.Keep(in_keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Query.Take(made_out);
    }

    internal static void query_share(Query self, string? name, td_query_share_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_query_share((td_query*)self.Pointer, c.String(name), options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_save(Query self, string? path, td_query_save_options* options)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_query_save((td_query*)self.Pointer, c.String(path), options, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_attach(Query self, string? name, QueryMapMode mode)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_query_attach((td_query*)self.Pointer, c.String(name), mode, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void query_unlink(string? name)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_query_unlink(c.String(name), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static Store store_new(td_store_options* options)
    {
        td_error* err = null;
        td_store* made_out = default;
        Status status = Api.td_store_new(options, &made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Store.Take(made_out);
    }

    internal static void store_set(Store self, Tensor index, TensorDict rows)
    {
        td_error* err = null;
        Status status = Api.td_store_set((td_store*)self.Pointer, (td_tensor*)index.Pointer, (td_dict*)rows.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(index);
        GC.KeepAlive(rows);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict store_get(Store self, Tensor index)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_store_get((td_store*)self.Pointer, (td_tensor*)index.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(index);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Tensor store_contains(Store self, Tensor index)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_store_contains((td_store*)self.Pointer, (td_tensor*)index.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(index);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static (TensorDict?, Tensor?) store_sample(Store self, long batch_size, td_sample_options* options, Generator? generator)
    {
        td_error* err = null;
        td_dict* made_out = default;
        td_tensor* made_out_index = default;
        Status status = Api.td_store_sample((td_store*)self.Pointer, batch_size, options, (td_generator*)NativeObject.PointerOrNull(generator), &made_out, &made_out_index, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(generator);
        if (status != Status.Ok) Errors.Throw(status, err);
        return (TensorDict.TakeOrNull(made_out), Tensor.TakeOrNull(made_out_index));
    }

    internal static void store_clear(Store self)
    {
        td_error* err = null;
        Status status = Api.td_store_clear((td_store*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void store_get_options(Store self, td_store_options* @out)
    {
        td_error* err = null;
        Status status = Api.td_store_get_options((td_store*)self.Pointer, @out, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long store_size(Store self)
    {
        var result = Api.td_store_size((td_store*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static RowMap row_map_new(Query query, Store store)
    {
        td_error* err = null;
        td_row_map* made_out = default;
        Status status = Api.td_row_map_new((td_query*)query.Pointer, (td_store*)store.Pointer, &made_out, &err);
        GC.KeepAlive(query);
        GC.KeepAlive(store);
        if (status != Status.Ok) Errors.Throw(status, err);
        return RowMap.Take(made_out);
    }

    internal static void row_map_set(RowMap self, TensorDict keys, TensorDict rows)
    {
        td_error* err = null;
        Status status = Api.td_row_map_set((td_row_map*)self.Pointer, (td_dict*)keys.Pointer, (td_dict*)rows.Pointer, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(keys);
        GC.KeepAlive(rows);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static TensorDict row_map_get(RowMap self, TensorDict keys)
    {
        td_error* err = null;
        td_dict* made_out = default;
        Status status = Api.td_row_map_get((td_row_map*)self.Pointer, (td_dict*)keys.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return TensorDict.Take(made_out);
    }

    internal static Tensor row_map_contains(RowMap self, TensorDict keys)
    {
        td_error* err = null;
        td_tensor* made_out = default;
        Status status = Api.td_row_map_contains((td_row_map*)self.Pointer, (td_dict*)keys.Pointer, &made_out, &err);
        GC.KeepAlive(self);
        GC.KeepAlive(keys);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Tensor.Take(made_out);
    }

    internal static void row_map_clear(RowMap self)
    {
        td_error* err = null;
        Status status = Api.td_row_map_clear((td_row_map*)self.Pointer, &err);
        GC.KeepAlive(self);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static long row_map_size(RowMap self)
    {
        var result = Api.td_row_map_size((td_row_map*)self.Pointer);
        GC.KeepAlive(self);
        return result;
    }

    internal static void plugins_load(string? file)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_plugins_load(c.String(file), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void plugins_add_path(string? directory)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_plugins_add_path(c.String(directory), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static string plugins_list()
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_plugins_list(&made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static string plugins_report()
    {
        td_error* err = null;
        td_string* made_out = default;
        Status status = Api.td_plugins_report(&made_out, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return Marshalled.TakeString(made_out);
    }

    internal static void plugins_register_hash(td_type_info* info, td_hash_callbacks* callbacks)
    {
        td_error* err = null;
        Status status = Api.td_plugins_register_hash(info, callbacks, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void plugins_register_module(td_type_info* info, td_module_callbacks* callbacks)
    {
        td_error* err = null;
        Status status = Api.td_plugins_register_module(info, callbacks, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void plugins_register_dist(td_type_info* info, td_dist_callbacks* callbacks)
    {
        td_error* err = null;
        Status status = Api.td_plugins_register_dist(info, callbacks, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }

    internal static void plugins_unregister(PluginKind kind, string? id)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Status status = Api.td_plugins_unregister(kind, c.String(id), &err);
        if (status != Status.Ok) Errors.Throw(status, err);
    }
}
