#nullable enable
using System;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>Changes the parameters of a dict by their gradients, as torch.optim does.</summary>
public sealed unsafe class Optimizer : NativeObject
{
    private Optimizer(td_optimizer* optimizer) : base(optimizer) { }

    internal static Optimizer Take(td_optimizer* optimizer) => new(optimizer);
    private protected override void Release(void* pointer) => Api.td_optimizer_release((td_optimizer*)pointer);

    // In the options of C, 0 is the default.
    internal static double Given(double value) => value == 0 ? Api.TD_ZERO : value;

    /// <summary>Stochastic gradient descent.</summary>
    public static Optimizer Sgd(TensorDict @params, double lr = 1e-3, double momentum = 0, double dampening = 0,
        double weightDecay = 0, bool nesterov = false)
    {
        var options = new td_sgd_options
        {
            lr = Given(lr),
            momentum = momentum,
            dampening = dampening,
            weight_decay = weightDecay,
            nesterov = Marshalled.Byte(nesterov),
        };
        return Native.optimizer_sgd(@params, &options);
    }

    /// <summary>Adam.</summary>
    public static Optimizer Adam(TensorDict @params, double lr = 1e-3, double beta1 = 0.9, double beta2 = 0.999,
        double eps = 1e-8, double weightDecay = 0,
        bool amsgrad = false)
    {
        var options = new td_adam_options
        {
            lr = Given(lr),
            beta1 = Given(beta1),
            beta2 = Given(beta2),
            eps = Given(eps),
            weight_decay = weightDecay,
            amsgrad = Marshalled.Byte(amsgrad),
        };
        return Native.optimizer_adam(@params, &options);
    }

    /// <summary>AdamW.</summary>
    public static Optimizer AdamW(TensorDict @params, double lr = 1e-3, double beta1 = 0.9, double beta2 = 0.999,
        double eps = 1e-8, double weightDecay = 1e-2,
        bool amsgrad = false)
    {
        var options = new td_adamw_options
        {
            lr = Given(lr),
            beta1 = Given(beta1),
            beta2 = Given(beta2),
            eps = Given(eps),
            weight_decay = Given(weightDecay),
            amsgrad = Marshalled.Byte(amsgrad),
        };
        return Native.optimizer_adamw(@params, &options);
    }

    /// <summary>RMSprop.</summary>
    public static Optimizer RmsProp(TensorDict @params, double lr = 1e-2, double alpha = 0.99, double eps = 1e-8,
        double weightDecay = 0, double momentum = 0,
        bool centered = false)
    {
        var options = new td_rmsprop_options
        {
            lr = Given(lr),
            alpha = Given(alpha),
            eps = Given(eps),
            weight_decay = weightDecay,
            momentum = momentum,
            centered = Marshalled.Byte(centered),
        };
        return Native.optimizer_rmsprop(@params, &options);
    }

    /// <summary>Removes the collected gradients.</summary>
    public void ZeroGrad() => Native.optimizer_zero_grad(this);
    /// <summary>Changes the parameters by one step.</summary>
    public void Step() => Native.optimizer_step(this);
    /// <summary>Adds a group of parameters with the options of the first.</summary>
    public void AddGroup(TensorDict @params) => Native.optimizer_add_group(this, @params);
    /// <summary>The name in torch.optim.</summary>
    public string TypeName => Native.optimizer_type_name(this)!;
    /// <summary>The number of groups.</summary>
    public int GroupCount => (int)Native.optimizer_group_count(this);
    /// <summary>An option of a group by its name in torch.optim: "lr", "weight_decay", "momentum".</summary>
    public double this[int group, string name]
    {
        get => Native.optimizer_get(this, group, name);
        set => Native.optimizer_set(this, group, name, value);
    }
    /// <summary>The state and the options; setting it loads them.</summary>
    public TensorDict State
    {
        get => Native.optimizer_state(this);
        set => Native.optimizer_load_state(this, value);
    }
}

/// <summary>Changes the learning rates of an optimizer, as torch.optim.lr_scheduler does.</summary>
public sealed unsafe class Schedule : NativeObject
{
    private Schedule(td_schedule* schedule) : base(schedule) { }

