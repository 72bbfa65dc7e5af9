# Members of a module tree and their tensors.

list_options(prefix, shallow, duplicates) =
    options(Raw.td_list_options; prefix = prefix, shallow = shallow, keep_duplicates = duplicates)

"Returns the names and the tensors of a module's parameters; `buffers` returns the others."
parameters(m::TensorDictModule; prefix = nothing, shallow = false, duplicates = false) =
    keys_and_tensors(Raw.td_module_parameters, m, list_options(prefix, shallow, duplicates))
buffers(m::TensorDictModule; prefix = nothing, shallow = false, duplicates = false) =
    keys_and_tensors(Raw.td_module_buffers, m, list_options(prefix, shallow, duplicates))

function visited(id::Ptr{Cvoid}, name::Ptr{Raw.td_key}, m::Ptr{Raw.td_module}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        key = unsafe_load(name)
        kept(id)(key.n == 0 ? () : tuplekey(key), borrowed(TensorDictModule, m))
        nothing
    end
end

const VISITS = (modules = Raw.TD_VISIT_MODULES, children = Raw.TD_VISIT_CHILDREN, apply = Raw.TD_VISIT_APPLY)

"""
    visit(f, module, order = :modules; prefix = nothing, duplicates = false)

Calls `f(name, module)` for all modules of a tree (`:modules`, or `:apply`: each after those below it), or the direct
children.
"""
function visit(f, m::TensorDictModule, order = :modules; prefix = nothing, duplicates = false)
    fn = @cfunction(visited, Int32, (Ptr{Cvoid}, Ptr{Raw.td_key}, Ptr{Raw.td_module}, Ptr{Ptr{Raw.td_error}}))
    o = list_options(prefix, false, duplicates)
    return with_kept(id -> call(Raw.td_module_visit, m, VISITS[order], o, fn, id), f)
end

"Returns the parameter, the buffer or the module with a name."
get_parameter(m::TensorDictModule, name::Key) = give(Tensor, Raw.td_module_get_parameter, m, name)
get_buffer(m::TensorDictModule, name::Key) = give(Tensor, Raw.td_module_get_buffer, m, name)
get_submodule(m::TensorDictModule, name::Key) = give(TensorDictModule, Raw.td_module_get_submodule, m, name)

"Replaces a parameter, a buffer or a module; `nothing` is none."
set_parameter!(m::TensorDictModule, name::Key, value) =
    (call(Raw.td_module_set_parameter, m, name, maybe_tensor(value)); m)
set_buffer!(m::TensorDictModule, name::Key, value) = (call(Raw.td_module_set_buffer, m, name, maybe_tensor(value)); m)
set_submodule!(m::TensorDictModule, name::Key, member::TensorDictModule) =
    (call(Raw.td_module_set_submodule, m, name, member); m)
maybe_tensor(::Nothing) = nothing
maybe_tensor(x) = Tensor(x)

"Adds a parameter, a buffer or a module under a name without dots."
register_parameter!(m::TensorDictModule, name::AbstractString, value) =
    (call(Raw.td_module_register_parameter, m, name, maybe_tensor(value)); m)
register_buffer!(m::TensorDictModule, name::AbstractString, value; persistent::Bool = true) =
    (call(Raw.td_module_register_buffer, m, name, maybe_tensor(value), persistent); m)
register_module!(m::TensorDictModule, name::AbstractString, member) =
    (call(Raw.td_module_register_module, m, name, member); m)

requires_grad!(m::TensorDictModule, on::Bool = true) = (call(Raw.td_module_requires_grad_, m, on); m)
zero_grad!(m::TensorDictModule; set_to_none::Bool = true) = (call(Raw.td_module_zero_grad, m, set_to_none); m)

"Casts the floating-point tensors of a module and moves all; `to_type!` casts integers too, `to_empty!` makes new ones."
to!(m::TensorDictModule, T = nothing; device = nothing) = (call(Raw.td_module_to, m, dtype(T), device); m)
to_type!(m::TensorDictModule, T) = (call(Raw.td_module_to_type, m, dtype(T)); m)
to_empty!(m::TensorDictModule, device::AbstractString) = (call(Raw.td_module_to_empty, m, device); m)
share_memory!(m::TensorDictModule) = (call(Raw.td_module_share_memory, m); m)

"""
    reset_parameters!(module; generator = nothing) -> Int
    reset_parameters(module, params; generator = nothing) -> TensorDict

Draws all parameters of a module again and returns the number of modules that had any; or draws those of a dict.
"""
function reset_parameters!(m::TensorDictModule; generator = nothing)
    n = Ref{Csize_t}(0)
    call(Raw.td_module_reset_parameters, m, nothing, generator, C_NULL, n)
    return Int(n[])
end
function reset_parameters(m::TensorDictModule, params::TensorDict; generator = nothing)
    out, err = Ref(Ptr{Raw.td_dict}(C_NULL)), newerror()
    status = Raw.td_module_reset_parameters(m, params, generator, out, C_NULL, err)
    status == Raw.TD_OK || fail(status, err)
    return TensorDict(out[])
end
