#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>How a probabilistic module takes and writes values.</summary>
public sealed record ProbabilisticOptions
{
    /// <summary>How values are taken; none given: deterministic.</summary>
    public Interaction DefaultInteraction { get; init; }
    /// <summary>Also writes the log-probability of the value.</summary>
    public bool ReturnLogProb { get; init; }
    /// <summary>One key for the log-probability of all values.</summary>
    public bool Aggregate { get; init; }
    /// <summary>Other keys for log-probabilities.</summary>
    public Key[] LogProbKeys { get; init; } = [];
    /// <summary>Draws for the mean of a distribution without one; 0: 1000.</summary>
    public long EmpiricalEstimates { get; init; }
    /// <summary>Dims that are added before the data's.</summary>
    public long[] NumSamples { get; init; } = [];
    /// <summary>For all draws.</summary>
    public Generator? Generator { get; init; }
    /// <summary>The key of a seed in the data.</summary>
    public Key? GeneratorKey { get; init; }
    /// <summary>The name of the parameter of each in-key; none given: the last parts of the keys.</summary>
    public string[] ParamNames { get; init; } = [];
    /// <summary>Parameters that are not in the data.</summary>
    public TensorDict? Params { get; init; }

    internal unsafe td_probabilistic_options Fill(Frame c, int inKeys)
    {
        Frame.Match(ParamNames.Length, inKeys, true);
        return new td_probabilistic_options
        {
            default_interaction = DefaultInteraction,
            return_log_prob = Marshalled.Byte(ReturnLogProb),
            aggregate = Marshalled.Byte(Aggregate),
            log_prob_keys = c.Keys(LogProbKeys),
            n_log_prob_keys = (nuint)LogProbKeys.Length,
            n_empirical_estimate = EmpiricalEstimates,
            num_samples = c.Copy<long>(NumSamples),
            n_num_samples = (nuint)NumSamples.Length,
            generator = (td_generator*)NativeObject.PointerOrNull(Generator),
            generator_key = c.Key(GeneratorKey),
            param_names = c.Strings(ParamNames),
            @params = (td_dict*)NativeObject.PointerOrNull(Params),
        };
    }
}

public sealed unsafe partial class Module
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_dict*, td_dist**, td_error**, Status> DistPointer =
        &RunDist;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status RunDist(void* userdata, td_dict* @params, td_dist** made, td_error** err)
    {
        try
        {
            using TensorDict given = TensorDict.Borrow(@params);
            using Distribution result = Callbacks.Held<Func<TensorDict, Distribution>>(userdata)(given);
            *made = (td_dist*)result.Pointer;
            Api.td_dist_retain(*made);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    /// <summary>A module that reads parameters and writes a value of a distribution.</summary>
    public static Module Probabilistic(string? type, ReadOnlySpan<Key> inKeys, ReadOnlySpan<Key> outKeys,
        ProbabilisticOptions? options = null, string? config = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_probabilistic_options raw = (options ??= new()).Fill(c, inKeys.Length);
        Module made = Native.module_probabilistic(type, config, inKeys, outKeys, &raw);
        GC.KeepAlive(options);
        return made;
    }

    /// <summary>A module of a composite distribution.</summary>
    public static Module ProbabilisticComposite(Key @params, ReadOnlySpan<DistributionPart> parts,
        ProbabilisticOptions? options = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_probabilistic_options raw = (options ??= new()).Fill(c, 0);
        Module made = Native.module_probabilistic_composite(@params, DistributionPart.Fill(c, parts), parts.Length,
            &raw);
        GC.KeepAlive(options);
        return made;
    }

    /// <summary>A module of the distribution that a function makes of the parameters; it is taken over.</summary>
    public static Module ProbabilisticFunction(Func<TensorDict, Distribution> function, ReadOnlySpan<Key> inKeys,
        ReadOnlySpan<Key> outKeys,
        ProbabilisticOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(function);
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_probabilistic_options raw = (options ??= new()).Fill(c, inKeys.Length);
        var held = new td_dist_function { fn = DistPointer, userdata = Callbacks.Hold(function),
            destroy = Callbacks.Destroy };
        Module made = Native.module_probabilistic_function(&held, inKeys, outKeys, &raw);
        GC.KeepAlive(options);
        return made;
    }

    /// <summary>A sequence with probabilistic members.</summary>
    public static Module ProbabilisticSequential(ReadOnlySpan<Module> modules, SequentialOptions? options = null,
        ReturnComposite returnComposite = ReturnComposite.Default)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_sequential_options raw = (options ?? new()).Fill(c, modules.Length);
        return Native.module_probabilistic_sequential(modules, returnComposite, &raw);
    }

    /// <summary>The distribution that the module makes from the data.</summary>
    public Distribution GetDistribution(TensorDict data, TensorDict? into = null) =>
        Native.module_get_dist(this, data, into);
    /// <summary>The dict with the parameters of the distribution.</summary>
    public TensorDict GetDistributionParams(TensorDict data, TensorDict? into = null) =>
        Native.module_get_dist_params(this, data, into);
    /// <summary>The distribution of parameters; no module runs.</summary>
    public Distribution DistributionFromParams(TensorDict @params) => Native.module_dist_from_params(this, @params);

    /// <summary>The log-probability of the samples in the data.</summary>
    public Tensor LogProb(TensorDict data, Distribution? distribution = null, bool givenSamples = false)
    {
        var options = new td_log_prob_options { dist = (td_dist*)PointerOrNull(distribution),
            given_samples = Marshalled.Byte(givenSamples) };
        Tensor made = Native.module_log_prob(this, data, &options);
        GC.KeepAlive(distribution);
        return made;
    }

    /// <summary>All log-probabilities of the samples in the data.</summary>
    public TensorDict LogProbDict(TensorDict data, Distribution? distribution = null, bool givenSamples = false,
        bool includeSum = false)
    {
        var options = new td_log_prob_options
        {
            dist = (td_dist*)PointerOrNull(distribution),
            given_samples = Marshalled.Byte(givenSamples),
            include_sum = Marshalled.Byte(includeSum),
        };
        TensorDict made = Native.module_log_prob_dict(this, data, &options);
        GC.KeepAlive(distribution);
        return made;
    }

    /// <summary>The keys of the parameters.</summary>
    public Key[] DistributionParamsKeys => Native.module_dist_params_keys(this);
    /// <summary>The keys of the samples.</summary>
    public Key[] DistributionSampleKeys => Native.module_dist_sample_keys(this);
    /// <summary>The keys of the log-probabilities.</summary>
    public Key[] LogProbKeys => Native.module_log_prob_keys(this);
    /// <summary>How the module takes values.</summary>
    public Interaction DefaultInteraction => Native.module_default_interaction(this);
    /// <summary>The dims that draws add before the batch.</summary>
    public long[] NumSamples
    {
        get
        {
            long[] dims = Marshalled.Sizes((at, n) => Api.td_module_num_samples((td_module*)Pointer, at, n));
            GC.KeepAlive(this);
            return dims;
        }
    }
}
