# What `using TensorDicts` brings; all else is `TensorDicts.name`.

export TensorDict, Tensor, Path, Slot, At, Slice, ellipsis, newdim, default, BFloat16, Pickle, NonTensor, NonTensorStack
export Operator, op, Generator, manual_seed, seed!, clone
export to, item, device, contiguous, iscontiguous, isshared
export reversedims, same, difference, stack, lazy_stack, pointwise, reduce_with, reduce_all, map_entries
export requires_grad, requires_grad!, backward, grad, no_grad, zero_grad!, autograd_grad
export get_many, set_many!, set_unbatched!, copy_into!, nested_keys, nested_pairs, leaves, update!, update_values!
export select, select!, exclude, exclude!, split_keys, flatten_keys, unflatten_keys, rename_key!, dim_names, set_names!
export flatten, unflatten, squeeze, unsqueeze, expand, view_as, chunk, unbind, masked_select, gather, group_by
export lock!, unlock!, is_locked, unlocked, with_flat_keys, with_nested_keys, with_to, params, parameters, buffers
export save, memmap_like, make_memmap!, from_schema, pack, unpack, records
export Segment, take_snapshot, prune_segments, list_segments, TensorDictChannel
export Message, acquire, publish, finish, Cancel
export TensorDictModule, Sequential, Chain, Ensemble, vmap, state_dict, load_state_dict!, with_params, in_keys, out_keys
export SGD, Adam, AdamW, RMSprop, step!, StepLR, CosineLR, OneCycleLR, clip_grad_norm!, train!, state, load_state!
export Dist, rsample, log_prob, statistic, Probabilistic, ProbabilisticSequential, get_dist, with_interaction
export Hash, Query, Store, RowMap, register_hash, load_plugin, plugins, live_objects
