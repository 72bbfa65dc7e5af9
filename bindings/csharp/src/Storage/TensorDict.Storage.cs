#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>How a dict is saved.</summary>
public sealed unsafe record SaveOptions
{
    private static readonly delegate* unmanaged[Cdecl]<void*, long, long, td_error**, Status> ProgressPointer = &Report;

    /// <summary>Replaces an earlier save.</summary>
    public bool Overwrite { get; init; }
    /// <summary>Everything is on the disk before the new save becomes visible.</summary>
    public bool Sync { get; init; }
    /// <summary>How many threads write.</summary>
    public int Threads { get; init; }
    /// <summary>The format; else the ending of the path says it.</summary>
    public Format Format { get; init; }
    /// <summary>The compression.</summary>
    public Compression Compression { get; init; }
    /// <summary>Is told the bytes written and all bytes; what it throws cancels the save.</summary>
    public Action<long, long>? Progress { get; init; }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Report(void* userdata, long done, long total, td_error** err)
    {
        try
        {
            Callbacks.Held<Action<long, long>>(userdata)(done, total);
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Callbacks.Fail(e, err);
        }
    }

    internal static td_save_options* Fill(Frame c, SaveOptions? options)
    {
        if (options == null) return null;
        td_progress* progress = options.Progress == null ? null : c.One(new td_progress
        {
            fn = ProgressPointer,
            userdata = Callbacks.Hold(options.Progress),
            destroy = Callbacks.Destroy,
        });
        return c.One(new td_save_options
        {
            overwrite = Marshalled.Byte(options.Overwrite),
            sync = Marshalled.Byte(options.Sync),
            threads = (nuint)options.Threads,
            format = options.Format,
            compression = options.Compression,
            progress = progress,
        });
    }
}

public sealed unsafe partial class TensorDict
{
    /// <summary>Opens what Python or <see cref="Save(string, bool)"/> wrote: a memmap directory, a file of one piece,
    /// an archive, safetensors, or, if trusted, HDF5.</summary>
    /// <param name="path">The file or the directory.</param>
    /// <param name="mode">Whether writes are refused, stay in this process, or go to the file.</param>
    /// <param name="format">The format; else the file says it.</param>
    /// <param name="lenient">Accepts what the original accepts, if that is safe.</param>
    /// <param name="trusted">Recognises HDF5 too, whose library does not validate files.</param>
    /// <param name="part">Opens only the dict at this key.</param>
    public static TensorDict Open(string path, OpenMode mode = OpenMode.Read, Format format = Format.Auto,
        bool lenient = false,
        bool trusted = false, Key? part = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        var options = new td_open_options
        {
            mode = mode,
            format = format,
            lenient = Marshalled.Byte(lenient),
            trusted = Marshalled.Byte(trusted),
            part = c.Key(part),
        };
        return Native.open(path, &options);
    }

    /// <summary>Saves the dict, byte for byte as Python does. A crash leaves the old or the new save.</summary>
    public void Save(string path, bool overwrite = false) => Save(path, new SaveOptions { Overwrite = overwrite });

    /// <summary>Saves the dict.</summary>
    public void Save(string path, SaveOptions options)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Alive();
        Native.save(this, path, SaveOptions.Fill(c, options));
    }

    /// <summary>Makes a memmap directory of zeros with this structure, and opens it for writing.</summary>
    public TensorDict MemmapLike(string path, SaveOptions? options = null)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        Alive();
        return Native.dict_memmap_like(this, path, SaveOptions.Fill(c, options));
    }

    /// <summary>Makes a new entry of zeros in the directory and in the dict.</summary>
    public Tensor MakeMemmap(Key key, ReadOnlySpan<long> shape, DType dtype = DType.Float32) =>
        Native.dict_make_memmap(this, key, shape, dtype)!;
    /// <summary>Makes a new entry in the directory and in the dict.</summary>
    public Tensor MakeMemmap(Key key, Tensor value) => Native.dict_make_memmap_from(this, key, value)!;
    /// <summary>Opens the directory again: what other processes added and removed shows.</summary>
    public void Refresh() => Native.dict_memmap_refresh_(this);
    /// <summary>Whether the tensors are mapped from files.</summary>
    public bool IsMemmap => Native.dict_is_memmap(this);
    /// <summary>The directory that the dict was opened from; null if there is none.</summary>
    public string? SavedPath => Native.dict_saved_path(this);
    /// <summary>The class that the dict has in Python, for tensorclasses and nested tensors; else null.</summary>
    public string? PythonClass => Native.dict_python_class(this);
    /// <summary>The fields of a tensorclass that are not entries, as JSON.</summary>
    public string PythonFields => Native.dict_python_fields(this);
    /// <summary>Appends rows to a memmap directory: another process finds the old rows, or all of them.</summary>
    public static void AppendMemmap(string path, TensorDict rows, bool sync = false) =>
        Native.append_memmap(path, rows, sync);

    /// <summary>Reads all of an archive and compares every checksum.</summary>
    public static void VerifyArchive(string path) => Native.archive_verify(path);
    /// <summary>Updates the checksums of an archive after writes in place.</summary>
    public static void RefreshArchive(string path) => Native.archive_refresh_checksums(path);
    /// <summary>The format of a file or a directory.</summary>
    public static Format DetectFormat(string path) => Native.format_detect(path);
    /// <summary>The format that the ending of a path stands for.</summary>
    public static Format FormatOf(string path) => Native.format_of_ending(path);

    // ---- HDF5 ----

    /// <summary>Opens an HDF5 file as a dict that stays in the file. Open only files that you trust.</summary>
    public static TensorDict OpenHdf5(string path, OpenMode mode = OpenMode.Read) =>
        Persistent(path, mode, null, 0, false);
    /// <summary>Makes an HDF5 file and a dict that stays in it.</summary>
    public static TensorDict CreateHdf5(string path, ReadOnlySpan<long> batchSize, int compression = 0) =>
        Persistent(path, OpenMode.Read, batchSize.ToArray(), compression, true);

    private static TensorDict Persistent(string path, OpenMode mode, long[]? batchSize, int compression, bool create)
    {
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        long* sizes = batchSize == null ? null : c.Many<long>(batchSize.Length + 1);
        batchSize?.CopyTo(new Span<long>(sizes, batchSize.Length));
        var options = new td_persistent_options { mode = mode, compression = compression, batch_size = sizes,
            ndim = (nuint)(batchSize?.Length ?? 0) };
        return create ? Native.persistent_create(path, &options) : Native.persistent_open(path, &options);
    }

    /// <summary>The HDF5 file that the dict is in, or the URL on its server, without the password.</summary>
    public string Hdf5File => Native.persistent_file(this);
    /// <summary>Whether the HDF5 file, or the dict on a server, can be written.</summary>
    public bool IsHdf5Writable => Native.persistent_is_writable(this);
    /// <summary>Closes the HDF5 file, or the connection to the server; the dict cannot be used any more.</summary>
    public void CloseHdf5() => Native.persistent_close(this);
}
