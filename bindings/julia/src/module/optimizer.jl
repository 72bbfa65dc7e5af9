# Optimizers and learning rates.

"""
    SGD(params; lr, momentum, dampening, weight_decay, nesterov)
    Adam(params; lr, beta1, beta2, eps, weight_decay, amsgrad)
    AdamW(params; lr, beta1, beta2, eps, weight_decay, amsgrad)
    RMSprop(params; lr, alpha, eps, weight_decay, momentum, centered)

Optimizers for the leaves of a dict that require grad; options that are not given have PyTorch's defaults.

    opt = Adam(params; lr = 1e-2)
    zero_grad!(opt); backward(loss); step!(opt)
    opt["lr"] = 1e-3
"""
@handle Optimizer td_optimizer TD_OBJECT_OPTIMIZER

# 0 stands for the default there, and TD_ZERO for 0.
number(x::Bool) = x
number(x::Real) = iszero(x) ? Raw.TD_ZERO : Float64(x)
numbers(given) = (name => number(x) for (name, x) in given)

for (name, f, T) in ((:SGD, :td_optimizer_sgd, :td_sgd_options), (:Adam, :td_optimizer_adam, :td_adam_options),
                     (:AdamW, :td_optimizer_adamw, :td_adamw_options),
                     (:RMSprop, :td_optimizer_rmsprop, :td_rmsprop_options))
    @eval $name(params::TensorDict; given...) =
        give(Optimizer, Raw.$f, params, options(Raw.$T; numbers(given)...))
end

"Removes the collected gradients."
zero_grad!(o::Optimizer) = (call(Raw.td_optimizer_zero_grad, o); o)
"Changes the parameters by one step, or sets the learning rates of the next step of a schedule."
step!(o::Optimizer) = (call(Raw.td_optimizer_step, o); o)
"Adds a group with the leaves of `params`."
add_group!(o::Optimizer, params::TensorDict) = (call(Raw.td_optimizer_add_group, o, params); o)
type_name(o::Optimizer) = text(Raw.td_optimizer_type_name(o))
"Returns the number of groups of an optimizer."
group_count(o::Optimizer) = Int(Raw.td_optimizer_group_count(o))

"`opt[name]`, or `opt[name, group]`: an option of a group, by its name in PyTorch; groups count from 1."
Base.getindex(o::Optimizer, name::AbstractString, group::Integer = 1) =
    give(Float64, Raw.td_optimizer_get, o, dim(group), name)
Base.setindex!(o::Optimizer, x::Real, name::AbstractString, group::Integer = 1) =
    (call(Raw.td_optimizer_set, o, dim(group), name, Float64(x)); o)
state(o::Optimizer) = give(TensorDict, Raw.td_optimizer_state, o)
load_state!(o::Optimizer, state::TensorDict) = (call(Raw.td_optimizer_load_state, o, state); o)

"Scales the gradients so that their total norm is at most `max_norm`; returns the norm before."
clip_grad_norm!(params::TensorDict, max_norm::Real; norm_type = 2.0, error_if_nonfinite::Bool = false) = give(
    Float64, Raw.td_dict_clip_grad_norm_, params, Float64(max_norm), Float64(norm_type), error_if_nonfinite)
"Limits each element of the gradients to `-max_value` .. `max_value`."
clip_grad_value!(params::TensorDict, max_value::Real) =
    (call(Raw.td_dict_clip_grad_value_, params, Float64(max_value)); params)

# ---- Schedules

"""
    StepLR(opt, step_size; gamma = 0.1)
    MultiStepLR(opt, milestones; gamma = 0.1)
    ExponentialLR(opt, gamma)
    CosineLR(opt, steps; min_lr = 0)
    LinearLR(opt, steps; start_factor = 1/3, end_factor = 1)
    ConstantLR(opt, steps; factor = 1/3)
    OneCycleLR(opt, max_lr, steps; pct_start, div_factor, final_div_factor, base_momentum, max_momentum, linear,
        three_phases, keep_momentum)

Schedules, which change the learning rates of an optimizer from step to step: call [`step!`](@ref) after the
optimizer's.
"""
@handle Schedule td_schedule TD_OBJECT_SCHEDULE
StepLR(o::Optimizer, step_size::Integer; gamma = 0.1) =
    give(Schedule, Raw.td_schedule_new_step, o, Int64(step_size), Float64(gamma))
MultiStepLR(o::Optimizer, milestones; gamma = 0.1) =
    give(Schedule, Raw.td_schedule_new_multi_step, o, int64s(milestones), length(milestones), Float64(gamma))
ExponentialLR(o::Optimizer, gamma::Real) = give(Schedule, Raw.td_schedule_new_exponential, o, Float64(gamma))
CosineLR(o::Optimizer, steps::Integer; min_lr = 0.0) =
    give(Schedule, Raw.td_schedule_new_cosine, o, Int64(steps), Float64(min_lr))
LinearLR(o::Optimizer, steps::Integer; start_factor = 1 / 3, end_factor = 1.0) =
    give(Schedule, Raw.td_schedule_new_linear, o, Float64(start_factor), Float64(end_factor), Int64(steps))
ConstantLR(o::Optimizer, steps::Integer; factor = 1 / 3) =
    give(Schedule, Raw.td_schedule_new_constant, o, Float64(factor), Int64(steps))
OneCycleLR(o::Optimizer, max_lr::Real, steps::Integer; given...) = give(
    Schedule, Raw.td_schedule_new_one_cycle, o, Float64(max_lr), Int64(steps),
    options(Raw.td_one_cycle_options; numbers(given)...))

step!(s::Schedule) = (call(Raw.td_schedule_step, s); s)
"Returns the number of steps of a schedule so far."
steps(s::Schedule) = Int(Raw.td_schedule_steps(s))
state(s::Schedule) = give(TensorDict, Raw.td_schedule_state, s)
load_state!(s::Schedule, state::TensorDict) = (call(Raw.td_schedule_load_state, s, state); s)
