# Gradients of tensors.

"""
    requires_grad(x) -> Bool

Returns whether operations on a tensor, or on some tensor of a dict, are recorded.
"""
requires_grad(t::Tensor) = Raw.td_tensor_requires_grad(t) != 0

"""
    requires_grad!(x, on = true)

Starts or stops recording on a leaf, on every tensor of a dict or on every parameter of a module.
"""
requires_grad!(t::Tensor, on::Bool = true) = (call(Raw.td_tensor_requires_grad_, t, on); t)

"""
    backward(t::Tensor, gradient = nothing; retain_graph = false)

Adds the gradient of `t` to the [`grad`](@ref) of every leaf that it was computed from.
"""
backward(t::Tensor, gradient = nothing; retain_graph::Bool = false) =
    call(Raw.td_tensor_backward, t, gradient, retain_graph)

"""
    grad(x)

Returns the collected gradient of a tensor, or a dict of those of a dict; `nothing` if there is none.
"""
grad(t::Tensor) = give(Union{Nothing,Tensor}, Raw.td_tensor_grad, t)

"Returns the same data without its history."
Base.detach(t::Tensor) = give(Tensor, Raw.td_tensor_detach, t)

"Returns whether operations on the current thread are recorded."
is_grad_enabled() = Raw.td_is_grad_enabled() != 0

"""
    no_grad(f)

Runs `f` without recording, and returns what it returns:

    y = no_grad() do
        net(td)
    end

The task stays on its thread meanwhile. Other tasks that run on it while `f` waits do not record either.
"""
no_grad(f) = run_inside(Raw.td_no_grad_run, f)
