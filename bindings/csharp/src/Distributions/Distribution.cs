#nullable enable
using System;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>One part of a composite distribution.</summary>
/// <param name="Params">The key of its parameters.</param>
/// <param name="Type">The type, for instance "td.normal".</param>
/// <param name="Name">The key of its values; null: that of the parameters.</param>
/// <param name="Config">JSON.</param>
public readonly record struct DistributionPart(Key Params, string Type, Key? Name = null, string? Config = null)
{
    internal static unsafe td_dist_part* Fill(Frame c, ReadOnlySpan<DistributionPart> parts)
    {
        td_dist_part* made = c.Many<td_dist_part>(parts.Length);
        for (int i = 0; i < parts.Length; i++)
        {
            made[i] = new td_dist_part { type = c.String(parts[i].Type), config = c.String(parts[i].Config),
                name = c.Key(parts[i].Name) };
            parts[i].Params.Fill(c, &made[i].@params);
        }
        return made;
    }
}

/// <summary>A probability distribution.</summary>
public sealed unsafe class Distribution : NativeObject
{
    private Distribution(td_dist* dist) : base(dist) { }

    internal static Distribution Take(td_dist* dist) => new(dist);
    private protected override void Release(void* pointer) => Api.td_dist_release((td_dist*)pointer);

    /// <summary>Makes a distribution of a type, for instance "td.normal", from its parameters by name.</summary>
    public static Distribution New(string type, TensorDict @params, string? config = null) =>
        Native.dist_new(type, @params, config);

    /// <summary>Makes a distribution from numbers or tensors by name.</summary>
    public static Distribution New(string type, params (string Name, Value Value)[] parameters)
    {
        using TensorDict dict = TensorDict.From([], parameters.Select(p => new Item(p.Name, p.Value)).ToArray());
        return New(type, dict);
    }

    /// <summary>Takes the last batch dims as event dims.</summary>
    public static Distribution Independent(Distribution @base, long dims) => Native.dist_independent(@base, dims);
    /// <summary>A transformed distribution; the transforms are JSON, for instance "tanh".</summary>
    public static Distribution Transformed(Distribution @base, string transforms, TensorDict? @params = null) =>
        Native.dist_transformed(@base, transforms, @params);
    /// <summary>A transformed distribution.</summary>
    public static Distribution Transformed(Distribution @base, params Transform[] transforms) =>
        Native.dist_transformed_by(@base, transforms);
    /// <summary>A mixture along the last batch dim of the components.</summary>
    public static Distribution Mixture(Distribution mixture, Distribution components) =>
        Native.dist_mixture(mixture, components);
    /// <summary>The Kullback-Leibler divergence of p from q.</summary>
    public static Tensor KlDivergence(Distribution p, Distribution q) => Native.dist_kl_divergence(p, q);

