// Reads and writes what other processes do: Python, C, and other programs in C#. One command per process, text on
// stdout. tests/interop/test_matrix.py runs it beside the peers of the other languages.
//
//     save PATH                     saves a dict that the test knows by heart: a directory, or a .td file
//     copy FROM TO                  opens a save and saves it again
//     show PATH                     prints each leaf: key dtype shape bytes
//     watch PATH                    prints them and a ".", again for each line on stdin
//     live DIR                      obeys lines on stdin on a directory that is open for writing
//     own|own-snapshots NAME        creates a segment of the same dict, prints its path, adds 1 to "a" for each line
//     spin NAME                     creates one with snapshots and updates it without end
//     map|map-snapshots NAME        opens a segment and prints its leaves and a ".", again for each line on stdin
//     prune PREFIX                  removes the names that killed processes left, and prints how many
//     produce NAME MODE N CONSUMERS creates a channel ("queue" or "broadcast"), prints its path, waits for as many
//                                   consumers, publishes 0 to N-1, ends the channel, and leaves at the end of stdin
//     join NAME FIRST N             publishes as many messages into a channel that is there, and ends it
//     flood NAME                    publishes without end
//     half NAME N                   publishes 0 to N-1, writes a half of the next one, prints "half", waits for its end
//     host NAME MODE                creates a channel and does what consume does
//     consume NAME                  prints "ready", then the number in each message, until the channel has ended
//     hold NAME                     takes one message, prints its number, and waits for its end
using System;
using System.Threading.Tasks;

namespace LibTensorDict.Peer;

internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["save", var path]: Saves.Save(path); break;
            case ["copy", var from, var to]: Saves.Copy(from, to); break;
            case ["show", var path]: Saves.Show(path); break;
            case ["watch", var path]: Saves.Watch(path); break;
            case ["live", var path]: Saves.Live(path); break;
            case ["own", var name]: Segments.Own(name, 0); break;
            case ["own-snapshots", var name]: Segments.Own(name, 3); break;
            case ["spin", var name]: Segments.Spin(name); break;
            case ["map", var name]: Segments.Map(name, segment => segment.Dict); break;
            case ["map-snapshots", var name]: Segments.Map(name, segment => segment.Snapshot()); break;
            case ["prune", var prefix]: Console.WriteLine(Segment.Prune(prefix)); break;
            case ["produce", var name, var mode, var n, var consumers]: await Channels.Produce(name, mode, int.Parse(n),
                int.Parse(consumers)); break;
            case ["join", var name, var first, var n]: Channels.Join(name, int.Parse(first), int.Parse(n)); break;
            case ["flood", var name]: Channels.Flood(name); break;
            case ["half", var name, var n]: return Channels.Half(name, int.Parse(n));
            case ["hold", var name]: return Channels.Hold(name);
            case ["host", var name, var mode]: await Channels.Host(name, mode); break;
            case ["consume", var name]: await Channels.Consume(name); break;
            default:
                Console.Error.WriteLine("usage: peer COMMAND ARGUMENTS, see Program.cs");
                return 2;
        }
        return 0;
    }

    /// <summary>Runs an action for each line on stdin.</summary>
    internal static void Lines(Action<string> action)
    {
        while (Console.ReadLine() is { } line) action(line);
    }
}