    internal static Schedule Take(td_schedule* schedule) => new(schedule);
    private protected override void Release(void* pointer) => Api.td_schedule_release((td_schedule*)pointer);

    /// <summary>Multiplies every <paramref name="stepSize"/> steps.</summary>
    public static Schedule StepLr(Optimizer optimizer, long stepSize, double gamma = 0.1) =>
        Native.schedule_new_step(optimizer, stepSize, gamma);
    /// <summary>Multiplies at these steps.</summary>
    public static Schedule MultiStep(Optimizer optimizer, ReadOnlySpan<long> milestones, double gamma = 0.1) =>
        Native.schedule_new_multi_step(optimizer, milestones, gamma);
    /// <summary>Multiplies at every step.</summary>
    public static Schedule Exponential(Optimizer optimizer, double gamma) =>
        Native.schedule_new_exponential(optimizer, gamma);
    /// <summary>Follows half a cosine.</summary>
    public static Schedule Cosine(Optimizer optimizer, long steps, double minLr = 0) =>
        Native.schedule_new_cosine(optimizer, steps, minLr);
    /// <summary>Goes from one factor to another.</summary>
    public static Schedule Linear(Optimizer optimizer, double startFactor = 1.0 / 3, double endFactor = 1,
        long steps = 5) =>
        Native.schedule_new_linear(optimizer, startFactor, endFactor, steps);
    /// <summary>Has a factor for some steps.</summary>
    public static Schedule Constant(Optimizer optimizer, double factor = 1.0 / 3, long steps = 5) =>
        Native.schedule_new_constant(optimizer, factor, steps);
    /// <summary>Rises to a rate and falls again, in a number of steps.</summary>
    public static Schedule OneCycle(Optimizer optimizer, double maxLr, long steps, OneCycleOptions? options = null)
    {
        td_one_cycle_options raw = (options ?? new()).Fill();
        return Native.schedule_new_one_cycle(optimizer, maxLr, steps, &raw);
    }

    /// <summary>Goes on by one step.</summary>
    public void Step() => Native.schedule_step(this);
    /// <summary>The number of steps so far.</summary>
    public long Steps => Native.schedule_steps(this);
    /// <summary>The state; setting it loads it.</summary>
    public TensorDict State
    {
        get => Native.schedule_state(this);
        set => Native.schedule_load_state(this, value);
    }
}

/// <summary>How a rate rises and falls in <see cref="Schedule.OneCycle"/>.</summary>
public sealed record OneCycleOptions
{
    /// <summary>The part of the steps in which the rate rises.</summary>
    public double PctStart { get; init; } = 0.3;
    /// <summary>The highest rate is this many times the first one.</summary>
    public double DivFactor { get; init; } = 25;
    /// <summary>The first rate is this many times the last one.</summary>
    public double FinalDivFactor { get; init; } = 1e4;
    /// <summary>The momentum at the highest rate.</summary>
    public double BaseMomentum { get; init; } = 0.85;
    /// <summary>The momentum at the lowest rate.</summary>
    public double MaxMomentum { get; init; } = 0.95;
    /// <summary>Follows lines instead of cosines.</summary>
    public bool Linear { get; init; }
    /// <summary>Falls to the first rate before it falls to the last one.</summary>
    public bool ThreePhases { get; init; }
    /// <summary>Leaves the momentum as it is.</summary>
    public bool KeepMomentum { get; init; }

    internal td_one_cycle_options Fill() => new()
    {
        pct_start = Optimizer.Given(PctStart),
        div_factor = Optimizer.Given(DivFactor),
        final_div_factor = Optimizer.Given(FinalDivFactor),
        base_momentum = Optimizer.Given(BaseMomentum),
        max_momentum = Optimizer.Given(MaxMomentum),
        linear = Marshalled.Byte(Linear),
        three_phases = Marshalled.Byte(ThreePhases),
        keep_momentum = Marshalled.Byte(KeepMomentum),
    };
}
