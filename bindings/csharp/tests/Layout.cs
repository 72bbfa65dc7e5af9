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
        byte* at = stackalloc byte[1024];
        all.Add(("td_str", sizeof(td_str), 16));
        all.Add(("td_str.data", (byte*)&((td_str*)at)->data - at, 0));
        all.Add(("td_str.size", (byte*)&((td_str*)at)->size - at, 8));
        all.Add(("td_key", sizeof(td_key), 16));
        all.Add(("td_key.parts", (byte*)&((td_key*)at)->parts - at, 0));
        all.Add(("td_key.n", (byte*)&((td_key*)at)->n - at, 8));
        all.Add(("td_complex", sizeof(td_complex), 16));
        all.Add(("td_complex.re", (byte*)&((td_complex*)at)->re - at, 0));
        all.Add(("td_complex.im", (byte*)&((td_complex*)at)->im - at, 8));
        all.Add(("td_value", sizeof(td_value), 32));
        all.Add(("td_value.kind", (byte*)&((td_value*)at)->kind - at, 0));
        all.Add(("td_value.reserved", (byte*)&((td_value*)at)->reserved - at, 4));
        all.Add(("td_value.size", (byte*)&((td_value*)at)->size - at, 8));
        all.Add(("td_value.as", (byte*)&((td_value*)at)->@as - at, 16));
        all.Add(("td_named_value", sizeof(td_named_value), 48));
        all.Add(("td_named_value.name", (byte*)&((td_named_value*)at)->name - at, 0));
        all.Add(("td_named_value.value", (byte*)&((td_named_value*)at)->value - at, 16));
        all.Add(("td_writer", sizeof(td_writer), 24));
        all.Add(("td_writer.struct_size", (byte*)&((td_writer*)at)->struct_size - at, 0));
        all.Add(("td_writer.write", (byte*)&((td_writer*)at)->write - at, 8));
        all.Add(("td_writer.userdata", (byte*)&((td_writer*)at)->userdata - at, 16));
        all.Add(("td_reader", sizeof(td_reader), 24));
        all.Add(("td_reader.struct_size", (byte*)&((td_reader*)at)->struct_size - at, 0));
        all.Add(("td_reader.read", (byte*)&((td_reader*)at)->read - at, 8));
        all.Add(("td_reader.userdata", (byte*)&((td_reader*)at)->userdata - at, 16));
        all.Add(("td_object", sizeof(td_object), 16));
        all.Add(("td_object.kind", (byte*)&((td_object*)at)->kind - at, 0));
        all.Add(("td_object.reserved", (byte*)&((td_object*)at)->reserved - at, 4));
        all.Add(("td_object.handle", (byte*)&((td_object*)at)->handle - at, 8));
        all.Add(("td_warning_function", sizeof(td_warning_function), 32));
        all.Add(("td_warning_function.struct_size", (byte*)&((td_warning_function*)at)->struct_size - at, 0));
        all.Add(("td_warning_function.fn", (byte*)&((td_warning_function*)at)->fn - at, 8));
        all.Add(("td_warning_function.userdata", (byte*)&((td_warning_function*)at)->userdata - at, 16));
        all.Add(("td_warning_function.destroy", (byte*)&((td_warning_function*)at)->destroy - at, 24));
        all.Add(("td_tensor_facts", sizeof(td_tensor_facts), 88));
        all.Add(("td_tensor_facts.struct_size", (byte*)&((td_tensor_facts*)at)->struct_size - at, 0));
        all.Add(("td_tensor_facts.dtype", (byte*)&((td_tensor_facts*)at)->dtype - at, 8));
        all.Add(("td_tensor_facts.stored_dtype", (byte*)&((td_tensor_facts*)at)->stored_dtype - at, 12));
        all.Add(("td_tensor_facts.flags", (byte*)&((td_tensor_facts*)at)->flags - at, 16));
        all.Add(("td_tensor_facts.ndim", (byte*)&((td_tensor_facts*)at)->ndim - at, 24));
        all.Add(("td_tensor_facts.sizes", (byte*)&((td_tensor_facts*)at)->sizes - at, 32));
        all.Add(("td_tensor_facts.strides", (byte*)&((td_tensor_facts*)at)->strides - at, 40));
        all.Add(("td_tensor_facts.numel", (byte*)&((td_tensor_facts*)at)->numel - at, 48));
        all.Add(("td_tensor_facts.itemsize", (byte*)&((td_tensor_facts*)at)->itemsize - at, 56));
        all.Add(("td_tensor_facts.data", (byte*)&((td_tensor_facts*)at)->data - at, 64));
        all.Add(("td_tensor_facts.device", (byte*)&((td_tensor_facts*)at)->device - at, 72));
        all.Add(("td_dict_options", sizeof(td_dict_options), 24));
        all.Add(("td_dict_options.struct_size", (byte*)&((td_dict_options*)at)->struct_size - at, 0));
        all.Add(("td_dict_options.device", (byte*)&((td_dict_options*)at)->device - at, 8));
        all.Add(("td_entry", sizeof(td_entry), 32));
        all.Add(("td_entry.kind", (byte*)&((td_entry*)at)->kind - at, 0));
        all.Add(("td_entry.reserved", (byte*)&((td_entry*)at)->reserved - at, 4));
        all.Add(("td_entry.tensor", (byte*)&((td_entry*)at)->tensor - at, 8));
        all.Add(("td_entry.dict", (byte*)&((td_entry*)at)->dict - at, 16));
        all.Add(("td_entry.data", (byte*)&((td_entry*)at)->data - at, 24));
        all.Add(("td_data", sizeof(td_data), 40));
        all.Add(("td_data.kind", (byte*)&((td_data*)at)->kind - at, 0));
        all.Add(("td_data.reserved", (byte*)&((td_data*)at)->reserved - at, 4));
        all.Add(("td_data.i", (byte*)&((td_data*)at)->i - at, 8));
        all.Add(("td_data.f", (byte*)&((td_data*)at)->f - at, 16));
        all.Add(("td_data.text", (byte*)&((td_data*)at)->text - at, 24));
        all.Add(("td_item", sizeof(td_item), 40));
        all.Add(("td_item.key", (byte*)&((td_item*)at)->key - at, 0));
        all.Add(("td_item.value", (byte*)&((td_item*)at)->value - at, 8));
        all.Add(("td_field", sizeof(td_field), 40));
        all.Add(("td_field.key", (byte*)&((td_field*)at)->key - at, 0));
        all.Add(("td_field.dtype", (byte*)&((td_field*)at)->dtype - at, 8));
        all.Add(("td_field.reserved", (byte*)&((td_field*)at)->reserved - at, 12));
        all.Add(("td_field.dims", (byte*)&((td_field*)at)->dims - at, 16));
        all.Add(("td_field.ndim", (byte*)&((td_field*)at)->ndim - at, 24));
        all.Add(("td_field.offset", (byte*)&((td_field*)at)->offset - at, 32));
        all.Add(("td_dict_update_options", sizeof(td_dict_update_options), 32));
        all.Add(("td_dict_update_options.struct_size", (byte*)&((td_dict_update_options*)at)->struct_size - at, 0));
        all.Add(("td_dict_update_options.inplace", (byte*)&((td_dict_update_options*)at)->inplace - at, 8));
        all.Add(("td_dict_update_options.clone", (byte*)&((td_dict_update_options*)at)->clone - at, 9));
        all.Add(("td_dict_update_options.update_batch_size", (byte*)&((td_dict_update_options*)at)->update_batch_size - at, 10));
        all.Add(("td_dict_update_options.reserved", (byte*)((td_dict_update_options*)at)->reserved - at, 11));
        all.Add(("td_dict_update_options.keys", (byte*)&((td_dict_update_options*)at)->keys - at, 16));
        all.Add(("td_dict_update_options.n_keys", (byte*)&((td_dict_update_options*)at)->n_keys - at, 24));
        all.Add(("td_key_set", sizeof(td_key_set), 16));
        all.Add(("td_key_set.keys", (byte*)&((td_key_set*)at)->keys - at, 0));
        all.Add(("td_key_set.n", (byte*)&((td_key_set*)at)->n - at, 8));
        all.Add(("td_split_options", sizeof(td_split_options), 32));
        all.Add(("td_split_options.struct_size", (byte*)&((td_split_options*)at)->struct_size - at, 0));
        all.Add(("td_split_options.lenient", (byte*)&((td_split_options*)at)->lenient - at, 8));
        all.Add(("td_split_options.reproduce_struct", (byte*)&((td_split_options*)at)->reproduce_struct - at, 9));
        all.Add(("td_split_options.reserved", (byte*)((td_split_options*)at)->reserved - at, 10));
        all.Add(("td_split_options.fill", (byte*)&((td_split_options*)at)->fill - at, 16));
        all.Add(("td_split_options.names", (byte*)&((td_split_options*)at)->names - at, 24));
        all.Add(("td_separate_options", sizeof(td_separate_options), 24));
        all.Add(("td_separate_options.struct_size", (byte*)&((td_separate_options*)at)->struct_size - at, 0));
        all.Add(("td_separate_options.lenient", (byte*)&((td_separate_options*)at)->lenient - at, 8));
        all.Add(("td_separate_options.keep_empty", (byte*)&((td_separate_options*)at)->keep_empty - at, 9));
        all.Add(("td_separate_options.reserved", (byte*)((td_separate_options*)at)->reserved - at, 10));
        all.Add(("td_separate_options.fill", (byte*)&((td_separate_options*)at)->fill - at, 16));
        all.Add(("td_index", sizeof(td_index), 56));
        all.Add(("td_index.kind", (byte*)&((td_index*)at)->kind - at, 0));
        all.Add(("td_index.reserved", (byte*)&((td_index*)at)->reserved - at, 4));
        all.Add(("td_index.start", (byte*)&((td_index*)at)->start - at, 8));
        all.Add(("td_index.stop", (byte*)&((td_index*)at)->stop - at, 16));
        all.Add(("td_index.step", (byte*)&((td_index*)at)->step - at, 24));
        all.Add(("td_index.tensor", (byte*)&((td_index*)at)->tensor - at, 32));
        all.Add(("td_index.ints", (byte*)&((td_index*)at)->ints - at, 40));
        all.Add(("td_index.n", (byte*)&((td_index*)at)->n - at, 48));
        all.Add(("td_pad_sequence_options", sizeof(td_pad_sequence_options), 56));
        all.Add(("td_pad_sequence_options.struct_size", (byte*)&((td_pad_sequence_options*)at)->struct_size - at, 0));
        all.Add(("td_pad_sequence_options.pad_dim", (byte*)&((td_pad_sequence_options*)at)->pad_dim - at, 8));
        all.Add(("td_pad_sequence_options.value", (byte*)&((td_pad_sequence_options*)at)->value - at, 16));
        all.Add(("td_pad_sequence_options.mask_key", (byte*)&((td_pad_sequence_options*)at)->mask_key - at, 24));
        all.Add(("td_pad_sequence_options.values", (byte*)&((td_pad_sequence_options*)at)->values - at, 32));
        all.Add(("td_pad_sequence_options.n_values", (byte*)&((td_pad_sequence_options*)at)->n_values - at, 40));
        all.Add(("td_pad_sequence_options.left", (byte*)&((td_pad_sequence_options*)at)->left - at, 48));
        all.Add(("td_pad_sequence_options.reserved", (byte*)((td_pad_sequence_options*)at)->reserved - at, 49));
        all.Add(("td_unpad_sequence_options", sizeof(td_unpad_sequence_options), 40));
        all.Add(("td_unpad_sequence_options.struct_size", (byte*)&((td_unpad_sequence_options*)at)->struct_size - at, 0));
        all.Add(("td_unpad_sequence_options.pad_dim", (byte*)&((td_unpad_sequence_options*)at)->pad_dim - at, 8));
        all.Add(("td_unpad_sequence_options.mask_key", (byte*)&((td_unpad_sequence_options*)at)->mask_key - at, 16));
        all.Add(("td_unpad_sequence_options.masks", (byte*)&((td_unpad_sequence_options*)at)->masks - at, 24));
        all.Add(("td_unpad_sequence_options.mask", (byte*)&((td_unpad_sequence_options*)at)->mask - at, 32));
        all.Add(("td_padding_options", sizeof(td_padding_options), 32));
        all.Add(("td_padding_options.struct_size", (byte*)&((td_padding_options*)at)->struct_size - at, 0));
        all.Add(("td_padding_options.value", (byte*)&((td_padding_options*)at)->value - at, 8));
        all.Add(("td_padding_options.left", (byte*)&((td_padding_options*)at)->left - at, 16));
        all.Add(("td_padding_options.reserved", (byte*)((td_padding_options*)at)->reserved - at, 17));
        all.Add(("td_padding_options.mask_key", (byte*)&((td_padding_options*)at)->mask_key - at, 24));
        all.Add(("td_params_options", sizeof(td_params_options), 16));
        all.Add(("td_params_options.struct_size", (byte*)&((td_params_options*)at)->struct_size - at, 0));
        all.Add(("td_params_options.no_convert", (byte*)&((td_params_options*)at)->no_convert - at, 8));
        all.Add(("td_params_options.lock", (byte*)&((td_params_options*)at)->@lock - at, 9));
        all.Add(("td_params_options.reserved", (byte*)((td_params_options*)at)->reserved - at, 10));
        all.Add(("td_new_tensor_options", sizeof(td_new_tensor_options), 32));
        all.Add(("td_new_tensor_options.struct_size", (byte*)&((td_new_tensor_options*)at)->struct_size - at, 0));
        all.Add(("td_new_tensor_options.dtype", (byte*)&((td_new_tensor_options*)at)->dtype - at, 8));
        all.Add(("td_new_tensor_options.requires_grad", (byte*)&((td_new_tensor_options*)at)->requires_grad - at, 12));
        all.Add(("td_new_tensor_options.reserved", (byte*)((td_new_tensor_options*)at)->reserved - at, 13));
        all.Add(("td_new_tensor_options.device", (byte*)&((td_new_tensor_options*)at)->device - at, 16));
        all.Add(("td_pack_entry", sizeof(td_pack_entry), 24));
        all.Add(("td_pack_entry.key", (byte*)&((td_pack_entry*)at)->key - at, 0));
        all.Add(("td_pack_entry.dims", (byte*)&((td_pack_entry*)at)->dims - at, 8));
        all.Add(("td_pack_entry.ndim", (byte*)&((td_pack_entry*)at)->ndim - at, 16));
        all.Add(("td_pointwise_options", sizeof(td_pointwise_options), 24));
        all.Add(("td_pointwise_options.struct_size", (byte*)&((td_pointwise_options*)at)->struct_size - at, 0));
        all.Add(("td_pointwise_options.missing", (byte*)&((td_pointwise_options*)at)->missing - at, 8));
        all.Add(("td_pointwise_options.reserved", (byte*)((td_pointwise_options*)at)->reserved - at, 12));
        all.Add(("td_pointwise_options.fill", (byte*)&((td_pointwise_options*)at)->fill - at, 16));
        all.Add(("td_reduce_options", sizeof(td_reduce_options), 32));
        all.Add(("td_reduce_options.struct_size", (byte*)&((td_reduce_options*)at)->struct_size - at, 0));
        all.Add(("td_reduce_options.dims", (byte*)&((td_reduce_options*)at)->dims - at, 8));
        all.Add(("td_reduce_options.n_dims", (byte*)&((td_reduce_options*)at)->n_dims - at, 16));
        all.Add(("td_reduce_options.keepdim", (byte*)&((td_reduce_options*)at)->keepdim - at, 24));
        all.Add(("td_reduce_options.feature", (byte*)&((td_reduce_options*)at)->feature - at, 25));
        all.Add(("td_reduce_options.reserved", (byte*)((td_reduce_options*)at)->reserved - at, 26));
        all.Add(("td_map_function", sizeof(td_map_function), 32));
        all.Add(("td_map_function.struct_size", (byte*)&((td_map_function*)at)->struct_size - at, 0));
        all.Add(("td_map_function.fn", (byte*)&((td_map_function*)at)->fn - at, 8));
        all.Add(("td_map_function.userdata", (byte*)&((td_map_function*)at)->userdata - at, 16));
        all.Add(("td_map_function.destroy", (byte*)&((td_map_function*)at)->destroy - at, 24));
        all.Add(("td_map_data_function", sizeof(td_map_data_function), 32));
        all.Add(("td_map_data_function.struct_size", (byte*)&((td_map_data_function*)at)->struct_size - at, 0));
        all.Add(("td_map_data_function.fn", (byte*)&((td_map_data_function*)at)->fn - at, 8));
        all.Add(("td_map_data_function.userdata", (byte*)&((td_map_data_function*)at)->userdata - at, 16));
        all.Add(("td_map_data_function.destroy", (byte*)&((td_map_data_function*)at)->destroy - at, 24));
        all.Add(("td_map_options", sizeof(td_map_options), 40));
        all.Add(("td_map_options.struct_size", (byte*)&((td_map_options*)at)->struct_size - at, 0));
        all.Add(("td_map_options.batch_size", (byte*)&((td_map_options*)at)->batch_size - at, 8));
        all.Add(("td_map_options.ndim", (byte*)&((td_map_options*)at)->ndim - at, 16));
        all.Add(("td_map_options.emptied", (byte*)&((td_map_options*)at)->emptied - at, 24));
        all.Add(("td_map_options.in_place", (byte*)&((td_map_options*)at)->in_place - at, 28));
        all.Add(("td_map_options.missing_as_null", (byte*)&((td_map_options*)at)->missing_as_null - at, 29));
        all.Add(("td_map_options.reserved", (byte*)((td_map_options*)at)->reserved - at, 30));
        all.Add(("td_map_options.data", (byte*)&((td_map_options*)at)->data - at, 32));
        all.Add(("td_backward_options", sizeof(td_backward_options), 16));
        all.Add(("td_backward_options.struct_size", (byte*)&((td_backward_options*)at)->struct_size - at, 0));
        all.Add(("td_backward_options.retain_graph", (byte*)&((td_backward_options*)at)->retain_graph - at, 8));
        all.Add(("td_backward_options.create_graph", (byte*)&((td_backward_options*)at)->create_graph - at, 9));
        all.Add(("td_backward_options.allow_unused", (byte*)&((td_backward_options*)at)->allow_unused - at, 10));
        all.Add(("td_backward_options.reserved", (byte*)((td_backward_options*)at)->reserved - at, 11));
        all.Add(("td_load_state_options", sizeof(td_load_state_options), 16));
        all.Add(("td_load_state_options.struct_size", (byte*)&((td_load_state_options*)at)->struct_size - at, 0));
        all.Add(("td_load_state_options.lenient", (byte*)&((td_load_state_options*)at)->lenient - at, 8));
        all.Add(("td_load_state_options.assign", (byte*)&((td_load_state_options*)at)->assign - at, 9));
        all.Add(("td_load_state_options.reserved", (byte*)((td_load_state_options*)at)->reserved - at, 10));
        all.Add(("td_parse_options", sizeof(td_parse_options), 24));
        all.Add(("td_parse_options.struct_size", (byte*)&((td_parse_options*)at)->struct_size - at, 0));
        all.Add(("td_parse_options.device", (byte*)&((td_parse_options*)at)->device - at, 8));
        all.Add(("td_equal_options", sizeof(td_equal_options), 32));
        all.Add(("td_equal_options.struct_size", (byte*)&((td_equal_options*)at)->struct_size - at, 0));
        all.Add(("td_equal_options.relative", (byte*)&((td_equal_options*)at)->relative - at, 8));
        all.Add(("td_equal_options.absolute", (byte*)&((td_equal_options*)at)->absolute - at, 16));
        all.Add(("td_equal_options.equal_nan", (byte*)&((td_equal_options*)at)->equal_nan - at, 24));
        all.Add(("td_equal_options.reserved", (byte*)((td_equal_options*)at)->reserved - at, 25));
        all.Add(("td_open_options", sizeof(td_open_options), 32));
        all.Add(("td_open_options.struct_size", (byte*)&((td_open_options*)at)->struct_size - at, 0));
        all.Add(("td_open_options.mode", (byte*)&((td_open_options*)at)->mode - at, 8));
        all.Add(("td_open_options.format", (byte*)&((td_open_options*)at)->format - at, 12));
        all.Add(("td_open_options.lenient", (byte*)&((td_open_options*)at)->lenient - at, 16));
        all.Add(("td_open_options.trusted", (byte*)&((td_open_options*)at)->trusted - at, 17));
        all.Add(("td_open_options.reserved", (byte*)((td_open_options*)at)->reserved - at, 18));
        all.Add(("td_open_options.part", (byte*)&((td_open_options*)at)->part - at, 24));
        all.Add(("td_progress", sizeof(td_progress), 32));
        all.Add(("td_progress.struct_size", (byte*)&((td_progress*)at)->struct_size - at, 0));
        all.Add(("td_progress.fn", (byte*)&((td_progress*)at)->fn - at, 8));
        all.Add(("td_progress.userdata", (byte*)&((td_progress*)at)->userdata - at, 16));
        all.Add(("td_progress.destroy", (byte*)&((td_progress*)at)->destroy - at, 24));
        all.Add(("td_save_options", sizeof(td_save_options), 40));
        all.Add(("td_save_options.struct_size", (byte*)&((td_save_options*)at)->struct_size - at, 0));
        all.Add(("td_save_options.overwrite", (byte*)&((td_save_options*)at)->overwrite - at, 8));
        all.Add(("td_save_options.sync", (byte*)&((td_save_options*)at)->sync - at, 9));
        all.Add(("td_save_options.reserved", (byte*)((td_save_options*)at)->reserved - at, 10));
        all.Add(("td_save_options.threads", (byte*)&((td_save_options*)at)->threads - at, 16));
        all.Add(("td_save_options.progress", (byte*)&((td_save_options*)at)->progress - at, 24));
        all.Add(("td_save_options.format", (byte*)&((td_save_options*)at)->format - at, 32));
        all.Add(("td_save_options.compression", (byte*)&((td_save_options*)at)->compression - at, 36));
        all.Add(("td_persistent_options", sizeof(td_persistent_options), 64));
        all.Add(("td_persistent_options.struct_size", (byte*)&((td_persistent_options*)at)->struct_size - at, 0));
        all.Add(("td_persistent_options.mode", (byte*)&((td_persistent_options*)at)->mode - at, 8));
        all.Add(("td_persistent_options.compression", (byte*)&((td_persistent_options*)at)->compression - at, 12));
        all.Add(("td_persistent_options.batch_size", (byte*)&((td_persistent_options*)at)->batch_size - at, 16));
        all.Add(("td_persistent_options.ndim", (byte*)&((td_persistent_options*)at)->ndim - at, 24));
        all.Add(("td_persistent_options.max_batch_dims", (byte*)&((td_persistent_options*)at)->max_batch_dims - at, 32));
        all.Add(("td_persistent_options.chunks", (byte*)&((td_persistent_options*)at)->chunks - at, 40));
        all.Add(("td_persistent_options.n_chunks", (byte*)&((td_persistent_options*)at)->n_chunks - at, 48));
        all.Add(("td_persistent_options.shuffle", (byte*)&((td_persistent_options*)at)->shuffle - at, 56));
        all.Add(("td_persistent_options.reserved", (byte*)((td_persistent_options*)at)->reserved - at, 57));
        all.Add(("td_schema_entry", sizeof(td_schema_entry), 32));
        all.Add(("td_schema_entry.key", (byte*)&((td_schema_entry*)at)->key - at, 0));
        all.Add(("td_schema_entry.dtype", (byte*)&((td_schema_entry*)at)->dtype - at, 8));
        all.Add(("td_schema_entry.reserved", (byte*)&((td_schema_entry*)at)->reserved - at, 12));
        all.Add(("td_schema_entry.dims", (byte*)&((td_schema_entry*)at)->dims - at, 16));
        all.Add(("td_schema_entry.ndim", (byte*)&((td_schema_entry*)at)->ndim - at, 24));
        all.Add(("td_schema_options", sizeof(td_schema_options), 56));
        all.Add(("td_schema_options.struct_size", (byte*)&((td_schema_options*)at)->struct_size - at, 0));
        all.Add(("td_schema_options.storage", (byte*)&((td_schema_options*)at)->storage - at, 8));
        all.Add(("td_schema_options.reserved", (byte*)&((td_schema_options*)at)->reserved - at, 12));
        all.Add(("td_schema_options.path", (byte*)&((td_schema_options*)at)->path - at, 16));
        all.Add(("td_schema_options.device", (byte*)&((td_schema_options*)at)->device - at, 32));
        all.Add(("td_schema_options.save", (byte*)&((td_schema_options*)at)->save - at, 48));
        all.Add(("td_segment_options", sizeof(td_segment_options), 16));
        all.Add(("td_segment_options.struct_size", (byte*)&((td_segment_options*)at)->struct_size - at, 0));
        all.Add(("td_segment_options.keep", (byte*)&((td_segment_options*)at)->keep - at, 8));
        all.Add(("td_segment_options.large_pages", (byte*)&((td_segment_options*)at)->large_pages - at, 9));
        all.Add(("td_segment_options.replace_dead", (byte*)&((td_segment_options*)at)->replace_dead - at, 10));
        all.Add(("td_segment_options.reserved", (byte*)((td_segment_options*)at)->reserved - at, 11));
        all.Add(("td_segment_options.snapshots", (byte*)&((td_segment_options*)at)->snapshots - at, 12));
        all.Add(("td_segment_open_options", sizeof(td_segment_open_options), 32));
        all.Add(("td_segment_open_options.struct_size", (byte*)&((td_segment_open_options*)at)->struct_size - at, 0));
        all.Add(("td_segment_open_options.populate", (byte*)&((td_segment_open_options*)at)->populate - at, 8));
        all.Add(("td_segment_open_options.large_pages", (byte*)&((td_segment_open_options*)at)->large_pages - at, 9));
        all.Add(("td_segment_open_options.reserved", (byte*)((td_segment_open_options*)at)->reserved - at, 10));
        all.Add(("td_segment_open_options.timeout_ms", (byte*)&((td_segment_open_options*)at)->timeout_ms - at, 16));
        all.Add(("td_segment_open_options.cancel", (byte*)&((td_segment_open_options*)at)->cancel - at, 24));
        all.Add(("td_channel_options", sizeof(td_channel_options), 40));
        all.Add(("td_channel_options.struct_size", (byte*)&((td_channel_options*)at)->struct_size - at, 0));
        all.Add(("td_channel_options.mode", (byte*)&((td_channel_options*)at)->mode - at, 8));
        all.Add(("td_channel_options.overflow", (byte*)&((td_channel_options*)at)->overflow - at, 12));
        all.Add(("td_channel_options.roles", (byte*)&((td_channel_options*)at)->roles - at, 16));
        all.Add(("td_channel_options.slots", (byte*)&((td_channel_options*)at)->slots - at, 20));
        all.Add(("td_channel_options.members", (byte*)&((td_channel_options*)at)->members - at, 24));
        all.Add(("td_channel_options.deliveries", (byte*)&((td_channel_options*)at)->deliveries - at, 28));
        all.Add(("td_channel_options.max_held", (byte*)&((td_channel_options*)at)->max_held - at, 32));
        all.Add(("td_channel_options.keep", (byte*)&((td_channel_options*)at)->keep - at, 36));
        all.Add(("td_channel_options.replace_dead", (byte*)&((td_channel_options*)at)->replace_dead - at, 37));
        all.Add(("td_channel_options.reserved", (byte*)((td_channel_options*)at)->reserved - at, 38));
        all.Add(("td_channel_statistics", sizeof(td_channel_statistics), 104));
        all.Add(("td_channel_statistics.struct_size", (byte*)&((td_channel_statistics*)at)->struct_size - at, 0));
        all.Add(("td_channel_statistics.published", (byte*)&((td_channel_statistics*)at)->published - at, 8));
        all.Add(("td_channel_statistics.dropped", (byte*)&((td_channel_statistics*)at)->dropped - at, 16));
        all.Add(("td_channel_statistics.redelivered", (byte*)&((td_channel_statistics*)at)->redelivered - at, 24));
        all.Add(("td_channel_statistics.dead_letters", (byte*)&((td_channel_statistics*)at)->dead_letters - at, 32));
        all.Add(("td_channel_statistics.aborted", (byte*)&((td_channel_statistics*)at)->aborted - at, 40));
        all.Add(("td_channel_statistics.swept", (byte*)&((td_channel_statistics*)at)->swept - at, 48));
        all.Add(("td_channel_statistics.slots", (byte*)&((td_channel_statistics*)at)->slots - at, 56));
        all.Add(("td_channel_statistics.free", (byte*)&((td_channel_statistics*)at)->free - at, 60));
        all.Add(("td_channel_statistics.writing", (byte*)&((td_channel_statistics*)at)->writing - at, 64));
        all.Add(("td_channel_statistics.ready", (byte*)&((td_channel_statistics*)at)->ready - at, 68));
        all.Add(("td_channel_statistics.reading", (byte*)&((td_channel_statistics*)at)->reading - at, 72));
        all.Add(("td_channel_statistics.producers", (byte*)&((td_channel_statistics*)at)->producers - at, 76));
        all.Add(("td_channel_statistics.consumers", (byte*)&((td_channel_statistics*)at)->consumers - at, 80));
        all.Add(("td_channel_statistics.state", (byte*)&((td_channel_statistics*)at)->state - at, 84));
        all.Add(("td_channel_statistics.oldest_ms", (byte*)&((td_channel_statistics*)at)->oldest_ms - at, 88));
        all.Add(("td_channel_statistics.oldest_pid", (byte*)&((td_channel_statistics*)at)->oldest_pid - at, 96));
        all.Add(("td_channel_open_options", sizeof(td_channel_open_options), 24));
        all.Add(("td_channel_open_options.struct_size", (byte*)&((td_channel_open_options*)at)->struct_size - at, 0));
        all.Add(("td_channel_open_options.timeout_ms", (byte*)&((td_channel_open_options*)at)->timeout_ms - at, 8));
        all.Add(("td_channel_open_options.cancel", (byte*)&((td_channel_open_options*)at)->cancel - at, 16));
        all.Add(("td_group_options", sizeof(td_group_options), 64));
        all.Add(("td_group_options.struct_size", (byte*)&((td_group_options*)at)->struct_size - at, 0));
        all.Add(("td_group_options.prefix", (byte*)&((td_group_options*)at)->prefix - at, 8));
        all.Add(("td_group_options.address", (byte*)&((td_group_options*)at)->address - at, 24));
        all.Add(("td_group_options.timeout_ms", (byte*)&((td_group_options*)at)->timeout_ms - at, 40));
        all.Add(("td_group_options.rank", (byte*)&((td_group_options*)at)->rank - at, 48));
        all.Add(("td_group_options.size", (byte*)&((td_group_options*)at)->size - at, 52));
        all.Add(("td_group_options.serve", (byte*)&((td_group_options*)at)->serve - at, 56));
        all.Add(("td_group_options.serve_everywhere", (byte*)&((td_group_options*)at)->serve_everywhere - at, 57));
        all.Add(("td_group_options.reserved", (byte*)((td_group_options*)at)->reserved - at, 58));
        all.Add(("td_transfer_options", sizeof(td_transfer_options), 16));
        all.Add(("td_transfer_options.struct_size", (byte*)&((td_transfer_options*)at)->struct_size - at, 0));
        all.Add(("td_transfer_options.tag", (byte*)&((td_transfer_options*)at)->tag - at, 8));
        all.Add(("td_transfer_options.by_leaf", (byte*)&((td_transfer_options*)at)->by_leaf - at, 12));
        all.Add(("td_transfer_options.pseudo_rand", (byte*)&((td_transfer_options*)at)->pseudo_rand - at, 13));
        all.Add(("td_transfer_options.reserved", (byte*)((td_transfer_options*)at)->reserved - at, 14));
        all.Add(("td_group_reduce_options", sizeof(td_group_reduce_options), 24));
        all.Add(("td_group_reduce_options.struct_size", (byte*)&((td_group_reduce_options*)at)->struct_size - at, 0));
        all.Add(("td_group_reduce_options.bucket_bytes", (byte*)&((td_group_reduce_options*)at)->bucket_bytes - at, 8));
        all.Add(("td_group_reduce_options.reduction", (byte*)&((td_group_reduce_options*)at)->reduction - at, 16));
        all.Add(("td_group_reduce_options.reserved", (byte*)((td_group_reduce_options*)at)->reserved - at, 20));
        all.Add(("td_remote_options", sizeof(td_remote_options), 40));
        all.Add(("td_remote_options.struct_size", (byte*)&((td_remote_options*)at)->struct_size - at, 0));
        all.Add(("td_remote_options.batch_size", (byte*)&((td_remote_options*)at)->batch_size - at, 8));
        all.Add(("td_remote_options.ndim", (byte*)&((td_remote_options*)at)->ndim - at, 16));
        all.Add(("td_remote_options.timeout_ms", (byte*)&((td_remote_options*)at)->timeout_ms - at, 24));
        all.Add(("td_remote_options.mode", (byte*)&((td_remote_options*)at)->mode - at, 32));
        all.Add(("td_remote_options.reserved", (byte*)((td_remote_options*)at)->reserved - at, 36));
        all.Add(("td_module_function", sizeof(td_module_function), 32));
        all.Add(("td_module_function.struct_size", (byte*)&((td_module_function*)at)->struct_size - at, 0));
        all.Add(("td_module_function.fn", (byte*)&((td_module_function*)at)->fn - at, 8));
        all.Add(("td_module_function.userdata", (byte*)&((td_module_function*)at)->userdata - at, 16));
        all.Add(("td_module_function.destroy", (byte*)&((td_module_function*)at)->destroy - at, 24));
        all.Add(("td_vmap_options", sizeof(td_vmap_options), 24));
        all.Add(("td_vmap_options.struct_size", (byte*)&((td_vmap_options*)at)->struct_size - at, 0));
        all.Add(("td_vmap_options.randomness", (byte*)&((td_vmap_options*)at)->randomness - at, 8));
        all.Add(("td_vmap_options.data_dim", (byte*)&((td_vmap_options*)at)->data_dim - at, 12));
        all.Add(("td_vmap_options.map_data", (byte*)&((td_vmap_options*)at)->map_data - at, 16));
        all.Add(("td_vmap_options.reserved", (byte*)((td_vmap_options*)at)->reserved - at, 17));
        all.Add(("td_values_function", sizeof(td_values_function), 32));
        all.Add(("td_values_function.struct_size", (byte*)&((td_values_function*)at)->struct_size - at, 0));
        all.Add(("td_values_function.fn", (byte*)&((td_values_function*)at)->fn - at, 8));
        all.Add(("td_values_function.userdata", (byte*)&((td_values_function*)at)->userdata - at, 16));
        all.Add(("td_values_function.destroy", (byte*)&((td_values_function*)at)->destroy - at, 24));
        all.Add(("td_dict_function", sizeof(td_dict_function), 32));
        all.Add(("td_dict_function.struct_size", (byte*)&((td_dict_function*)at)->struct_size - at, 0));
        all.Add(("td_dict_function.fn", (byte*)&((td_dict_function*)at)->fn - at, 8));
        all.Add(("td_dict_function.userdata", (byte*)&((td_dict_function*)at)->userdata - at, 16));
        all.Add(("td_dict_function.destroy", (byte*)&((td_dict_function*)at)->destroy - at, 24));
        all.Add(("td_tensordict_options", sizeof(td_tensordict_options), 24));
        all.Add(("td_tensordict_options.struct_size", (byte*)&((td_tensordict_options*)at)->struct_size - at, 0));
        all.Add(("td_tensordict_options.inplace", (byte*)&((td_tensordict_options*)at)->inplace - at, 8));
        all.Add(("td_tensordict_options.strict", (byte*)&((td_tensordict_options*)at)->strict - at, 12));
        all.Add(("td_tensordict_options.reserved", (byte*)((td_tensordict_options*)at)->reserved - at, 13));
        all.Add(("td_tensordict_options.argument_names", (byte*)&((td_tensordict_options*)at)->argument_names - at, 16));
        all.Add(("td_sequential_options", sizeof(td_sequential_options), 40));
        all.Add(("td_sequential_options.struct_size", (byte*)&((td_sequential_options*)at)->struct_size - at, 0));
        all.Add(("td_sequential_options.inplace", (byte*)&((td_sequential_options*)at)->inplace - at, 8));
        all.Add(("td_sequential_options.partial_tolerant", (byte*)&((td_sequential_options*)at)->partial_tolerant - at, 12));
        all.Add(("td_sequential_options.reserved", (byte*)((td_sequential_options*)at)->reserved - at, 13));
        all.Add(("td_sequential_options.selected_out_keys", (byte*)&((td_sequential_options*)at)->selected_out_keys - at, 16));
        all.Add(("td_sequential_options.n_selected", (byte*)&((td_sequential_options*)at)->n_selected - at, 24));
        all.Add(("td_sequential_options.names", (byte*)&((td_sequential_options*)at)->names - at, 32));
        all.Add(("td_run_options", sizeof(td_run_options), 24));
        all.Add(("td_run_options.struct_size", (byte*)&((td_run_options*)at)->struct_size - at, 0));
        all.Add(("td_run_options.tensordict_out", (byte*)&((td_run_options*)at)->tensordict_out - at, 8));
        all.Add(("td_run_options.interaction", (byte*)&((td_run_options*)at)->interaction - at, 16));
        all.Add(("td_run_options.skip_existing", (byte*)&((td_run_options*)at)->skip_existing - at, 20));
        all.Add(("td_run_options.no_grad", (byte*)&((td_run_options*)at)->no_grad - at, 21));
        all.Add(("td_run_options.reserved", (byte*)((td_run_options*)at)->reserved - at, 22));
        all.Add(("td_from_modules_options", sizeof(td_from_modules_options), 16));
        all.Add(("td_from_modules_options.struct_size", (byte*)&((td_from_modules_options*)at)->struct_size - at, 0));
        all.Add(("td_from_modules_options.as_module", (byte*)&((td_from_modules_options*)at)->as_module - at, 8));
        all.Add(("td_from_modules_options.no_lock", (byte*)&((td_from_modules_options*)at)->no_lock - at, 9));
        all.Add(("td_from_modules_options.use_state_dict", (byte*)&((td_from_modules_options*)at)->use_state_dict - at, 10));
        all.Add(("td_from_modules_options.lazy_stack", (byte*)&((td_from_modules_options*)at)->lazy_stack - at, 11));
        all.Add(("td_from_modules_options.expand_identical", (byte*)&((td_from_modules_options*)at)->expand_identical - at, 12));
        all.Add(("td_from_modules_options.reserved", (byte*)((td_from_modules_options*)at)->reserved - at, 13));
        all.Add(("td_functional_options", sizeof(td_functional_options), 16));
        all.Add(("td_functional_options.struct_size", (byte*)&((td_functional_options*)at)->struct_size - at, 0));
        all.Add(("td_functional_options.untie_weights", (byte*)&((td_functional_options*)at)->untie_weights - at, 8));
        all.Add(("td_functional_options.strict", (byte*)&((td_functional_options*)at)->strict - at, 9));
        all.Add(("td_functional_options.reserved", (byte*)((td_functional_options*)at)->reserved - at, 10));
        all.Add(("td_load_options", sizeof(td_load_options), 16));
        all.Add(("td_load_options.struct_size", (byte*)&((td_load_options*)at)->struct_size - at, 0));
        all.Add(("td_load_options.lenient", (byte*)&((td_load_options*)at)->lenient - at, 8));
        all.Add(("td_load_options.assign", (byte*)&((td_load_options*)at)->assign - at, 9));
        all.Add(("td_load_options.reserved", (byte*)((td_load_options*)at)->reserved - at, 10));
        all.Add(("td_extra_state", sizeof(td_extra_state), 40));
        all.Add(("td_extra_state.struct_size", (byte*)&((td_extra_state*)at)->struct_size - at, 0));
        all.Add(("td_extra_state.get", (byte*)&((td_extra_state*)at)->get - at, 8));
        all.Add(("td_extra_state.set", (byte*)&((td_extra_state*)at)->set - at, 16));
        all.Add(("td_extra_state.userdata", (byte*)&((td_extra_state*)at)->userdata - at, 24));
        all.Add(("td_extra_state.destroy", (byte*)&((td_extra_state*)at)->destroy - at, 32));
        all.Add(("td_list_options", sizeof(td_list_options), 24));
        all.Add(("td_list_options.struct_size", (byte*)&((td_list_options*)at)->struct_size - at, 0));
        all.Add(("td_list_options.prefix", (byte*)&((td_list_options*)at)->prefix - at, 8));
        all.Add(("td_list_options.shallow", (byte*)&((td_list_options*)at)->shallow - at, 16));
        all.Add(("td_list_options.keep_duplicates", (byte*)&((td_list_options*)at)->keep_duplicates - at, 17));
        all.Add(("td_list_options.reserved", (byte*)((td_list_options*)at)->reserved - at, 18));
        all.Add(("td_hook_call", sizeof(td_hook_call), 56));
        all.Add(("td_hook_call.struct_size", (byte*)&((td_hook_call*)at)->struct_size - at, 0));
        all.Add(("td_hook_call.data", (byte*)&((td_hook_call*)at)->data - at, 8));
        all.Add(("td_hook_call.result", (byte*)&((td_hook_call*)at)->result - at, 16));
        all.Add(("td_hook_call.inputs", (byte*)&((td_hook_call*)at)->inputs - at, 24));
        all.Add(("td_hook_call.n_inputs", (byte*)&((td_hook_call*)at)->n_inputs - at, 32));
        all.Add(("td_hook_call.outputs", (byte*)&((td_hook_call*)at)->outputs - at, 40));
        all.Add(("td_hook_call.n_outputs", (byte*)&((td_hook_call*)at)->n_outputs - at, 48));
        all.Add(("td_forward_hook", sizeof(td_forward_hook), 32));
        all.Add(("td_forward_hook.struct_size", (byte*)&((td_forward_hook*)at)->struct_size - at, 0));
        all.Add(("td_forward_hook.fn", (byte*)&((td_forward_hook*)at)->fn - at, 8));
        all.Add(("td_forward_hook.userdata", (byte*)&((td_forward_hook*)at)->userdata - at, 16));
        all.Add(("td_forward_hook.destroy", (byte*)&((td_forward_hook*)at)->destroy - at, 24));
        all.Add(("td_state_hook", sizeof(td_state_hook), 32));
        all.Add(("td_state_hook.struct_size", (byte*)&((td_state_hook*)at)->struct_size - at, 0));
        all.Add(("td_state_hook.fn", (byte*)&((td_state_hook*)at)->fn - at, 8));
        all.Add(("td_state_hook.userdata", (byte*)&((td_state_hook*)at)->userdata - at, 16));
        all.Add(("td_state_hook.destroy", (byte*)&((td_state_hook*)at)->destroy - at, 24));
        all.Add(("td_backward_call", sizeof(td_backward_call), 40));
        all.Add(("td_backward_call.struct_size", (byte*)&((td_backward_call*)at)->struct_size - at, 0));
        all.Add(("td_backward_call.grad_inputs", (byte*)&((td_backward_call*)at)->grad_inputs - at, 8));
        all.Add(("td_backward_call.n_inputs", (byte*)&((td_backward_call*)at)->n_inputs - at, 16));
        all.Add(("td_backward_call.grad_outputs", (byte*)&((td_backward_call*)at)->grad_outputs - at, 24));
        all.Add(("td_backward_call.n_outputs", (byte*)&((td_backward_call*)at)->n_outputs - at, 32));
        all.Add(("td_backward_hook", sizeof(td_backward_hook), 32));
        all.Add(("td_backward_hook.struct_size", (byte*)&((td_backward_hook*)at)->struct_size - at, 0));
        all.Add(("td_backward_hook.fn", (byte*)&((td_backward_hook*)at)->fn - at, 8));
        all.Add(("td_backward_hook.userdata", (byte*)&((td_backward_hook*)at)->userdata - at, 16));
        all.Add(("td_backward_hook.destroy", (byte*)&((td_backward_hook*)at)->destroy - at, 24));
        all.Add(("td_vmap_function_options", sizeof(td_vmap_function_options), 40));
        all.Add(("td_vmap_function_options.struct_size", (byte*)&((td_vmap_function_options*)at)->struct_size - at, 0));
        all.Add(("td_vmap_function_options.randomness", (byte*)&((td_vmap_function_options*)at)->randomness - at, 8));
        all.Add(("td_vmap_function_options.reserved", (byte*)((td_vmap_function_options*)at)->reserved - at, 12));
        all.Add(("td_vmap_function_options.in_dims", (byte*)&((td_vmap_function_options*)at)->in_dims - at, 16));
        all.Add(("td_vmap_function_options.out_dims", (byte*)&((td_vmap_function_options*)at)->out_dims - at, 24));
        all.Add(("td_vmap_function_options.chunk_size", (byte*)&((td_vmap_function_options*)at)->chunk_size - at, 32));
        all.Add(("td_sgd_options", sizeof(td_sgd_options), 48));
        all.Add(("td_sgd_options.struct_size", (byte*)&((td_sgd_options*)at)->struct_size - at, 0));
        all.Add(("td_sgd_options.lr", (byte*)&((td_sgd_options*)at)->lr - at, 8));
        all.Add(("td_sgd_options.momentum", (byte*)&((td_sgd_options*)at)->momentum - at, 16));
        all.Add(("td_sgd_options.dampening", (byte*)&((td_sgd_options*)at)->dampening - at, 24));
        all.Add(("td_sgd_options.weight_decay", (byte*)&((td_sgd_options*)at)->weight_decay - at, 32));
        all.Add(("td_sgd_options.nesterov", (byte*)&((td_sgd_options*)at)->nesterov - at, 40));
        all.Add(("td_sgd_options.reserved", (byte*)((td_sgd_options*)at)->reserved - at, 41));
        all.Add(("td_adam_options", sizeof(td_adam_options), 56));
        all.Add(("td_adam_options.struct_size", (byte*)&((td_adam_options*)at)->struct_size - at, 0));
        all.Add(("td_adam_options.lr", (byte*)&((td_adam_options*)at)->lr - at, 8));
        all.Add(("td_adam_options.beta1", (byte*)&((td_adam_options*)at)->beta1 - at, 16));
        all.Add(("td_adam_options.beta2", (byte*)&((td_adam_options*)at)->beta2 - at, 24));
        all.Add(("td_adam_options.eps", (byte*)&((td_adam_options*)at)->eps - at, 32));
        all.Add(("td_adam_options.weight_decay", (byte*)&((td_adam_options*)at)->weight_decay - at, 40));
        all.Add(("td_adam_options.amsgrad", (byte*)&((td_adam_options*)at)->amsgrad - at, 48));
        all.Add(("td_adam_options.reserved", (byte*)((td_adam_options*)at)->reserved - at, 49));
        all.Add(("td_rmsprop_options", sizeof(td_rmsprop_options), 56));
        all.Add(("td_rmsprop_options.struct_size", (byte*)&((td_rmsprop_options*)at)->struct_size - at, 0));
        all.Add(("td_rmsprop_options.lr", (byte*)&((td_rmsprop_options*)at)->lr - at, 8));
        all.Add(("td_rmsprop_options.alpha", (byte*)&((td_rmsprop_options*)at)->alpha - at, 16));
        all.Add(("td_rmsprop_options.eps", (byte*)&((td_rmsprop_options*)at)->eps - at, 24));
        all.Add(("td_rmsprop_options.weight_decay", (byte*)&((td_rmsprop_options*)at)->weight_decay - at, 32));
        all.Add(("td_rmsprop_options.momentum", (byte*)&((td_rmsprop_options*)at)->momentum - at, 40));
        all.Add(("td_rmsprop_options.centered", (byte*)&((td_rmsprop_options*)at)->centered - at, 48));
        all.Add(("td_rmsprop_options.reserved", (byte*)((td_rmsprop_options*)at)->reserved - at, 49));
        all.Add(("td_adamw_options", sizeof(td_adamw_options), 56));
        all.Add(("td_adamw_options.struct_size", (byte*)&((td_adamw_options*)at)->struct_size - at, 0));
        all.Add(("td_adamw_options.lr", (byte*)&((td_adamw_options*)at)->lr - at, 8));
        all.Add(("td_adamw_options.beta1", (byte*)&((td_adamw_options*)at)->beta1 - at, 16));
        all.Add(("td_adamw_options.beta2", (byte*)&((td_adamw_options*)at)->beta2 - at, 24));
        all.Add(("td_adamw_options.eps", (byte*)&((td_adamw_options*)at)->eps - at, 32));
        all.Add(("td_adamw_options.weight_decay", (byte*)&((td_adamw_options*)at)->weight_decay - at, 40));
        all.Add(("td_adamw_options.amsgrad", (byte*)&((td_adamw_options*)at)->amsgrad - at, 48));
        all.Add(("td_adamw_options.reserved", (byte*)((td_adamw_options*)at)->reserved - at, 49));
        all.Add(("td_one_cycle_options", sizeof(td_one_cycle_options), 56));
        all.Add(("td_one_cycle_options.struct_size", (byte*)&((td_one_cycle_options*)at)->struct_size - at, 0));
        all.Add(("td_one_cycle_options.pct_start", (byte*)&((td_one_cycle_options*)at)->pct_start - at, 8));
        all.Add(("td_one_cycle_options.div_factor", (byte*)&((td_one_cycle_options*)at)->div_factor - at, 16));
        all.Add(("td_one_cycle_options.final_div_factor", (byte*)&((td_one_cycle_options*)at)->final_div_factor - at, 24));
        all.Add(("td_one_cycle_options.base_momentum", (byte*)&((td_one_cycle_options*)at)->base_momentum - at, 32));
        all.Add(("td_one_cycle_options.max_momentum", (byte*)&((td_one_cycle_options*)at)->max_momentum - at, 40));
        all.Add(("td_one_cycle_options.linear", (byte*)&((td_one_cycle_options*)at)->linear - at, 48));
        all.Add(("td_one_cycle_options.three_phases", (byte*)&((td_one_cycle_options*)at)->three_phases - at, 49));
        all.Add(("td_one_cycle_options.keep_momentum", (byte*)&((td_one_cycle_options*)at)->keep_momentum - at, 50));
        all.Add(("td_one_cycle_options.reserved", (byte*)((td_one_cycle_options*)at)->reserved - at, 51));
        all.Add(("td_dist_part", sizeof(td_dist_part), 56));
        all.Add(("td_dist_part.params", (byte*)&((td_dist_part*)at)->@params - at, 0));
        all.Add(("td_dist_part.type", (byte*)&((td_dist_part*)at)->type - at, 16));
        all.Add(("td_dist_part.config", (byte*)&((td_dist_part*)at)->config - at, 32));
        all.Add(("td_dist_part.name", (byte*)&((td_dist_part*)at)->name - at, 48));
        all.Add(("td_probabilistic_options", sizeof(td_probabilistic_options), 88));
        all.Add(("td_probabilistic_options.struct_size", (byte*)&((td_probabilistic_options*)at)->struct_size - at, 0));
        all.Add(("td_probabilistic_options.default_interaction", (byte*)&((td_probabilistic_options*)at)->default_interaction - at, 8));
        all.Add(("td_probabilistic_options.return_log_prob", (byte*)&((td_probabilistic_options*)at)->return_log_prob - at, 12));
        all.Add(("td_probabilistic_options.aggregate", (byte*)&((td_probabilistic_options*)at)->aggregate - at, 13));
        all.Add(("td_probabilistic_options.reserved", (byte*)((td_probabilistic_options*)at)->reserved - at, 14));
        all.Add(("td_probabilistic_options.log_prob_keys", (byte*)&((td_probabilistic_options*)at)->log_prob_keys - at, 16));
        all.Add(("td_probabilistic_options.n_log_prob_keys", (byte*)&((td_probabilistic_options*)at)->n_log_prob_keys - at, 24));
        all.Add(("td_probabilistic_options.n_empirical_estimate", (byte*)&((td_probabilistic_options*)at)->n_empirical_estimate - at, 32));
        all.Add(("td_probabilistic_options.num_samples", (byte*)&((td_probabilistic_options*)at)->num_samples - at, 40));
        all.Add(("td_probabilistic_options.n_num_samples", (byte*)&((td_probabilistic_options*)at)->n_num_samples - at, 48));
        all.Add(("td_probabilistic_options.generator", (byte*)&((td_probabilistic_options*)at)->generator - at, 56));
        all.Add(("td_probabilistic_options.generator_key", (byte*)&((td_probabilistic_options*)at)->generator_key - at, 64));
        all.Add(("td_probabilistic_options.param_names", (byte*)&((td_probabilistic_options*)at)->param_names - at, 72));
        all.Add(("td_probabilistic_options.params", (byte*)&((td_probabilistic_options*)at)->@params - at, 80));
        all.Add(("td_dist_function", sizeof(td_dist_function), 32));
        all.Add(("td_dist_function.struct_size", (byte*)&((td_dist_function*)at)->struct_size - at, 0));
        all.Add(("td_dist_function.fn", (byte*)&((td_dist_function*)at)->fn - at, 8));
        all.Add(("td_dist_function.userdata", (byte*)&((td_dist_function*)at)->userdata - at, 16));
        all.Add(("td_dist_function.destroy", (byte*)&((td_dist_function*)at)->destroy - at, 24));
        all.Add(("td_log_prob_options", sizeof(td_log_prob_options), 24));
        all.Add(("td_log_prob_options.struct_size", (byte*)&((td_log_prob_options*)at)->struct_size - at, 0));
        all.Add(("td_log_prob_options.dist", (byte*)&((td_log_prob_options*)at)->dist - at, 8));
        all.Add(("td_log_prob_options.include_sum", (byte*)&((td_log_prob_options*)at)->include_sum - at, 16));
        all.Add(("td_log_prob_options.given_samples", (byte*)&((td_log_prob_options*)at)->given_samples - at, 17));
        all.Add(("td_log_prob_options.reserved", (byte*)((td_log_prob_options*)at)->reserved - at, 18));
        all.Add(("td_hash_function", sizeof(td_hash_function), 32));
        all.Add(("td_hash_function.struct_size", (byte*)&((td_hash_function*)at)->struct_size - at, 0));
        all.Add(("td_hash_function.fn", (byte*)&((td_hash_function*)at)->fn - at, 8));
        all.Add(("td_hash_function.userdata", (byte*)&((td_hash_function*)at)->userdata - at, 16));
        all.Add(("td_hash_function.destroy", (byte*)&((td_hash_function*)at)->destroy - at, 24));
        all.Add(("td_query_options", sizeof(td_query_options), 120));
        all.Add(("td_query_options.struct_size", (byte*)&((td_query_options*)at)->struct_size - at, 0));
        all.Add(("td_query_options.index_key", (byte*)&((td_query_options*)at)->index_key - at, 8));
        all.Add(("td_query_options.hash_key", (byte*)&((td_query_options*)at)->hash_key - at, 16));
        all.Add(("td_query_options.hash_type", (byte*)&((td_query_options*)at)->hash_type - at, 24));
        all.Add(("td_query_options.hash_config", (byte*)&((td_query_options*)at)->hash_config - at, 40));
        all.Add(("td_query_options.hash", (byte*)&((td_query_options*)at)->hash - at, 56));
        all.Add(("td_query_options.hashes", (byte*)&((td_query_options*)at)->hashes - at, 64));
        all.Add(("td_query_options.n_hashes", (byte*)&((td_query_options*)at)->n_hashes - at, 72));
        all.Add(("td_query_options.aggregator", (byte*)&((td_query_options*)at)->aggregator - at, 80));
        all.Add(("td_query_options.map_of", (byte*)&((td_query_options*)at)->map_of - at, 88));
        all.Add(("td_query_options.capacity", (byte*)&((td_query_options*)at)->capacity - at, 96));
        all.Add(("td_query_options.miss", (byte*)&((td_query_options*)at)->miss - at, 104));
        all.Add(("td_query_options.threads", (byte*)&((td_query_options*)at)->threads - at, 108));
        all.Add(("td_query_options.clone", (byte*)&((td_query_options*)at)->clone - at, 112));
        all.Add(("td_query_options.exact", (byte*)&((td_query_options*)at)->exact - at, 113));
        all.Add(("td_query_options.canonical", (byte*)&((td_query_options*)at)->canonical - at, 114));
        all.Add(("td_query_options.reserved", (byte*)((td_query_options*)at)->reserved - at, 115));
        all.Add(("td_query_call_options", sizeof(td_query_call_options), 32));
        all.Add(("td_query_call_options.struct_size", (byte*)&((td_query_call_options*)at)->struct_size - at, 0));
        all.Add(("td_query_call_options.flags", (byte*)&((td_query_call_options*)at)->flags - at, 8));
        all.Add(("td_query_call_options.target", (byte*)&((td_query_call_options*)at)->target - at, 16));
        all.Add(("td_query_call_options.reserved", (byte*)((td_query_call_options*)at)->reserved - at, 20));
        all.Add(("td_query_call_options.found_key", (byte*)&((td_query_call_options*)at)->found_key - at, 24));
        all.Add(("td_query_statistics", sizeof(td_query_statistics), 48));
        all.Add(("td_query_statistics.struct_size", (byte*)&((td_query_statistics*)at)->struct_size - at, 0));
        all.Add(("td_query_statistics.size", (byte*)&((td_query_statistics*)at)->size - at, 8));
        all.Add(("td_query_statistics.next", (byte*)&((td_query_statistics*)at)->next - at, 16));
        all.Add(("td_query_statistics.collisions", (byte*)&((td_query_statistics*)at)->collisions - at, 24));
        all.Add(("td_query_statistics.evictions", (byte*)&((td_query_statistics*)at)->evictions - at, 32));
        all.Add(("td_query_statistics.nbytes", (byte*)&((td_query_statistics*)at)->nbytes - at, 40));
        all.Add(("td_index_map", sizeof(td_index_map), 80));
        all.Add(("td_index_map.struct_size", (byte*)&((td_index_map*)at)->struct_size - at, 0));
        all.Add(("td_index_map.look_up", (byte*)&((td_index_map*)at)->look_up - at, 8));
        all.Add(("td_index_map.insert", (byte*)&((td_index_map*)at)->insert - at, 16));
        all.Add(("td_index_map.erase", (byte*)&((td_index_map*)at)->erase - at, 24));
        all.Add(("td_index_map.size", (byte*)&((td_index_map*)at)->size - at, 32));
        all.Add(("td_index_map.clear", (byte*)&((td_index_map*)at)->clear - at, 40));
        all.Add(("td_index_map.state", (byte*)&((td_index_map*)at)->state - at, 48));
        all.Add(("td_index_map.load", (byte*)&((td_index_map*)at)->load - at, 56));
        all.Add(("td_index_map.userdata", (byte*)&((td_index_map*)at)->userdata - at, 64));
        all.Add(("td_index_map.destroy", (byte*)&((td_index_map*)at)->destroy - at, 72));
        all.Add(("td_query_share_options", sizeof(td_query_share_options), 24));
        all.Add(("td_query_share_options.struct_size", (byte*)&((td_query_share_options*)at)->struct_size - at, 0));
        all.Add(("td_query_share_options.capacity", (byte*)&((td_query_share_options*)at)->capacity - at, 8));
        all.Add(("td_query_share_options.keep", (byte*)&((td_query_share_options*)at)->keep - at, 16));
        all.Add(("td_query_share_options.large_pages", (byte*)&((td_query_share_options*)at)->large_pages - at, 17));
        all.Add(("td_query_share_options.reserved", (byte*)((td_query_share_options*)at)->reserved - at, 18));
        all.Add(("td_query_save_options", sizeof(td_query_save_options), 24));
        all.Add(("td_query_save_options.struct_size", (byte*)&((td_query_save_options*)at)->struct_size - at, 0));
        all.Add(("td_query_save_options.capacity", (byte*)&((td_query_save_options*)at)->capacity - at, 8));
        all.Add(("td_query_save_options.overwrite", (byte*)&((td_query_save_options*)at)->overwrite - at, 16));
        all.Add(("td_query_save_options.reserved", (byte*)((td_query_save_options*)at)->reserved - at, 17));
        all.Add(("td_store_options", sizeof(td_store_options), 40));
        all.Add(("td_store_options.struct_size", (byte*)&((td_store_options*)at)->struct_size - at, 0));
        all.Add(("td_store_options.capacity", (byte*)&((td_store_options*)at)->capacity - at, 8));
        all.Add(("td_store_options.preallocate", (byte*)&((td_store_options*)at)->preallocate - at, 16));
        all.Add(("td_store_options.reserved", (byte*)((td_store_options*)at)->reserved - at, 17));
        all.Add(("td_store_options.path", (byte*)&((td_store_options*)at)->path - at, 24));
        all.Add(("td_sample_options", sizeof(td_sample_options), 16));
        all.Add(("td_sample_options.struct_size", (byte*)&((td_sample_options*)at)->struct_size - at, 0));
        all.Add(("td_sample_options.without_replacement", (byte*)&((td_sample_options*)at)->without_replacement - at, 8));
        all.Add(("td_sample_options.reserved", (byte*)((td_sample_options*)at)->reserved - at, 9));
        all.Add(("td_type_info", sizeof(td_type_info), 64));
        all.Add(("td_type_info.struct_size", (byte*)&((td_type_info*)at)->struct_size - at, 0));
        all.Add(("td_type_info.id", (byte*)&((td_type_info*)at)->id - at, 8));
        all.Add(("td_type_info.version", (byte*)&((td_type_info*)at)->version - at, 24));
        all.Add(("td_type_info.schema", (byte*)&((td_type_info*)at)->schema - at, 40));
        all.Add(("td_type_info.flags", (byte*)&((td_type_info*)at)->flags - at, 56));
        all.Add(("td_hash_callbacks", sizeof(td_hash_callbacks), 32));
        all.Add(("td_hash_callbacks.struct_size", (byte*)&((td_hash_callbacks*)at)->struct_size - at, 0));
        all.Add(("td_hash_callbacks.hash_rows", (byte*)&((td_hash_callbacks*)at)->hash_rows - at, 8));
        all.Add(("td_hash_callbacks.userdata", (byte*)&((td_hash_callbacks*)at)->userdata - at, 16));
        all.Add(("td_hash_callbacks.destroy", (byte*)&((td_hash_callbacks*)at)->destroy - at, 24));
        all.Add(("td_module_callbacks", sizeof(td_module_callbacks), 40));
        all.Add(("td_module_callbacks.struct_size", (byte*)&((td_module_callbacks*)at)->struct_size - at, 0));
        all.Add(("td_module_callbacks.init", (byte*)&((td_module_callbacks*)at)->init - at, 8));
        all.Add(("td_module_callbacks.forward", (byte*)&((td_module_callbacks*)at)->forward - at, 16));
        all.Add(("td_module_callbacks.userdata", (byte*)&((td_module_callbacks*)at)->userdata - at, 24));
        all.Add(("td_module_callbacks.destroy", (byte*)&((td_module_callbacks*)at)->destroy - at, 32));
        all.Add(("td_dist_callbacks", sizeof(td_dist_callbacks), 72));
        all.Add(("td_dist_callbacks.struct_size", (byte*)&((td_dist_callbacks*)at)->struct_size - at, 0));
        all.Add(("td_dist_callbacks.params", (byte*)&((td_dist_callbacks*)at)->@params - at, 8));
        all.Add(("td_dist_callbacks.n_params", (byte*)&((td_dist_callbacks*)at)->n_params - at, 16));
        all.Add(("td_dist_callbacks.sample", (byte*)&((td_dist_callbacks*)at)->sample - at, 24));
        all.Add(("td_dist_callbacks.rsample", (byte*)&((td_dist_callbacks*)at)->rsample - at, 32));
        all.Add(("td_dist_callbacks.log_prob", (byte*)&((td_dist_callbacks*)at)->log_prob - at, 40));
        all.Add(("td_dist_callbacks.stat", (byte*)&((td_dist_callbacks*)at)->stat - at, 48));
        all.Add(("td_dist_callbacks.userdata", (byte*)&((td_dist_callbacks*)at)->userdata - at, 56));
        all.Add(("td_dist_callbacks.destroy", (byte*)&((td_dist_callbacks*)at)->destroy - at, 64));
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
        "td_tensor_stored_dtype",
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
        "td_group_open",
        "td_group_adopt",
        "td_group_rank",
        "td_group_size",
        "td_group_barrier",
        "td_group_set",
        "td_group_get",
        "td_group_add",
        "td_group_remove",
        "td_dict_send",
        "td_dict_recv",
        "td_dict_init_remote",
        "td_dict_from_remote_init",
        "td_group_retain",
        "td_group_release",
        "td_dict_isend",
        "td_dict_irecv",
        "td_work_wait",
        "td_work_done",
        "td_work_retain",
        "td_work_release",
        "td_dict_broadcast",
        "td_dict_all_reduce",
        "td_dict_reduce_to",
        "td_dict_all_gather",
        "td_dict_gather_and_stack",
        "td_remote_open",
        "td_remote_create",
        "td_remote_list",
        "td_remote_remove",
        "td_remote_version",
        "td_remote_update_if",
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
