// Made from tensordict.h 0.2.0 by bindings/generate.py; do not edit.
#nullable enable

using System.Collections.Generic;
using LibTensorDict.Raw;

namespace LibTensorDict.Tests;

/// <summary>Sizes and offsets: here, and in C.</summary>
internal static unsafe class Layout
{
    internal static IEnumerable<(string What, long Here, long C)> All()
    {
        var all = new List<(string, long, long)>();
        all.Add(("td_str", sizeof(td_str), 16));
        all.Add(("td_str.data", (long)&((td_str*)null)->data, 0));
        all.Add(("td_str.size", (long)&((td_str*)null)->size, 8));
        all.Add(("td_key", sizeof(td_key), 16));
        all.Add(("td_key.parts", (long)&((td_key*)null)->parts, 0));
        all.Add(("td_key.n", (long)&((td_key*)null)->n, 8));
        all.Add(("td_complex", sizeof(td_complex), 16));
        all.Add(("td_complex.re", (long)&((td_complex*)null)->re, 0));
        all.Add(("td_complex.im", (long)&((td_complex*)null)->im, 8));
        all.Add(("td_value", sizeof(td_value), 32));
        all.Add(("td_value.kind", (long)&((td_value*)null)->kind, 0));
        all.Add(("td_value.reserved", (long)&((td_value*)null)->reserved, 4));
        all.Add(("td_value.size", (long)&((td_value*)null)->size, 8));
        all.Add(("td_value.as", (long)&((td_value*)null)->@as, 16));
        all.Add(("td_named_value", sizeof(td_named_value), 48));
        all.Add(("td_named_value.name", (long)&((td_named_value*)null)->name, 0));
        all.Add(("td_named_value.value", (long)&((td_named_value*)null)->value, 16));
        all.Add(("td_writer", sizeof(td_writer), 24));
        all.Add(("td_writer.struct_size", (long)&((td_writer*)null)->struct_size, 0));
        all.Add(("td_writer.write", (long)&((td_writer*)null)->write, 8));
        all.Add(("td_writer.userdata", (long)&((td_writer*)null)->userdata, 16));
        all.Add(("td_reader", sizeof(td_reader), 24));
        all.Add(("td_reader.struct_size", (long)&((td_reader*)null)->struct_size, 0));
        all.Add(("td_reader.read", (long)&((td_reader*)null)->read, 8));
        all.Add(("td_reader.userdata", (long)&((td_reader*)null)->userdata, 16));
        all.Add(("td_object", sizeof(td_object), 16));
        all.Add(("td_object.kind", (long)&((td_object*)null)->kind, 0));
        all.Add(("td_object.reserved", (long)&((td_object*)null)->reserved, 4));
        all.Add(("td_object.handle", (long)&((td_object*)null)->handle, 8));
        all.Add(("td_warning_function", sizeof(td_warning_function), 32));
        all.Add(("td_warning_function.struct_size", (long)&((td_warning_function*)null)->struct_size, 0));
        all.Add(("td_warning_function.fn", (long)&((td_warning_function*)null)->fn, 8));
        all.Add(("td_warning_function.userdata", (long)&((td_warning_function*)null)->userdata, 16));
        all.Add(("td_warning_function.destroy", (long)&((td_warning_function*)null)->destroy, 24));
        all.Add(("td_tensor_facts", sizeof(td_tensor_facts), 88));
        all.Add(("td_tensor_facts.struct_size", (long)&((td_tensor_facts*)null)->struct_size, 0));
        all.Add(("td_tensor_facts.dtype", (long)&((td_tensor_facts*)null)->dtype, 8));
        all.Add(("td_tensor_facts.reserved", (long)((td_tensor_facts*)null)->reserved, 12));
        all.Add(("td_tensor_facts.flags", (long)&((td_tensor_facts*)null)->flags, 16));
        all.Add(("td_tensor_facts.ndim", (long)&((td_tensor_facts*)null)->ndim, 24));
        all.Add(("td_tensor_facts.sizes", (long)&((td_tensor_facts*)null)->sizes, 32));
        all.Add(("td_tensor_facts.strides", (long)&((td_tensor_facts*)null)->strides, 40));
        all.Add(("td_tensor_facts.numel", (long)&((td_tensor_facts*)null)->numel, 48));
        all.Add(("td_tensor_facts.itemsize", (long)&((td_tensor_facts*)null)->itemsize, 56));
        all.Add(("td_tensor_facts.data", (long)&((td_tensor_facts*)null)->data, 64));
        all.Add(("td_tensor_facts.device", (long)&((td_tensor_facts*)null)->device, 72));
        all.Add(("td_dict_options", sizeof(td_dict_options), 24));
        all.Add(("td_dict_options.struct_size", (long)&((td_dict_options*)null)->struct_size, 0));
        all.Add(("td_dict_options.device", (long)&((td_dict_options*)null)->device, 8));
        all.Add(("td_entry", sizeof(td_entry), 32));
        all.Add(("td_entry.kind", (long)&((td_entry*)null)->kind, 0));
        all.Add(("td_entry.reserved", (long)&((td_entry*)null)->reserved, 4));
        all.Add(("td_entry.tensor", (long)&((td_entry*)null)->tensor, 8));
        all.Add(("td_entry.dict", (long)&((td_entry*)null)->dict, 16));
        all.Add(("td_entry.data", (long)&((td_entry*)null)->data, 24));
        all.Add(("td_data", sizeof(td_data), 40));
        all.Add(("td_data.kind", (long)&((td_data*)null)->kind, 0));
        all.Add(("td_data.reserved", (long)&((td_data*)null)->reserved, 4));
        all.Add(("td_data.i", (long)&((td_data*)null)->i, 8));
        all.Add(("td_data.f", (long)&((td_data*)null)->f, 16));
        all.Add(("td_data.text", (long)&((td_data*)null)->text, 24));
        all.Add(("td_item", sizeof(td_item), 40));
        all.Add(("td_item.key", (long)&((td_item*)null)->key, 0));
        all.Add(("td_item.value", (long)&((td_item*)null)->value, 8));
        all.Add(("td_field", sizeof(td_field), 40));
        all.Add(("td_field.key", (long)&((td_field*)null)->key, 0));
        all.Add(("td_field.dtype", (long)&((td_field*)null)->dtype, 8));
        all.Add(("td_field.reserved", (long)&((td_field*)null)->reserved, 12));
        all.Add(("td_field.dims", (long)&((td_field*)null)->dims, 16));
        all.Add(("td_field.ndim", (long)&((td_field*)null)->ndim, 24));
        all.Add(("td_field.offset", (long)&((td_field*)null)->offset, 32));
        all.Add(("td_dict_update_options", sizeof(td_dict_update_options), 32));
        all.Add(("td_dict_update_options.struct_size", (long)&((td_dict_update_options*)null)->struct_size, 0));
        all.Add(("td_dict_update_options.inplace", (long)&((td_dict_update_options*)null)->inplace, 8));
        all.Add(("td_dict_update_options.clone", (long)&((td_dict_update_options*)null)->clone, 9));
        all.Add(("td_dict_update_options.update_batch_size", (long)&((td_dict_update_options*)null)->update_batch_size, 10));
        all.Add(("td_dict_update_options.reserved", (long)((td_dict_update_options*)null)->reserved, 11));
        all.Add(("td_dict_update_options.keys", (long)&((td_dict_update_options*)null)->keys, 16));
        all.Add(("td_dict_update_options.n_keys", (long)&((td_dict_update_options*)null)->n_keys, 24));
        all.Add(("td_key_set", sizeof(td_key_set), 16));
        all.Add(("td_key_set.keys", (long)&((td_key_set*)null)->keys, 0));
        all.Add(("td_key_set.n", (long)&((td_key_set*)null)->n, 8));
        all.Add(("td_split_options", sizeof(td_split_options), 32));
        all.Add(("td_split_options.struct_size", (long)&((td_split_options*)null)->struct_size, 0));
        all.Add(("td_split_options.lenient", (long)&((td_split_options*)null)->lenient, 8));
        all.Add(("td_split_options.reproduce_struct", (long)&((td_split_options*)null)->reproduce_struct, 9));
        all.Add(("td_split_options.reserved", (long)((td_split_options*)null)->reserved, 10));
        all.Add(("td_split_options.fill", (long)&((td_split_options*)null)->fill, 16));
        all.Add(("td_split_options.names", (long)&((td_split_options*)null)->names, 24));
        all.Add(("td_separate_options", sizeof(td_separate_options), 24));
        all.Add(("td_separate_options.struct_size", (long)&((td_separate_options*)null)->struct_size, 0));
        all.Add(("td_separate_options.lenient", (long)&((td_separate_options*)null)->lenient, 8));
        all.Add(("td_separate_options.keep_empty", (long)&((td_separate_options*)null)->keep_empty, 9));
        all.Add(("td_separate_options.reserved", (long)((td_separate_options*)null)->reserved, 10));
        all.Add(("td_separate_options.fill", (long)&((td_separate_options*)null)->fill, 16));
        all.Add(("td_index", sizeof(td_index), 56));
        all.Add(("td_index.kind", (long)&((td_index*)null)->kind, 0));
        all.Add(("td_index.reserved", (long)&((td_index*)null)->reserved, 4));
        all.Add(("td_index.start", (long)&((td_index*)null)->start, 8));
        all.Add(("td_index.stop", (long)&((td_index*)null)->stop, 16));
        all.Add(("td_index.step", (long)&((td_index*)null)->step, 24));
        all.Add(("td_index.tensor", (long)&((td_index*)null)->tensor, 32));
        all.Add(("td_index.ints", (long)&((td_index*)null)->ints, 40));
        all.Add(("td_index.n", (long)&((td_index*)null)->n, 48));
        all.Add(("td_pad_sequence_options", sizeof(td_pad_sequence_options), 56));
        all.Add(("td_pad_sequence_options.struct_size", (long)&((td_pad_sequence_options*)null)->struct_size, 0));
        all.Add(("td_pad_sequence_options.pad_dim", (long)&((td_pad_sequence_options*)null)->pad_dim, 8));
        all.Add(("td_pad_sequence_options.value", (long)&((td_pad_sequence_options*)null)->value, 16));
        all.Add(("td_pad_sequence_options.mask_key", (long)&((td_pad_sequence_options*)null)->mask_key, 24));
        all.Add(("td_pad_sequence_options.values", (long)&((td_pad_sequence_options*)null)->values, 32));
        all.Add(("td_pad_sequence_options.n_values", (long)&((td_pad_sequence_options*)null)->n_values, 40));
        all.Add(("td_pad_sequence_options.left", (long)&((td_pad_sequence_options*)null)->left, 48));
        all.Add(("td_pad_sequence_options.reserved", (long)((td_pad_sequence_options*)null)->reserved, 49));
        all.Add(("td_unpad_sequence_options", sizeof(td_unpad_sequence_options), 40));
        all.Add(("td_unpad_sequence_options.struct_size", (long)&((td_unpad_sequence_options*)null)->struct_size, 0));
        all.Add(("td_unpad_sequence_options.pad_dim", (long)&((td_unpad_sequence_options*)null)->pad_dim, 8));
        all.Add(("td_unpad_sequence_options.mask_key", (long)&((td_unpad_sequence_options*)null)->mask_key, 16));
        all.Add(("td_unpad_sequence_options.masks", (long)&((td_unpad_sequence_options*)null)->masks, 24));
        all.Add(("td_unpad_sequence_options.mask", (long)&((td_unpad_sequence_options*)null)->mask, 32));
        all.Add(("td_padding_options", sizeof(td_padding_options), 32));
        all.Add(("td_padding_options.struct_size", (long)&((td_padding_options*)null)->struct_size, 0));
        all.Add(("td_padding_options.value", (long)&((td_padding_options*)null)->value, 8));
        all.Add(("td_padding_options.left", (long)&((td_padding_options*)null)->left, 16));
        all.Add(("td_padding_options.reserved", (long)((td_padding_options*)null)->reserved, 17));
        all.Add(("td_padding_options.mask_key", (long)&((td_padding_options*)null)->mask_key, 24));
        all.Add(("td_params_options", sizeof(td_params_options), 16));
        all.Add(("td_params_options.struct_size", (long)&((td_params_options*)null)->struct_size, 0));
        all.Add(("td_params_options.no_convert", (long)&((td_params_options*)null)->no_convert, 8));
        all.Add(("td_params_options.lock", (long)&((td_params_options*)null)->@lock, 9));
        all.Add(("td_params_options.reserved", (long)((td_params_options*)null)->reserved, 10));
        all.Add(("td_new_tensor_options", sizeof(td_new_tensor_options), 32));
        all.Add(("td_new_tensor_options.struct_size", (long)&((td_new_tensor_options*)null)->struct_size, 0));
        all.Add(("td_new_tensor_options.dtype", (long)&((td_new_tensor_options*)null)->dtype, 8));
        all.Add(("td_new_tensor_options.requires_grad", (long)&((td_new_tensor_options*)null)->requires_grad, 12));
        all.Add(("td_new_tensor_options.reserved", (long)((td_new_tensor_options*)null)->reserved, 13));
        all.Add(("td_new_tensor_options.device", (long)&((td_new_tensor_options*)null)->device, 16));
        all.Add(("td_pack_entry", sizeof(td_pack_entry), 24));
        all.Add(("td_pack_entry.key", (long)&((td_pack_entry*)null)->key, 0));
        all.Add(("td_pack_entry.dims", (long)&((td_pack_entry*)null)->dims, 8));
        all.Add(("td_pack_entry.ndim", (long)&((td_pack_entry*)null)->ndim, 16));
        all.Add(("td_pointwise_options", sizeof(td_pointwise_options), 24));
        all.Add(("td_pointwise_options.struct_size", (long)&((td_pointwise_options*)null)->struct_size, 0));
        all.Add(("td_pointwise_options.missing", (long)&((td_pointwise_options*)null)->missing, 8));
        all.Add(("td_pointwise_options.reserved", (long)((td_pointwise_options*)null)->reserved, 12));
        all.Add(("td_pointwise_options.fill", (long)&((td_pointwise_options*)null)->fill, 16));
        all.Add(("td_reduce_options", sizeof(td_reduce_options), 32));
        all.Add(("td_reduce_options.struct_size", (long)&((td_reduce_options*)null)->struct_size, 0));
        all.Add(("td_reduce_options.dims", (long)&((td_reduce_options*)null)->dims, 8));
        all.Add(("td_reduce_options.n_dims", (long)&((td_reduce_options*)null)->n_dims, 16));
        all.Add(("td_reduce_options.keepdim", (long)&((td_reduce_options*)null)->keepdim, 24));
        all.Add(("td_reduce_options.feature", (long)&((td_reduce_options*)null)->feature, 25));
        all.Add(("td_reduce_options.reserved", (long)((td_reduce_options*)null)->reserved, 26));
        all.Add(("td_map_function", sizeof(td_map_function), 32));
        all.Add(("td_map_function.struct_size", (long)&((td_map_function*)null)->struct_size, 0));
        all.Add(("td_map_function.fn", (long)&((td_map_function*)null)->fn, 8));
        all.Add(("td_map_function.userdata", (long)&((td_map_function*)null)->userdata, 16));
        all.Add(("td_map_function.destroy", (long)&((td_map_function*)null)->destroy, 24));
        all.Add(("td_map_data_function", sizeof(td_map_data_function), 32));
        all.Add(("td_map_data_function.struct_size", (long)&((td_map_data_function*)null)->struct_size, 0));
        all.Add(("td_map_data_function.fn", (long)&((td_map_data_function*)null)->fn, 8));
        all.Add(("td_map_data_function.userdata", (long)&((td_map_data_function*)null)->userdata, 16));
        all.Add(("td_map_data_function.destroy", (long)&((td_map_data_function*)null)->destroy, 24));
        all.Add(("td_map_options", sizeof(td_map_options), 40));
        all.Add(("td_map_options.struct_size", (long)&((td_map_options*)null)->struct_size, 0));
        all.Add(("td_map_options.batch_size", (long)&((td_map_options*)null)->batch_size, 8));
        all.Add(("td_map_options.ndim", (long)&((td_map_options*)null)->ndim, 16));
        all.Add(("td_map_options.emptied", (long)&((td_map_options*)null)->emptied, 24));
        all.Add(("td_map_options.in_place", (long)&((td_map_options*)null)->in_place, 28));
        all.Add(("td_map_options.missing_as_null", (long)&((td_map_options*)null)->missing_as_null, 29));
        all.Add(("td_map_options.reserved", (long)((td_map_options*)null)->reserved, 30));
        all.Add(("td_map_options.data", (long)&((td_map_options*)null)->data, 32));
        all.Add(("td_backward_options", sizeof(td_backward_options), 16));
        all.Add(("td_backward_options.struct_size", (long)&((td_backward_options*)null)->struct_size, 0));
        all.Add(("td_backward_options.retain_graph", (long)&((td_backward_options*)null)->retain_graph, 8));
        all.Add(("td_backward_options.create_graph", (long)&((td_backward_options*)null)->create_graph, 9));
        all.Add(("td_backward_options.allow_unused", (long)&((td_backward_options*)null)->allow_unused, 10));
        all.Add(("td_backward_options.reserved", (long)((td_backward_options*)null)->reserved, 11));
        all.Add(("td_load_state_options", sizeof(td_load_state_options), 16));
        all.Add(("td_load_state_options.struct_size", (long)&((td_load_state_options*)null)->struct_size, 0));
        all.Add(("td_load_state_options.lenient", (long)&((td_load_state_options*)null)->lenient, 8));
        all.Add(("td_load_state_options.assign", (long)&((td_load_state_options*)null)->assign, 9));
        all.Add(("td_load_state_options.reserved", (long)((td_load_state_options*)null)->reserved, 10));
        all.Add(("td_parse_options", sizeof(td_parse_options), 24));
        all.Add(("td_parse_options.struct_size", (long)&((td_parse_options*)null)->struct_size, 0));
        all.Add(("td_parse_options.device", (long)&((td_parse_options*)null)->device, 8));
        all.Add(("td_equal_options", sizeof(td_equal_options), 32));
        all.Add(("td_equal_options.struct_size", (long)&((td_equal_options*)null)->struct_size, 0));
        all.Add(("td_equal_options.relative", (long)&((td_equal_options*)null)->relative, 8));
        all.Add(("td_equal_options.absolute", (long)&((td_equal_options*)null)->absolute, 16));
        all.Add(("td_equal_options.equal_nan", (long)&((td_equal_options*)null)->equal_nan, 24));
        all.Add(("td_equal_options.reserved", (long)((td_equal_options*)null)->reserved, 25));
        all.Add(("td_open_options", sizeof(td_open_options), 32));
        all.Add(("td_open_options.struct_size", (long)&((td_open_options*)null)->struct_size, 0));
        all.Add(("td_open_options.mode", (long)&((td_open_options*)null)->mode, 8));
        all.Add(("td_open_options.format", (long)&((td_open_options*)null)->format, 12));
        all.Add(("td_open_options.lenient", (long)&((td_open_options*)null)->lenient, 16));
        all.Add(("td_open_options.trusted", (long)&((td_open_options*)null)->trusted, 17));
        all.Add(("td_open_options.reserved", (long)((td_open_options*)null)->reserved, 18));
        all.Add(("td_open_options.part", (long)&((td_open_options*)null)->part, 24));
        all.Add(("td_progress", sizeof(td_progress), 32));
        all.Add(("td_progress.struct_size", (long)&((td_progress*)null)->struct_size, 0));
        all.Add(("td_progress.fn", (long)&((td_progress*)null)->fn, 8));
        all.Add(("td_progress.userdata", (long)&((td_progress*)null)->userdata, 16));
        all.Add(("td_progress.destroy", (long)&((td_progress*)null)->destroy, 24));
        all.Add(("td_save_options", sizeof(td_save_options), 40));
        all.Add(("td_save_options.struct_size", (long)&((td_save_options*)null)->struct_size, 0));
        all.Add(("td_save_options.overwrite", (long)&((td_save_options*)null)->overwrite, 8));
        all.Add(("td_save_options.sync", (long)&((td_save_options*)null)->sync, 9));
        all.Add(("td_save_options.reserved", (long)((td_save_options*)null)->reserved, 10));
        all.Add(("td_save_options.threads", (long)&((td_save_options*)null)->threads, 16));
        all.Add(("td_save_options.progress", (long)&((td_save_options*)null)->progress, 24));
        all.Add(("td_save_options.format", (long)&((td_save_options*)null)->format, 32));
        all.Add(("td_save_options.compression", (long)&((td_save_options*)null)->compression, 36));
        all.Add(("td_persistent_options", sizeof(td_persistent_options), 64));
        all.Add(("td_persistent_options.struct_size", (long)&((td_persistent_options*)null)->struct_size, 0));
        all.Add(("td_persistent_options.mode", (long)&((td_persistent_options*)null)->mode, 8));
        all.Add(("td_persistent_options.compression", (long)&((td_persistent_options*)null)->compression, 12));
        all.Add(("td_persistent_options.batch_size", (long)&((td_persistent_options*)null)->batch_size, 16));
        all.Add(("td_persistent_options.ndim", (long)&((td_persistent_options*)null)->ndim, 24));
        all.Add(("td_persistent_options.max_batch_dims", (long)&((td_persistent_options*)null)->max_batch_dims, 32));
        all.Add(("td_persistent_options.chunks", (long)&((td_persistent_options*)null)->chunks, 40));
        all.Add(("td_persistent_options.n_chunks", (long)&((td_persistent_options*)null)->n_chunks, 48));
        all.Add(("td_persistent_options.shuffle", (long)&((td_persistent_options*)null)->shuffle, 56));
        all.Add(("td_persistent_options.reserved", (long)((td_persistent_options*)null)->reserved, 57));
        all.Add(("td_schema_entry", sizeof(td_schema_entry), 32));
        all.Add(("td_schema_entry.key", (long)&((td_schema_entry*)null)->key, 0));
        all.Add(("td_schema_entry.dtype", (long)&((td_schema_entry*)null)->dtype, 8));
        all.Add(("td_schema_entry.reserved", (long)&((td_schema_entry*)null)->reserved, 12));
        all.Add(("td_schema_entry.dims", (long)&((td_schema_entry*)null)->dims, 16));
        all.Add(("td_schema_entry.ndim", (long)&((td_schema_entry*)null)->ndim, 24));
        all.Add(("td_schema_options", sizeof(td_schema_options), 56));
        all.Add(("td_schema_options.struct_size", (long)&((td_schema_options*)null)->struct_size, 0));
        all.Add(("td_schema_options.storage", (long)&((td_schema_options*)null)->storage, 8));
        all.Add(("td_schema_options.reserved", (long)&((td_schema_options*)null)->reserved, 12));
        all.Add(("td_schema_options.path", (long)&((td_schema_options*)null)->path, 16));
        all.Add(("td_schema_options.device", (long)&((td_schema_options*)null)->device, 32));
        all.Add(("td_schema_options.save", (long)&((td_schema_options*)null)->save, 48));
        all.Add(("td_segment_options", sizeof(td_segment_options), 16));
        all.Add(("td_segment_options.struct_size", (long)&((td_segment_options*)null)->struct_size, 0));
        all.Add(("td_segment_options.keep", (long)&((td_segment_options*)null)->keep, 8));
        all.Add(("td_segment_options.large_pages", (long)&((td_segment_options*)null)->large_pages, 9));
        all.Add(("td_segment_options.replace_dead", (long)&((td_segment_options*)null)->replace_dead, 10));
        all.Add(("td_segment_options.reserved", (long)((td_segment_options*)null)->reserved, 11));
        all.Add(("td_segment_options.snapshots", (long)&((td_segment_options*)null)->snapshots, 12));
        all.Add(("td_segment_open_options", sizeof(td_segment_open_options), 32));
        all.Add(("td_segment_open_options.struct_size", (long)&((td_segment_open_options*)null)->struct_size, 0));
        all.Add(("td_segment_open_options.populate", (long)&((td_segment_open_options*)null)->populate, 8));
        all.Add(("td_segment_open_options.large_pages", (long)&((td_segment_open_options*)null)->large_pages, 9));
        all.Add(("td_segment_open_options.reserved", (long)((td_segment_open_options*)null)->reserved, 10));
        all.Add(("td_segment_open_options.timeout_ms", (long)&((td_segment_open_options*)null)->timeout_ms, 16));
        all.Add(("td_segment_open_options.cancel", (long)&((td_segment_open_options*)null)->cancel, 24));
        all.Add(("td_channel_options", sizeof(td_channel_options), 40));
        all.Add(("td_channel_options.struct_size", (long)&((td_channel_options*)null)->struct_size, 0));
        all.Add(("td_channel_options.mode", (long)&((td_channel_options*)null)->mode, 8));
        all.Add(("td_channel_options.overflow", (long)&((td_channel_options*)null)->overflow, 12));
        all.Add(("td_channel_options.roles", (long)&((td_channel_options*)null)->roles, 16));
        all.Add(("td_channel_options.slots", (long)&((td_channel_options*)null)->slots, 20));
        all.Add(("td_channel_options.members", (long)&((td_channel_options*)null)->members, 24));
        all.Add(("td_channel_options.deliveries", (long)&((td_channel_options*)null)->deliveries, 28));
        all.Add(("td_channel_options.max_held", (long)&((td_channel_options*)null)->max_held, 32));
        all.Add(("td_channel_options.keep", (long)&((td_channel_options*)null)->keep, 36));
        all.Add(("td_channel_options.replace_dead", (long)&((td_channel_options*)null)->replace_dead, 37));
        all.Add(("td_channel_options.reserved", (long)((td_channel_options*)null)->reserved, 38));
        all.Add(("td_channel_statistics", sizeof(td_channel_statistics), 104));
        all.Add(("td_channel_statistics.struct_size", (long)&((td_channel_statistics*)null)->struct_size, 0));
        all.Add(("td_channel_statistics.published", (long)&((td_channel_statistics*)null)->published, 8));
        all.Add(("td_channel_statistics.dropped", (long)&((td_channel_statistics*)null)->dropped, 16));
        all.Add(("td_channel_statistics.redelivered", (long)&((td_channel_statistics*)null)->redelivered, 24));
        all.Add(("td_channel_statistics.dead_letters", (long)&((td_channel_statistics*)null)->dead_letters, 32));
        all.Add(("td_channel_statistics.aborted", (long)&((td_channel_statistics*)null)->aborted, 40));
        all.Add(("td_channel_statistics.swept", (long)&((td_channel_statistics*)null)->swept, 48));
        all.Add(("td_channel_statistics.slots", (long)&((td_channel_statistics*)null)->slots, 56));
        all.Add(("td_channel_statistics.free", (long)&((td_channel_statistics*)null)->free, 60));
        all.Add(("td_channel_statistics.writing", (long)&((td_channel_statistics*)null)->writing, 64));
        all.Add(("td_channel_statistics.ready", (long)&((td_channel_statistics*)null)->ready, 68));
        all.Add(("td_channel_statistics.reading", (long)&((td_channel_statistics*)null)->reading, 72));
        all.Add(("td_channel_statistics.producers", (long)&((td_channel_statistics*)null)->producers, 76));
        all.Add(("td_channel_statistics.consumers", (long)&((td_channel_statistics*)null)->consumers, 80));
        all.Add(("td_channel_statistics.state", (long)&((td_channel_statistics*)null)->state, 84));
        all.Add(("td_channel_statistics.oldest_ms", (long)&((td_channel_statistics*)null)->oldest_ms, 88));
        all.Add(("td_channel_statistics.oldest_pid", (long)&((td_channel_statistics*)null)->oldest_pid, 96));
        all.Add(("td_channel_open_options", sizeof(td_channel_open_options), 24));
        all.Add(("td_channel_open_options.struct_size", (long)&((td_channel_open_options*)null)->struct_size, 0));
        all.Add(("td_channel_open_options.timeout_ms", (long)&((td_channel_open_options*)null)->timeout_ms, 8));
        all.Add(("td_channel_open_options.cancel", (long)&((td_channel_open_options*)null)->cancel, 16));
        all.Add(("td_module_function", sizeof(td_module_function), 32));
        all.Add(("td_module_function.struct_size", (long)&((td_module_function*)null)->struct_size, 0));
        all.Add(("td_module_function.fn", (long)&((td_module_function*)null)->fn, 8));
        all.Add(("td_module_function.userdata", (long)&((td_module_function*)null)->userdata, 16));
        all.Add(("td_module_function.destroy", (long)&((td_module_function*)null)->destroy, 24));
        all.Add(("td_vmap_options", sizeof(td_vmap_options), 24));
        all.Add(("td_vmap_options.struct_size", (long)&((td_vmap_options*)null)->struct_size, 0));
        all.Add(("td_vmap_options.randomness", (long)&((td_vmap_options*)null)->randomness, 8));
        all.Add(("td_vmap_options.data_dim", (long)&((td_vmap_options*)null)->data_dim, 12));
        all.Add(("td_vmap_options.map_data", (long)&((td_vmap_options*)null)->map_data, 16));
        all.Add(("td_vmap_options.reserved", (long)((td_vmap_options*)null)->reserved, 17));
        all.Add(("td_values_function", sizeof(td_values_function), 32));
        all.Add(("td_values_function.struct_size", (long)&((td_values_function*)null)->struct_size, 0));
        all.Add(("td_values_function.fn", (long)&((td_values_function*)null)->fn, 8));
        all.Add(("td_values_function.userdata", (long)&((td_values_function*)null)->userdata, 16));
        all.Add(("td_values_function.destroy", (long)&((td_values_function*)null)->destroy, 24));
        all.Add(("td_dict_function", sizeof(td_dict_function), 32));
        all.Add(("td_dict_function.struct_size", (long)&((td_dict_function*)null)->struct_size, 0));
        all.Add(("td_dict_function.fn", (long)&((td_dict_function*)null)->fn, 8));
        all.Add(("td_dict_function.userdata", (long)&((td_dict_function*)null)->userdata, 16));
        all.Add(("td_dict_function.destroy", (long)&((td_dict_function*)null)->destroy, 24));
        all.Add(("td_tensordict_options", sizeof(td_tensordict_options), 24));
        all.Add(("td_tensordict_options.struct_size", (long)&((td_tensordict_options*)null)->struct_size, 0));
        all.Add(("td_tensordict_options.inplace", (long)&((td_tensordict_options*)null)->inplace, 8));
        all.Add(("td_tensordict_options.strict", (long)&((td_tensordict_options*)null)->strict, 12));
        all.Add(("td_tensordict_options.reserved", (long)((td_tensordict_options*)null)->reserved, 13));
        all.Add(("td_tensordict_options.argument_names", (long)&((td_tensordict_options*)null)->argument_names, 16));
        all.Add(("td_sequential_options", sizeof(td_sequential_options), 40));
        all.Add(("td_sequential_options.struct_size", (long)&((td_sequential_options*)null)->struct_size, 0));
        all.Add(("td_sequential_options.inplace", (long)&((td_sequential_options*)null)->inplace, 8));
        all.Add(("td_sequential_options.partial_tolerant", (long)&((td_sequential_options*)null)->partial_tolerant, 12));
        all.Add(("td_sequential_options.reserved", (long)((td_sequential_options*)null)->reserved, 13));
        all.Add(("td_sequential_options.selected_out_keys", (long)&((td_sequential_options*)null)->selected_out_keys, 16));
        all.Add(("td_sequential_options.n_selected", (long)&((td_sequential_options*)null)->n_selected, 24));
        all.Add(("td_sequential_options.names", (long)&((td_sequential_options*)null)->names, 32));
        all.Add(("td_run_options", sizeof(td_run_options), 24));
        all.Add(("td_run_options.struct_size", (long)&((td_run_options*)null)->struct_size, 0));
        all.Add(("td_run_options.tensordict_out", (long)&((td_run_options*)null)->tensordict_out, 8));
        all.Add(("td_run_options.interaction", (long)&((td_run_options*)null)->interaction, 16));
        all.Add(("td_run_options.skip_existing", (long)&((td_run_options*)null)->skip_existing, 20));
        all.Add(("td_run_options.no_grad", (long)&((td_run_options*)null)->no_grad, 21));
        all.Add(("td_run_options.reserved", (long)((td_run_options*)null)->reserved, 22));
        all.Add(("td_from_modules_options", sizeof(td_from_modules_options), 16));
        all.Add(("td_from_modules_options.struct_size", (long)&((td_from_modules_options*)null)->struct_size, 0));
        all.Add(("td_from_modules_options.as_module", (long)&((td_from_modules_options*)null)->as_module, 8));
        all.Add(("td_from_modules_options.no_lock", (long)&((td_from_modules_options*)null)->no_lock, 9));
        all.Add(("td_from_modules_options.use_state_dict", (long)&((td_from_modules_options*)null)->use_state_dict, 10));
        all.Add(("td_from_modules_options.lazy_stack", (long)&((td_from_modules_options*)null)->lazy_stack, 11));
        all.Add(("td_from_modules_options.expand_identical", (long)&((td_from_modules_options*)null)->expand_identical, 12));
        all.Add(("td_from_modules_options.reserved", (long)((td_from_modules_options*)null)->reserved, 13));
        all.Add(("td_functional_options", sizeof(td_functional_options), 16));
        all.Add(("td_functional_options.struct_size", (long)&((td_functional_options*)null)->struct_size, 0));
        all.Add(("td_functional_options.untie_weights", (long)&((td_functional_options*)null)->untie_weights, 8));
        all.Add(("td_functional_options.strict", (long)&((td_functional_options*)null)->strict, 9));
        all.Add(("td_functional_options.reserved", (long)((td_functional_options*)null)->reserved, 10));
        all.Add(("td_load_options", sizeof(td_load_options), 16));
        all.Add(("td_load_options.struct_size", (long)&((td_load_options*)null)->struct_size, 0));
        all.Add(("td_load_options.lenient", (long)&((td_load_options*)null)->lenient, 8));
        all.Add(("td_load_options.assign", (long)&((td_load_options*)null)->assign, 9));
        all.Add(("td_load_options.reserved", (long)((td_load_options*)null)->reserved, 10));
        all.Add(("td_extra_state", sizeof(td_extra_state), 40));
        all.Add(("td_extra_state.struct_size", (long)&((td_extra_state*)null)->struct_size, 0));
        all.Add(("td_extra_state.get", (long)&((td_extra_state*)null)->get, 8));
        all.Add(("td_extra_state.set", (long)&((td_extra_state*)null)->set, 16));
        all.Add(("td_extra_state.userdata", (long)&((td_extra_state*)null)->userdata, 24));
        all.Add(("td_extra_state.destroy", (long)&((td_extra_state*)null)->destroy, 32));
        all.Add(("td_list_options", sizeof(td_list_options), 24));
        all.Add(("td_list_options.struct_size", (long)&((td_list_options*)null)->struct_size, 0));
        all.Add(("td_list_options.prefix", (long)&((td_list_options*)null)->prefix, 8));
        all.Add(("td_list_options.shallow", (long)&((td_list_options*)null)->shallow, 16));
        all.Add(("td_list_options.keep_duplicates", (long)&((td_list_options*)null)->keep_duplicates, 17));
        all.Add(("td_list_options.reserved", (long)((td_list_options*)null)->reserved, 18));
        all.Add(("td_hook_call", sizeof(td_hook_call), 56));
        all.Add(("td_hook_call.struct_size", (long)&((td_hook_call*)null)->struct_size, 0));
        all.Add(("td_hook_call.data", (long)&((td_hook_call*)null)->data, 8));
        all.Add(("td_hook_call.result", (long)&((td_hook_call*)null)->result, 16));
        all.Add(("td_hook_call.inputs", (long)&((td_hook_call*)null)->inputs, 24));
        all.Add(("td_hook_call.n_inputs", (long)&((td_hook_call*)null)->n_inputs, 32));
        all.Add(("td_hook_call.outputs", (long)&((td_hook_call*)null)->outputs, 40));
        all.Add(("td_hook_call.n_outputs", (long)&((td_hook_call*)null)->n_outputs, 48));
        all.Add(("td_forward_hook", sizeof(td_forward_hook), 32));
        all.Add(("td_forward_hook.struct_size", (long)&((td_forward_hook*)null)->struct_size, 0));
        all.Add(("td_forward_hook.fn", (long)&((td_forward_hook*)null)->fn, 8));
        all.Add(("td_forward_hook.userdata", (long)&((td_forward_hook*)null)->userdata, 16));
        all.Add(("td_forward_hook.destroy", (long)&((td_forward_hook*)null)->destroy, 24));
        all.Add(("td_state_hook", sizeof(td_state_hook), 32));
        all.Add(("td_state_hook.struct_size", (long)&((td_state_hook*)null)->struct_size, 0));
        all.Add(("td_state_hook.fn", (long)&((td_state_hook*)null)->fn, 8));
        all.Add(("td_state_hook.userdata", (long)&((td_state_hook*)null)->userdata, 16));
        all.Add(("td_state_hook.destroy", (long)&((td_state_hook*)null)->destroy, 24));
        all.Add(("td_backward_call", sizeof(td_backward_call), 40));
        all.Add(("td_backward_call.struct_size", (long)&((td_backward_call*)null)->struct_size, 0));
        all.Add(("td_backward_call.grad_inputs", (long)&((td_backward_call*)null)->grad_inputs, 8));
        all.Add(("td_backward_call.n_inputs", (long)&((td_backward_call*)null)->n_inputs, 16));
        all.Add(("td_backward_call.grad_outputs", (long)&((td_backward_call*)null)->grad_outputs, 24));
        all.Add(("td_backward_call.n_outputs", (long)&((td_backward_call*)null)->n_outputs, 32));
        all.Add(("td_backward_hook", sizeof(td_backward_hook), 32));
        all.Add(("td_backward_hook.struct_size", (long)&((td_backward_hook*)null)->struct_size, 0));
        all.Add(("td_backward_hook.fn", (long)&((td_backward_hook*)null)->fn, 8));
        all.Add(("td_backward_hook.userdata", (long)&((td_backward_hook*)null)->userdata, 16));
        all.Add(("td_backward_hook.destroy", (long)&((td_backward_hook*)null)->destroy, 24));
        all.Add(("td_vmap_function_options", sizeof(td_vmap_function_options), 40));
        all.Add(("td_vmap_function_options.struct_size", (long)&((td_vmap_function_options*)null)->struct_size, 0));
        all.Add(("td_vmap_function_options.randomness", (long)&((td_vmap_function_options*)null)->randomness, 8));
        all.Add(("td_vmap_function_options.reserved", (long)((td_vmap_function_options*)null)->reserved, 12));
        all.Add(("td_vmap_function_options.in_dims", (long)&((td_vmap_function_options*)null)->in_dims, 16));
        all.Add(("td_vmap_function_options.out_dims", (long)&((td_vmap_function_options*)null)->out_dims, 24));
        all.Add(("td_vmap_function_options.chunk_size", (long)&((td_vmap_function_options*)null)->chunk_size, 32));
        all.Add(("td_sgd_options", sizeof(td_sgd_options), 48));
        all.Add(("td_sgd_options.struct_size", (long)&((td_sgd_options*)null)->struct_size, 0));
        all.Add(("td_sgd_options.lr", (long)&((td_sgd_options*)null)->lr, 8));
        all.Add(("td_sgd_options.momentum", (long)&((td_sgd_options*)null)->momentum, 16));
        all.Add(("td_sgd_options.dampening", (long)&((td_sgd_options*)null)->dampening, 24));
        all.Add(("td_sgd_options.weight_decay", (long)&((td_sgd_options*)null)->weight_decay, 32));
        all.Add(("td_sgd_options.nesterov", (long)&((td_sgd_options*)null)->nesterov, 40));
        all.Add(("td_sgd_options.reserved", (long)((td_sgd_options*)null)->reserved, 41));
        all.Add(("td_adam_options", sizeof(td_adam_options), 56));
        all.Add(("td_adam_options.struct_size", (long)&((td_adam_options*)null)->struct_size, 0));
        all.Add(("td_adam_options.lr", (long)&((td_adam_options*)null)->lr, 8));
        all.Add(("td_adam_options.beta1", (long)&((td_adam_options*)null)->beta1, 16));
        all.Add(("td_adam_options.beta2", (long)&((td_adam_options*)null)->beta2, 24));
        all.Add(("td_adam_options.eps", (long)&((td_adam_options*)null)->eps, 32));
        all.Add(("td_adam_options.weight_decay", (long)&((td_adam_options*)null)->weight_decay, 40));
        all.Add(("td_adam_options.amsgrad", (long)&((td_adam_options*)null)->amsgrad, 48));
        all.Add(("td_adam_options.reserved", (long)((td_adam_options*)null)->reserved, 49));
        all.Add(("td_rmsprop_options", sizeof(td_rmsprop_options), 56));
        all.Add(("td_rmsprop_options.struct_size", (long)&((td_rmsprop_options*)null)->struct_size, 0));
        all.Add(("td_rmsprop_options.lr", (long)&((td_rmsprop_options*)null)->lr, 8));
        all.Add(("td_rmsprop_options.alpha", (long)&((td_rmsprop_options*)null)->alpha, 16));
        all.Add(("td_rmsprop_options.eps", (long)&((td_rmsprop_options*)null)->eps, 24));
        all.Add(("td_rmsprop_options.weight_decay", (long)&((td_rmsprop_options*)null)->weight_decay, 32));
        all.Add(("td_rmsprop_options.momentum", (long)&((td_rmsprop_options*)null)->momentum, 40));
        all.Add(("td_rmsprop_options.centered", (long)&((td_rmsprop_options*)null)->centered, 48));
        all.Add(("td_rmsprop_options.reserved", (long)((td_rmsprop_options*)null)->reserved, 49));
        all.Add(("td_adamw_options", sizeof(td_adamw_options), 56));
        all.Add(("td_adamw_options.struct_size", (long)&((td_adamw_options*)null)->struct_size, 0));
        all.Add(("td_adamw_options.lr", (long)&((td_adamw_options*)null)->lr, 8));
        all.Add(("td_adamw_options.beta1", (long)&((td_adamw_options*)null)->beta1, 16));
        all.Add(("td_adamw_options.beta2", (long)&((td_adamw_options*)null)->beta2, 24));
        all.Add(("td_adamw_options.eps", (long)&((td_adamw_options*)null)->eps, 32));
        all.Add(("td_adamw_options.weight_decay", (long)&((td_adamw_options*)null)->weight_decay, 40));
        all.Add(("td_adamw_options.amsgrad", (long)&((td_adamw_options*)null)->amsgrad, 48));
        all.Add(("td_adamw_options.reserved", (long)((td_adamw_options*)null)->reserved, 49));
        all.Add(("td_one_cycle_options", sizeof(td_one_cycle_options), 56));
        all.Add(("td_one_cycle_options.struct_size", (long)&((td_one_cycle_options*)null)->struct_size, 0));
        all.Add(("td_one_cycle_options.pct_start", (long)&((td_one_cycle_options*)null)->pct_start, 8));
        all.Add(("td_one_cycle_options.div_factor", (long)&((td_one_cycle_options*)null)->div_factor, 16));
        all.Add(("td_one_cycle_options.final_div_factor", (long)&((td_one_cycle_options*)null)->final_div_factor, 24));
        all.Add(("td_one_cycle_options.base_momentum", (long)&((td_one_cycle_options*)null)->base_momentum, 32));
        all.Add(("td_one_cycle_options.max_momentum", (long)&((td_one_cycle_options*)null)->max_momentum, 40));
        all.Add(("td_one_cycle_options.linear", (long)&((td_one_cycle_options*)null)->linear, 48));
        all.Add(("td_one_cycle_options.three_phases", (long)&((td_one_cycle_options*)null)->three_phases, 49));
        all.Add(("td_one_cycle_options.keep_momentum", (long)&((td_one_cycle_options*)null)->keep_momentum, 50));
        all.Add(("td_one_cycle_options.reserved", (long)((td_one_cycle_options*)null)->reserved, 51));
        all.Add(("td_dist_part", sizeof(td_dist_part), 56));
        all.Add(("td_dist_part.params", (long)&((td_dist_part*)null)->@params, 0));
        all.Add(("td_dist_part.type", (long)&((td_dist_part*)null)->type, 16));
        all.Add(("td_dist_part.config", (long)&((td_dist_part*)null)->config, 32));
        all.Add(("td_dist_part.name", (long)&((td_dist_part*)null)->name, 48));
        all.Add(("td_probabilistic_options", sizeof(td_probabilistic_options), 88));
        all.Add(("td_probabilistic_options.struct_size", (long)&((td_probabilistic_options*)null)->struct_size, 0));
        all.Add(("td_probabilistic_options.default_interaction", (long)&((td_probabilistic_options*)null)->default_interaction, 8));
        all.Add(("td_probabilistic_options.return_log_prob", (long)&((td_probabilistic_options*)null)->return_log_prob, 12));
        all.Add(("td_probabilistic_options.aggregate", (long)&((td_probabilistic_options*)null)->aggregate, 13));
        all.Add(("td_probabilistic_options.reserved", (long)((td_probabilistic_options*)null)->reserved, 14));
        all.Add(("td_probabilistic_options.log_prob_keys", (long)&((td_probabilistic_options*)null)->log_prob_keys, 16));
        all.Add(("td_probabilistic_options.n_log_prob_keys", (long)&((td_probabilistic_options*)null)->n_log_prob_keys, 24));
        all.Add(("td_probabilistic_options.n_empirical_estimate", (long)&((td_probabilistic_options*)null)->n_empirical_estimate, 32));
        all.Add(("td_probabilistic_options.num_samples", (long)&((td_probabilistic_options*)null)->num_samples, 40));
        all.Add(("td_probabilistic_options.n_num_samples", (long)&((td_probabilistic_options*)null)->n_num_samples, 48));
        all.Add(("td_probabilistic_options.generator", (long)&((td_probabilistic_options*)null)->generator, 56));
        all.Add(("td_probabilistic_options.generator_key", (long)&((td_probabilistic_options*)null)->generator_key, 64));
        all.Add(("td_probabilistic_options.param_names", (long)&((td_probabilistic_options*)null)->param_names, 72));
        all.Add(("td_probabilistic_options.params", (long)&((td_probabilistic_options*)null)->@params, 80));
        all.Add(("td_dist_function", sizeof(td_dist_function), 32));
        all.Add(("td_dist_function.struct_size", (long)&((td_dist_function*)null)->struct_size, 0));
        all.Add(("td_dist_function.fn", (long)&((td_dist_function*)null)->fn, 8));
        all.Add(("td_dist_function.userdata", (long)&((td_dist_function*)null)->userdata, 16));
        all.Add(("td_dist_function.destroy", (long)&((td_dist_function*)null)->destroy, 24));
        all.Add(("td_log_prob_options", sizeof(td_log_prob_options), 24));
        all.Add(("td_log_prob_options.struct_size", (long)&((td_log_prob_options*)null)->struct_size, 0));
        all.Add(("td_log_prob_options.dist", (long)&((td_log_prob_options*)null)->dist, 8));
        all.Add(("td_log_prob_options.include_sum", (long)&((td_log_prob_options*)null)->include_sum, 16));
        all.Add(("td_log_prob_options.given_samples", (long)&((td_log_prob_options*)null)->given_samples, 17));
        all.Add(("td_log_prob_options.reserved", (long)((td_log_prob_options*)null)->reserved, 18));
        all.Add(("td_hash_function", sizeof(td_hash_function), 32));
        all.Add(("td_hash_function.struct_size", (long)&((td_hash_function*)null)->struct_size, 0));
        all.Add(("td_hash_function.fn", (long)&((td_hash_function*)null)->fn, 8));
        all.Add(("td_hash_function.userdata", (long)&((td_hash_function*)null)->userdata, 16));
        all.Add(("td_hash_function.destroy", (long)&((td_hash_function*)null)->destroy, 24));
        all.Add(("td_query_options", sizeof(td_query_options), 120));
        all.Add(("td_query_options.struct_size", (long)&((td_query_options*)null)->struct_size, 0));
        all.Add(("td_query_options.index_key", (long)&((td_query_options*)null)->index_key, 8));
        all.Add(("td_query_options.hash_key", (long)&((td_query_options*)null)->hash_key, 16));
        all.Add(("td_query_options.hash_type", (long)&((td_query_options*)null)->hash_type, 24));
        all.Add(("td_query_options.hash_config", (long)&((td_query_options*)null)->hash_config, 40));
        all.Add(("td_query_options.hash", (long)&((td_query_options*)null)->hash, 56));
        all.Add(("td_query_options.hashes", (long)&((td_query_options*)null)->hashes, 64));
        all.Add(("td_query_options.n_hashes", (long)&((td_query_options*)null)->n_hashes, 72));
        all.Add(("td_query_options.aggregator", (long)&((td_query_options*)null)->aggregator, 80));
        all.Add(("td_query_options.map_of", (long)&((td_query_options*)null)->map_of, 88));
        all.Add(("td_query_options.capacity", (long)&((td_query_options*)null)->capacity, 96));
        all.Add(("td_query_options.miss", (long)&((td_query_options*)null)->miss, 104));
        all.Add(("td_query_options.threads", (long)&((td_query_options*)null)->threads, 108));
        all.Add(("td_query_options.clone", (long)&((td_query_options*)null)->clone, 112));
        all.Add(("td_query_options.exact", (long)&((td_query_options*)null)->exact, 113));
        all.Add(("td_query_options.canonical", (long)&((td_query_options*)null)->canonical, 114));
        all.Add(("td_query_options.reserved", (long)((td_query_options*)null)->reserved, 115));
        all.Add(("td_query_call_options", sizeof(td_query_call_options), 32));
        all.Add(("td_query_call_options.struct_size", (long)&((td_query_call_options*)null)->struct_size, 0));
        all.Add(("td_query_call_options.flags", (long)&((td_query_call_options*)null)->flags, 8));
        all.Add(("td_query_call_options.target", (long)&((td_query_call_options*)null)->target, 16));
        all.Add(("td_query_call_options.reserved", (long)((td_query_call_options*)null)->reserved, 20));
        all.Add(("td_query_call_options.found_key", (long)&((td_query_call_options*)null)->found_key, 24));
        all.Add(("td_query_statistics", sizeof(td_query_statistics), 48));
        all.Add(("td_query_statistics.struct_size", (long)&((td_query_statistics*)null)->struct_size, 0));
        all.Add(("td_query_statistics.size", (long)&((td_query_statistics*)null)->size, 8));
        all.Add(("td_query_statistics.next", (long)&((td_query_statistics*)null)->next, 16));
        all.Add(("td_query_statistics.collisions", (long)&((td_query_statistics*)null)->collisions, 24));
        all.Add(("td_query_statistics.evictions", (long)&((td_query_statistics*)null)->evictions, 32));
        all.Add(("td_query_statistics.nbytes", (long)&((td_query_statistics*)null)->nbytes, 40));
        all.Add(("td_index_map", sizeof(td_index_map), 80));
        all.Add(("td_index_map.struct_size", (long)&((td_index_map*)null)->struct_size, 0));
        all.Add(("td_index_map.look_up", (long)&((td_index_map*)null)->look_up, 8));
        all.Add(("td_index_map.insert", (long)&((td_index_map*)null)->insert, 16));
        all.Add(("td_index_map.erase", (long)&((td_index_map*)null)->erase, 24));
        all.Add(("td_index_map.size", (long)&((td_index_map*)null)->size, 32));
        all.Add(("td_index_map.clear", (long)&((td_index_map*)null)->clear, 40));
        all.Add(("td_index_map.state", (long)&((td_index_map*)null)->state, 48));
        all.Add(("td_index_map.load", (long)&((td_index_map*)null)->load, 56));
        all.Add(("td_index_map.userdata", (long)&((td_index_map*)null)->userdata, 64));
        all.Add(("td_index_map.destroy", (long)&((td_index_map*)null)->destroy, 72));
        all.Add(("td_query_share_options", sizeof(td_query_share_options), 24));
        all.Add(("td_query_share_options.struct_size", (long)&((td_query_share_options*)null)->struct_size, 0));
        all.Add(("td_query_share_options.capacity", (long)&((td_query_share_options*)null)->capacity, 8));
        all.Add(("td_query_share_options.keep", (long)&((td_query_share_options*)null)->keep, 16));
        all.Add(("td_query_share_options.large_pages", (long)&((td_query_share_options*)null)->large_pages, 17));
        all.Add(("td_query_share_options.reserved", (long)((td_query_share_options*)null)->reserved, 18));
        all.Add(("td_query_save_options", sizeof(td_query_save_options), 24));
        all.Add(("td_query_save_options.struct_size", (long)&((td_query_save_options*)null)->struct_size, 0));
        all.Add(("td_query_save_options.capacity", (long)&((td_query_save_options*)null)->capacity, 8));
        all.Add(("td_query_save_options.overwrite", (long)&((td_query_save_options*)null)->overwrite, 16));
        all.Add(("td_query_save_options.reserved", (long)((td_query_save_options*)null)->reserved, 17));
        all.Add(("td_store_options", sizeof(td_store_options), 40));
        all.Add(("td_store_options.struct_size", (long)&((td_store_options*)null)->struct_size, 0));
        all.Add(("td_store_options.capacity", (long)&((td_store_options*)null)->capacity, 8));
        all.Add(("td_store_options.preallocate", (long)&((td_store_options*)null)->preallocate, 16));
        all.Add(("td_store_options.reserved", (long)((td_store_options*)null)->reserved, 17));
        all.Add(("td_store_options.path", (long)&((td_store_options*)null)->path, 24));
        all.Add(("td_sample_options", sizeof(td_sample_options), 16));
        all.Add(("td_sample_options.struct_size", (long)&((td_sample_options*)null)->struct_size, 0));
        all.Add(("td_sample_options.without_replacement", (long)&((td_sample_options*)null)->without_replacement, 8));
        all.Add(("td_sample_options.reserved", (long)((td_sample_options*)null)->reserved, 9));
        all.Add(("td_type_info", sizeof(td_type_info), 64));
        all.Add(("td_type_info.struct_size", (long)&((td_type_info*)null)->struct_size, 0));
        all.Add(("td_type_info.id", (long)&((td_type_info*)null)->id, 8));
        all.Add(("td_type_info.version", (long)&((td_type_info*)null)->version, 24));
        all.Add(("td_type_info.schema", (long)&((td_type_info*)null)->schema, 40));
        all.Add(("td_type_info.flags", (long)&((td_type_info*)null)->flags, 56));
        all.Add(("td_hash_callbacks", sizeof(td_hash_callbacks), 32));
        all.Add(("td_hash_callbacks.struct_size", (long)&((td_hash_callbacks*)null)->struct_size, 0));
        all.Add(("td_hash_callbacks.hash_rows", (long)&((td_hash_callbacks*)null)->hash_rows, 8));
        all.Add(("td_hash_callbacks.userdata", (long)&((td_hash_callbacks*)null)->userdata, 16));
        all.Add(("td_hash_callbacks.destroy", (long)&((td_hash_callbacks*)null)->destroy, 24));
        all.Add(("td_module_callbacks", sizeof(td_module_callbacks), 40));
        all.Add(("td_module_callbacks.struct_size", (long)&((td_module_callbacks*)null)->struct_size, 0));
        all.Add(("td_module_callbacks.init", (long)&((td_module_callbacks*)null)->init, 8));
        all.Add(("td_module_callbacks.forward", (long)&((td_module_callbacks*)null)->forward, 16));
        all.Add(("td_module_callbacks.userdata", (long)&((td_module_callbacks*)null)->userdata, 24));
        all.Add(("td_module_callbacks.destroy", (long)&((td_module_callbacks*)null)->destroy, 32));
        all.Add(("td_dist_callbacks", sizeof(td_dist_callbacks), 72));
        all.Add(("td_dist_callbacks.struct_size", (long)&((td_dist_callbacks*)null)->struct_size, 0));
        all.Add(("td_dist_callbacks.params", (long)&((td_dist_callbacks*)null)->@params, 8));
        all.Add(("td_dist_callbacks.n_params", (long)&((td_dist_callbacks*)null)->n_params, 16));
        all.Add(("td_dist_callbacks.sample", (long)&((td_dist_callbacks*)null)->sample, 24));
        all.Add(("td_dist_callbacks.rsample", (long)&((td_dist_callbacks*)null)->rsample, 32));
        all.Add(("td_dist_callbacks.log_prob", (long)&((td_dist_callbacks*)null)->log_prob, 40));
        all.Add(("td_dist_callbacks.stat", (long)&((td_dist_callbacks*)null)->stat, 48));
        all.Add(("td_dist_callbacks.userdata", (long)&((td_dist_callbacks*)null)->userdata, 56));
        all.Add(("td_dist_callbacks.destroy", (long)&((td_dist_callbacks*)null)->destroy, 64));
        return all;
    }

