// Peer reads and writes what other processes do: Python, C, and other programs in Go. One command a process, text on
// stdout. tests/interop/test_matrix.py runs it beside the peers of the other languages.
//
//	save PATH                     saves a dict that the test knows by heart: a directory, or a .td file
//	copy FROM TO                  opens a save and saves it again
//	show PATH                     prints each leaf: key dtype shape bytes
//	watch PATH                    prints them and a ".", again for each line on stdin
//	live DIR                      obeys lines on stdin on a directory that is open for writing
//	own|own-snapshots NAME        creates a segment of the same dict, prints its path, adds 1 to "a" for each line on stdin
//	spin NAME                     creates one with snapshots and updates it without end
//	map|map-snapshots NAME        opens a segment and prints its leaves and a ".", again for each line on stdin
//	prune PREFIX                  removes the names that killed processes left, and prints how many
//	produce NAME MODE N CONSUMERS creates a channel ("queue" or "broadcast"), prints its path, waits for as many
//	                              consumers, publishes 0 to N-1, ends the channel, and leaves at the end of stdin
//	join NAME FIRST N             publishes as many messages into a channel that is there, and ends it
//	flood NAME                    publishes without end
//	half NAME N                   publishes 0 to N-1, writes a half of the next one, prints "half", and waits for its end
//	host NAME MODE                creates a channel and does what consume does
//	consume NAME                  prints "ready", then the number in each message, until the channel has ended
//	hold NAME                     takes one message, prints its number, and waits for its end
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

var commands = map[string]func(args []string){
	"save": save, "copy": copySave, "show": show, "watch": watch, "live": live,
	"own": own(0), "own-snapshots": own(3), "spin": spin, "map": mapSegment(false), "map-snapshots": mapSegment(true),
	"prune": prune, "produce": produce, "join": join, "flood": flood, "half": half, "host": host, "consume": consume, "hold": hold,
}

var arguments = map[string]int{"copy": 2, "produce": 4, "join": 3, "half": 2, "host": 2}

func main() {
	if len(os.Args) > 1 {
		if run, ok := commands[os.Args[1]]; ok && len(os.Args)-2 == max(1, arguments[os.Args[1]]) {
			run(os.Args[2:])
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: peer COMMAND ARGUMENTS, see main.go")
	os.Exit(2)
}

// The first failure ends the program.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func number(text string) int64 {
	return must(strconv.ParseInt(text, 10, 64))
}

// lines runs fn for each line on stdin.
func lines(fn func(line string)) {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fn(in.Text())
	}
}
