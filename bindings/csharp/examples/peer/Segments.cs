using System;

namespace LibTensorDict.Peer;

internal static class Segments
{
    /// <summary>Creates a segment, prints its path, and returns it with what adds 1 to "a".</summary>
    private static (Segment, Action) Create(string name, int snapshots)
    {
        using TensorDict first = Saves.Example();
        Segment segment = Segment.Create(name, first, snapshots: snapshots);
        Console.WriteLine(segment.Path);
        float offset = 0;
        return (segment, () =>
        {
            using TensorDict next = Saves.Example(++offset);
            segment.Update(next);
        });
    }

    internal static void Own(string name, int snapshots)
    {
        (Segment segment, Action update) = Create(name, snapshots);
        using (segment)
        {
            Program.Lines(_ =>
            {
                update();
                Console.WriteLine(segment.Version);
            });
        }
    }

    internal static void Spin(string name)
    {
        (_, Action update) = Create(name, 3);
        while (true) update();
    }

    internal static void Map(string name, Func<Segment, TensorDict> get)
    {
        using Segment segment = Segment.Open(name);
        Saves.Again(() => get(segment));
    }
}