    /// <summary>Several distributions under keys, with their parameters in one dict.</summary>
    public static Distribution Composite(TensorDict @params, params DistributionPart[] parts)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        return Native.dist_composite(@params, DistributionPart.Fill(c, parts), parts.Length);
    }

    /// <summary>Several distributions under keys.</summary>
    public static Distribution Composite(ReadOnlySpan<long> batch, ReadOnlySpan<Key> names,
        ReadOnlySpan<Distribution> distributions) =>
        Native.dist_composite_of(batch, names, distributions);

    /// <summary>Draws values of a shape before the batch.</summary>
    public Tensor Sample(params long[] shape) => Native.dist_sample(this, shape, null);
    /// <summary>Draws values.</summary>
    public Tensor Sample(ReadOnlySpan<long> shape, Generator? generator) => Native.dist_sample(this, shape, generator);
    /// <summary>Draws values that keep gradients to the parameters.</summary>
    public Tensor RSample(ReadOnlySpan<long> shape = default, Generator? generator = null) =>
        Native.dist_rsample(this, shape, generator);
    /// <summary>The log of the density or mass.</summary>
    public Tensor LogProb(Tensor value) => Native.dist_log_prob(this, value);
    /// <summary>A statistic.</summary>
    public Tensor Get(DistStat stat) => Native.dist_get(this, stat);
    /// <summary>The mean.</summary>
    public Tensor Mean => Get(DistStat.Mean);
    /// <summary>The mode.</summary>
    public Tensor Mode => Get(DistStat.Mode);
    /// <summary>The variance.</summary>
    public Tensor Variance => Get(DistStat.Variance);
    /// <summary>The entropy.</summary>
    public Tensor Entropy => Get(DistStat.Entropy);
    /// <summary>The cumulative distribution function.</summary>
    public Tensor Cdf(Tensor value) => Native.dist_cdf(this, value);
    /// <summary>The inverse of the cumulative distribution function.</summary>
    public Tensor Icdf(Tensor value) => Native.dist_icdf(this, value);
    /// <summary>All values of a discrete distribution.</summary>
    public Tensor EnumerateSupport(bool expand = true) => Native.dist_enumerate_support(this, expand);
    /// <summary>The same distribution with a larger batch.</summary>
    public Distribution Expand(params long[] batch) => Native.dist_expand(this, batch);
    /// <summary>A value as an interaction says.</summary>
    public Tensor Interact(Interaction type, ReadOnlySpan<long> shape = default, long empirical = 0,
        Generator? generator = null) =>
        Native.dist_interact(this, type, shape, empirical, generator);

    /// <summary>The batch shape.</summary>
    public long[] BatchShape
    {
        get
        {
            long[] shape = Marshalled.Sizes((at, n) => Api.td_dist_batch_shape((td_dist*)Pointer, at, n));
            GC.KeepAlive(this);
            return shape;
        }
    }
    /// <summary>The event shape.</summary>
    public long[] EventShape
    {
        get
        {
            long[] shape = Marshalled.Sizes((at, n) => Api.td_dist_event_shape((td_dist*)Pointer, at, n));
            GC.KeepAlive(this);
            return shape;
        }
    }
    /// <summary>Whether draws keep gradients.</summary>
    public bool HasRSample => Native.dist_has_rsample(this);
    /// <summary>Whether the values can be enumerated.</summary>
    public bool HasEnumerateSupport => Native.dist_has_enumerate_support(this);
    /// <summary>Whether distributions made from now on check their parameters and values.</summary>
    public static bool ValidateArgs
    {
        get => Native.dist_default_validate_args();
        set => Native.dist_set_default_validate_args(value);
    }
    /// <summary>What Python prints.</summary>
    public override string ToString() => IsDisposed ? "Distribution (disposed)" : Native.dist_repr(this);

    // ---- Composite distributions ----

    /// <summary>Draws values of all parts.</summary>
    public TensorDict SampleDict(ReadOnlySpan<long> shape = default, Generator? generator = null) =>
        Native.dist_sample_dict(this, shape, generator);
    /// <summary>Draws values of all parts that keep gradients.</summary>
    public TensorDict RSampleDict(ReadOnlySpan<long> shape = default, Generator? generator = null) =>
        Native.dist_rsample_dict(this, shape, generator);
    /// <summary>A statistic of all parts.</summary>
    public TensorDict GetDict(DistStat stat) => Native.dist_get_dict(this, stat);
    /// <summary>Values of all parts as an interaction says.</summary>
    public TensorDict InteractDict(Interaction type, ReadOnlySpan<long> shape = default, long empirical = 0,
        Generator? generator = null) =>
        Native.dist_interact_dict(this, type, shape, empirical, generator);
    /// <summary>The log-probabilities of all parts.</summary>
    public TensorDict LogProbDict(TensorDict sample, bool includeSum = false) =>
        Native.dist_log_prob_dict(this, sample, includeSum);
    /// <summary>The sum of the log-probabilities.</summary>
    public Tensor LogProbSum(TensorDict sample) => Native.dist_log_prob_sum(this, sample);
    /// <summary>Writes the cumulative distribution functions into the sample.</summary>
    public void CdfDict(TensorDict sample) => Native.dist_cdf_dict(this, sample);
    /// <summary>Writes their inverses into the sample.</summary>
    public void IcdfDict(TensorDict sample) => Native.dist_icdf_dict(this, sample);
}

/// <summary>An invertible map of tensors.</summary>
public sealed unsafe class Transform : NativeObject
{
    private Transform(td_transform* transform) : base(transform) { }

    internal static Transform Take(td_transform* transform) => new(transform);
    private protected override void Release(void* pointer) => Api.td_transform_release((td_transform*)pointer);

    /// <summary>Makes a transform from JSON, for instance "tanh".</summary>
    public static Transform New(string transform, TensorDict? @params = null) =>
        Native.transform_new(transform, @params);
    /// <summary>The cumulative distribution function as a transform.</summary>
    public static Transform CdfOf(Distribution distribution) => Native.transform_cdf_of(distribution);
    /// <summary>Transforms one after the other.</summary>
    public static Transform Compose(params Transform[] parts) => Native.transform_compose(parts);
    /// <summary>The inverse as a transform.</summary>
    public Transform Inverted => Native.transform_inverse_of(this);
    /// <summary>Maps a tensor.</summary>
    public Tensor Forward(Tensor x) => Native.transform_forward(this, x);
    /// <summary>Maps it back.</summary>
    public Tensor Inverse(Tensor y) => Native.transform_inverse(this, y);
    /// <summary>The log of the absolute determinant of the Jacobian.</summary>
    public Tensor LogAbsDetJacobian(Tensor x, Tensor y) => Native.transform_log_abs_det_jacobian(this, x, y);
    /// <summary>What Python prints.</summary>
    public override string ToString() => IsDisposed ? "Transform (disposed)" : Native.transform_repr(this);
}