    internal static readonly string[] Functions =
    {
        "td_error_new",
        "td_error_new_with",
        "td_error_userdata",
        "td_error_code",
        "td_error_message",
        "td_error_key",
        "td_error_where",
        "td_error_hint",
        "td_error_hint_format",
        "td_error_cause",
        "td_error_retain",
        "td_error_release",
        "td_status_name",
        "td_string_view",
        "td_string_retain",
        "td_string_release",
        "td_keys_size",
        "td_keys_get",
        "td_keys_view",
        "td_keys_retain",
        "td_keys_release",
        "td_path_new",
        "td_path_view",
        "td_path_retain",
        "td_path_release",
        "td_live_objects",
        "td_release_many",
        "td_live_bytes",
        "td_set_fast_level",
        "td_get_fast_level",
        "td_set_num_threads",
        "td_get_num_threads",
        "td_set_warning_callback",
        "td_after_fork",
        "td_version",
        "td_abi_version",
        "td_build_info",
        "td_has_feature",
        "td_cancel_new",
        "td_cancel_request",
        "td_cancel_requested",
        "td_cancel_retain",
        "td_cancel_release",
        "td_tensor_from_memory",
        "td_tensor_copy_from",
        "td_tensor_empty",
        "td_tensor_zeros",
        "td_tensor_full",
        "td_tensor_randn",
        "td_tensor_retain",
        "td_tensor_release",
        "td_tensor_ndim",
        "td_tensor_shape",
        "td_tensor_strides",
        "td_tensor_numel",
        "td_tensor_itemsize",
        "td_tensor_nbytes",
        "td_dtype_name",
        "td_dtype_size",
        "td_dtype_from_name",
        "td_tensor_dtype",
        "td_tensor_device",
        "td_tensor_is_contiguous",
        "td_tensor_is_read_only",
        "td_tensor_is_shared",
        "td_tensor_info",
        "td_tensor_data",
        "td_tensor_mutable_data",
        "td_tensor_clone",
        "td_tensor_contiguous",
        "td_tensor_to",
        "td_tensor_copy_",
        "td_tensor_item",
        "td_tensor_repr",
        "td_tensor_list_size",
        "td_tensor_list_get",
        "td_tensor_list_view",
        "td_tensor_list_retain",
        "td_tensor_list_release",
        "td_tensor_to_dlpack",
        "td_tensor_to_dlpack_unversioned",
        "td_tensor_from_dlpack",
        "td_tensor_from_dlpack_unversioned",
        "td_tensor_requires_grad",
        "td_tensor_requires_grad_",
        "td_tensor_backward",
        "td_tensor_grad",
        "td_tensor_detach",
        "td_is_grad_enabled",
        "td_no_grad_run",
        "td_no_grad_begin",
        "td_no_grad_end",
        "td_no_grad_retain",
        "td_no_grad_release",
        "td_generator_new",
        "td_generator_seed",
        "td_generator_initial_seed",
        "td_generator_state",
        "td_generator_load_state",
        "td_generator_retain",
        "td_generator_release",
        "td_manual_seed",
        "td_op_find",
        "td_op_schema",
        "td_op_call",
        "td_op_run",
        "td_value_clear",
        "td_op_retain",
        "td_op_release",
        "td_dict_new",
        "td_dict_retain",
        "td_dict_release",
        "td_dict_batch_size",
        "td_dict_set_batch_size",
        "td_dict_device",
        "td_dict_clear_device_",
        "td_dict_auto_device_",
        "td_dict_len",
        "td_dict_count",
        "td_dict_nbytes",
        "td_dict_depth",
        "td_dict_dtype",
        "td_dict_is_floating_point",
        "td_dict_param_count",
        "td_dict_param_bytes",
        "td_dict_set",
        "td_dict_set_path",
        "td_dict_set_unbatched",
        "td_dict_is_unbatched",
        "td_dict_set_dict",
        "td_dict_copy_into",
        "td_dict_get",
        "td_dict_get_path",
        "td_dict_get_many",
        "td_dict_get_dict",
        "td_dict_lookup",
        "td_entry_clear",
        "td_dict_entry_kind",
        "td_dict_set_default",
        "td_dict_remove",
        "td_dict_keys",
        "td_dict_entries",
        "td_entries_view",
        "td_entries_retain",
        "td_entries_release",
        "td_dict_copy",
        "td_dict_clone",
        "td_dict_to_tensordict",
        "td_dict_set_data",
        "td_dict_set_data_stack",
        "td_dict_set_data_",
        "td_dict_get_data",
        "td_data_list_is_stack",
        "td_data_list_shape",
        "td_data_list_size",
        "td_data_list_get",
        "td_dict_from_json",
        "td_dict_list_from_json",
        "td_data_list_retain",
        "td_data_list_release",
        "td_dict_from_items",
        "td_dict_from_keys",
        "td_dict_from_struct_array",
        "td_dict_to_struct_array",
        "td_dict_merge",
        "td_dict_leaves",
        "td_dict_set_many",
        "td_dict_update",
        "td_dict_update_",
        "td_dict_fill_",
        "td_dict_zero_",
        "td_dict_pop",
        "td_dict_pop_dict",
        "td_dict_popitem",
        "td_dict_replace",
        "td_dict_cat_tensors",
        "td_dict_stack_tensors",
        "td_dict_cat_leaves",
        "td_dict_stack_leaves",
        "td_dict_clear",
        "td_dict_become",
        "td_dict_create_nested",
        "td_dict_rename_key_",
        "td_dict_select",
        "td_dict_select_",
        "td_dict_exclude",
        "td_dict_exclude_",
        "td_dict_split_keys",
        "td_dict_separate",
        "td_dict_filter_non_tensor_data",
        "td_dict_empty",
        "td_dict_is_empty",
        "td_dict_filter_empty_",
        "td_dict_flatten_keys",
        "td_dict_unflatten_keys",
        "td_dict_index",
        "td_dict_window",
        "td_dict_set_at",
        "td_dict_set_at_value",
        "td_dict_copy_into_at",
        "td_dict_get_at",
        "td_tensor_index",
        "td_tensor_set_at",
        "td_dict_stack",
        "td_dict_cat",
        "td_dict_cat_into",
        "td_dict_stack_into",
        "td_dict_pad",
        "td_dict_pad_sequence",
        "td_dict_unpad_sequence",
        "td_dict_kind_of",
        "td_dict_lazy_stack",
        "td_dict_lazy_new",
        "td_dict_maybe_dense_stack",
        "td_dict_to_lazy_stack",
        "td_dict_stack_dim",
        "td_dict_members",
        "td_dict_insert",
        "td_dict_append",
        "td_dict_entry_shape",
        "td_dict_ragged_keys",
        "td_dict_exclusive_keys",
        "td_dict_get_list",
        "td_dict_set_list",
        "td_dict_get_padded",
        "td_dict_get_jagged",
        "td_dict_densify",
        "td_dict_params",
        "td_dict_parameters",
        "td_dict_buffers",
        "td_dict_gather",
        "td_dict_masked_select",
        "td_dict_where",
        "td_dict_masked_fill",
        "td_dict_masked_fill_",
        "td_dict_isin",
        "td_dict_remove_duplicates",
        "td_dict_group_by",
        "td_tensor_expand_right",
        "td_tensor_expand_as_right",
        "td_dict_numel",
        "td_dict_view",
        "td_dict_reshape",
        "td_dict_flatten",
        "td_dict_unflatten",
        "td_dict_squeeze",
        "td_dict_unsqueeze",
        "td_dict_expand",
        "td_dict_expand_as",
        "td_dict_permute",
        "td_dict_transpose",
        "td_dict_movedim",
        "td_dict_narrow",
        "td_dict_split",
        "td_dict_split_sizes",
        "td_dict_chunk",
        "td_dict_tensor_split",
        "td_dict_tensor_split_at",
        "td_dict_unbind",
        "td_dict_list_size",
        "td_dict_list_get",
        "td_dict_list_view",
        "td_dict_list_retain",
        "td_dict_list_release",
        "td_dict_repeat",
        "td_dict_tile",
        "td_dict_repeat_interleave",
        "td_dict_flip",
        "td_dict_roll",
        "td_dict_rot90",
        "td_dict_contiguous",
        "td_dict_is_contiguous",
        "td_dict_auto_batch_size_",
        "td_dict_new_empty",
        "td_dict_new_full",
        "td_dict_new_tensor",
        "td_dict_pack",
        "td_pack_layout_new",
        "td_pack_layout_unpack",
        "td_pack_layout_keys",
        "td_pack_layout_nested",
        "td_pack_layout_shape",
        "td_pack_layout_nested_shape",
        "td_pack_layout_offset",
        "td_pack_layout_numel",
        "td_pack_layout_dim",
        "td_pack_layout_device",
        "td_pack_layout_equal",
        "td_pack_layout_repr",
        "td_pack_layout_retain",
        "td_pack_layout_release",
        "td_dict_set_names",
        "td_dict_name",
        "td_dict_refine_names",
        "td_dict_rename_names",
        "td_dict_pointwise",
        "td_dict_apply_op",
        "td_dict_reduce",
        "td_dict_reduce_all",
        "td_dict_all",
        "td_dict_any",
        "td_data_list_new",
        "td_dict_map",
        "td_dict_merge_with",
        "td_dict_requires_grad",
        "td_dict_requires_grad_",
        "td_dict_detach",
        "td_dict_detach_",
        "td_dict_grad",
        "td_dict_zero_grad",
        "td_dict_backward",
        "td_dict_autograd_grad",
        "td_dict_to",
        "td_dict_pin_memory",
        "td_dict_state_dict",
        "td_dict_load_state_dict",
        "td_dict_lock_",
        "td_dict_unlock_",
        "td_dict_is_locked",
        "td_dict_share_memory_",
        "td_dict_is_shared",
        "td_dict_repr",
        "td_dict_parse",
        "td_tensor_equal",
        "td_dict_equal",
        "td_scope_unlock",
        "td_scope_flatten_keys",
        "td_scope_unflatten_keys",
        "td_scope_to",
        "td_scope_end",
        "td_scope_cancel",
        "td_scope_retain",
        "td_scope_release",
        "td_scope_view",
        "td_scope_flatten",
        "td_scope_unflatten",
        "td_scope_squeeze",
        "td_scope_unsqueeze",
        "td_scope_permute",
        "td_scope_transpose",
        "td_scope_movedim",
        "td_scope_flip",
        "td_scope_roll",
        "td_format_name",
        "td_format_detect",
        "td_format_of_ending",
        "td_open",
        "td_save",
        "td_archive_verify",
        "td_archive_refresh_checksums",
        "td_dict_consolidate",
        "td_dict_memmap_like",
        "td_dict_make_memmap",
        "td_dict_make_memmap_from",
        "td_dict_memmap_refresh_",
        "td_dict_is_memmap",
        "td_dict_saved_path",
        "td_dict_python_class",
        "td_dict_python_fields",
        "td_append_memmap",
        "td_tensor_memmap_zeros",
        "td_tensor_memmap_full",
        "td_tensor_memmap_from",
        "td_tensor_memmap_open",
        "td_tensor_saved_path",
        "td_persistent_open",
        "td_persistent_create",
        "td_persistent_file",
        "td_persistent_is_writable",
        "td_persistent_close",
        "td_dict_from_schema",
        "td_segment_create",
        "td_segment_open",
        "td_segment_dict",
        "td_segment_update",
        "td_segment_snapshot",
        "td_segment_version",
        "td_segment_wait",
        "td_segment_path",
        "td_segment_nbytes",
        "td_segment_unlink",
        "td_segment_list",
        "td_segment_prune",
        "td_segment_send",
        "td_segment_receive",
        "td_segment_export",
        "td_segment_import",
        "td_segment_retain",
        "td_segment_release",
        "td_channel_create",
        "td_channel_open",
        "td_channel_acquire",
        "td_channel_take",
        "td_channel_descriptor",
        "td_channel_close",
        "td_channel_sweep",
        "td_channel_stats",
        "td_channel_dump",
        "td_channel_get_options",
        "td_channel_schema",
        "td_channel_path",
        "td_channel_nbytes",
        "td_channel_unlink",
        "td_channel_retain",
        "td_channel_release",
        "td_message_dict",
        "td_message_clone",
        "td_message_open_views",
        "td_message_publish",
        "td_message_number",
        "td_message_delivery",
        "td_message_lag",
        "td_message_retain",
        "td_message_release",
        "td_interaction_from_name",
        "td_interaction_run",
        "td_interaction_set",
        "td_interaction_get",
        "td_dist_interact",
        "td_module_new",
        "td_module_from_function",
        "td_module_retain",
        "td_module_release",
        "td_module_type_name",
        "td_module_config",
        "td_module_train",
        "td_module_forward",
        "td_module_forward_with_state",
        "td_module_call",
        "td_dict_from_module",
        "td_module_vmap",
        "td_module_from_params",
        "td_module_from_values",
        "td_module_wrap",
        "td_module_tensordict",
        "td_module_sequential",
        "td_module_chain",
        "td_module_list",
        "td_module_run",
        "td_module_dispatch",
        "td_module_in_keys",
        "td_module_out_keys",
        "td_module_out_keys_source",
        "td_module_select_out_keys",
        "td_module_reset_out_keys",
        "td_module_select_subsequence",
        "td_module_size",
        "td_module_member",
        "td_module_slice",
        "td_module_set_member",
        "td_module_remove_member",
        "td_dict_from_modules",
        "td_module_stack_state",
        "td_module_functional_call",
        "td_module_state_dict",
        "td_module_load_state_dict",
        "td_module_set_extra_state",
        "td_module_swap",
        "td_module_parameters",
        "td_module_buffers",
        "td_module_visit",
        "td_module_get_parameter",
        "td_module_get_buffer",
        "td_module_get_submodule",
        "td_module_set_parameter",
        "td_module_set_buffer",
        "td_module_set_submodule",
        "td_module_register_parameter",
        "td_module_register_buffer",
        "td_module_register_module",
        "td_module_is_training",
        "td_module_has_keys",
        "td_module_repr",
        "td_module_requires_grad_",
        "td_module_zero_grad",
        "td_module_to",
        "td_module_to_type",
        "td_module_to_empty",
        "td_module_share_memory",
        "td_module_reset_parameters",
        "td_hook_call_set_data",
        "td_hook_call_set_result",
        "td_hook_call_set_input",
        "td_hook_call_set_output",
        "td_module_add_forward_pre_hook",
        "td_module_add_forward_hook",
        "td_module_add_state_hook",
        "td_backward_call_set_grad_input",
        "td_backward_call_set_grad_output",
        "td_module_add_backward_pre_hook",
        "td_module_add_backward_hook",
        "td_module_remove_hook",
        "td_module_ensemble",
        "td_vmap",
        "td_optimizer_sgd",
        "td_optimizer_adam",
        "td_optimizer_zero_grad",
        "td_optimizer_step",
        "td_optimizer_adamw",
        "td_optimizer_rmsprop",
        "td_optimizer_add_group",
        "td_optimizer_type_name",
        "td_optimizer_group_count",
        "td_optimizer_get",
        "td_optimizer_set",
        "td_optimizer_state",
        "td_optimizer_load_state",
        "td_dict_clip_grad_norm_",
        "td_dict_clip_grad_value_",
        "td_optimizer_retain",
        "td_optimizer_release",
        "td_schedule_new_step",
        "td_schedule_new_multi_step",
        "td_schedule_new_exponential",
        "td_schedule_new_cosine",
        "td_schedule_new_linear",
        "td_schedule_new_constant",
        "td_schedule_new_one_cycle",
        "td_schedule_step",
        "td_schedule_steps",
        "td_schedule_state",
        "td_schedule_load_state",
        "td_schedule_retain",
        "td_schedule_release",
        "td_dist_new",
        "td_dist_sample",
        "td_dist_rsample",
        "td_dist_log_prob",
        "td_dist_get",
        "td_dist_cdf",
        "td_dist_icdf",
        "td_dist_enumerate_support",
        "td_dist_expand",
        "td_dist_batch_shape",
        "td_dist_event_shape",
        "td_dist_has_rsample",
        "td_dist_has_enumerate_support",
        "td_dist_repr",
        "td_dist_set_default_validate_args",
        "td_dist_default_validate_args",
        "td_dist_independent",
        "td_dist_transformed",
        "td_dist_mixture",
        "td_dist_kl_divergence",
        "td_dist_composite",
        "td_dist_composite_of",
        "td_dist_sample_dict",
        "td_dist_rsample_dict",
        "td_dist_get_dict",
        "td_dist_interact_dict",
        "td_dist_log_prob_dict",
        "td_dist_log_prob_sum",
        "td_dist_cdf_dict",
        "td_dist_icdf_dict",
        "td_dist_retain",
        "td_dist_release",
        "td_transform_new",
        "td_transform_cdf_of",
        "td_transform_compose",
        "td_transform_inverse_of",
        "td_transform_forward",
        "td_transform_inverse",
        "td_transform_log_abs_det_jacobian",
        "td_transform_repr",
        "td_dist_transformed_by",
        "td_transform_retain",
        "td_transform_release",
        "td_module_probabilistic",
        "td_module_probabilistic_composite",
        "td_module_probabilistic_function",
        "td_module_probabilistic_sequential",
        "td_module_get_dist",
        "td_module_get_dist_params",
        "td_module_dist_from_params",
        "td_module_log_prob",
        "td_module_log_prob_dict",
        "td_module_dist_params_keys",
        "td_module_dist_sample_keys",
        "td_module_log_prob_keys",
        "td_module_num_samples",
        "td_module_default_interaction",
        "td_hash_new",
        "td_hash_from_function",
        "td_hash_clone",
        "td_hash_rows",
        "td_hash_call",
        "td_hash_describe",
        "td_hash_save",
        "td_hash_load",
        "td_hash_retain",
        "td_hash_release",
        "td_query_new",
        "td_query_forward",
        "td_query_call",
        "td_module_query",
        "td_query_contains",
        "td_query_look_up",
        "td_query_hash",
        "td_query_remove",
        "td_query_clear",
        "td_query_select_out_keys",
        "td_query_reset_out_keys",
        "td_query_in_keys",
        "td_query_out_keys",
        "td_query_state",
        "td_query_load_state",
        "td_query_stats",
        "td_query_get_options",
        "td_query_size",
        "td_query_retain",
        "td_query_release",
        "td_query_new_with_map",
        "td_query_share",
        "td_query_save",
        "td_query_attach",
        "td_query_unlink",
        "td_store_new",
        "td_store_set",
        "td_store_get",
        "td_store_contains",
        "td_store_sample",
        "td_store_clear",
        "td_store_get_options",
        "td_store_size",
        "td_store_retain",
        "td_store_release",
        "td_row_map_new",
        "td_row_map_set",
        "td_row_map_get",
        "td_row_map_contains",
        "td_row_map_clear",
        "td_row_map_size",
        "td_row_map_retain",
        "td_row_map_release",
        "td_plugins_load",
        "td_plugins_add_path",
        "td_plugins_list",
        "td_plugins_report",
        "td_plugins_register_hash",
        "td_plugins_register_module",
        "td_plugins_register_dist",
        "td_plugins_unregister",
    };
}
