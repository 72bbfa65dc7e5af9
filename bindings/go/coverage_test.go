package tensordict

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the safe layer leaves out on purpose. A name that ends with * stands for all that begin so.
var unused = map[string]string{
	"AbiVersion":            "compared when the library is loaded",
	"AfterFork":             "a program of Go cannot fork without exec",
	"CancelRequested":       "a context says so",
	"CancelRetain":          "a wait has one",
	"ChannelRetain":         "a channel is shared by its pointer",
	"DictAllGather":         "groups are a preview",
	"DictAllReduce":         "groups are a preview",
	"DictBroadcast":         "groups are a preview",
	"DictFromRemoteInit":    "groups are a preview",
	"DictGatherAndStack":    "groups are a preview",
	"DictInitRemote":        "groups are a preview",
	"DictIrecv":             "groups are a preview",
	"DictIsend":             "groups are a preview",
	"DictLeaves":            "Items lists them in one call too",
	"DictListRetain":        "dicts are copied into a slice",
	"DictListView":          "as DictListRetain",
	"DictRecv":              "groups are a preview",
	"DictReduceTo":          "groups are a preview",
	"DictSend":              "groups are a preview",
	"EntriesRetain":         "entries are copied into a slice",
	"ErrorHintFormat":       "the names of this package are close to those of the hint",
	"ErrorNew":              "ErrorNewWith carries the error of Go",
	"ErrorRetain":           "an error is read at once",
	"GeneratorRetain":       "a generator is shared by its pointer",
	"Group*":                "groups are a preview",
	"InteractionSet":        "WithInteraction takes a function",
	"KeysGet":               "keys are copied into a slice",
	"KeysRetain":            "as KeysGet",
	"KeysSize":              "as KeysGet",
	"MessageRetain":         "a message has one owner, who frees the slot",
	"NoGradBegin":           "NoGrad takes a function",
	"NoGradEnd":             "as NoGradBegin",
	"NoGradRe*":             "as NoGradBegin",
	"OpRetain":              "operators live as long as the process",
	"OpRun":                 "FindOp remembers what it found",
	"OptimizerRetain":       "an optimizer is shared by its pointer",
	"PathRetain":            "a path is shared by its pointer",
	"PathView":              "who prepared a key has it",
	"PluginsRegisterDist":   "ProbabilisticFunc takes a function",
	"PluginsRegisterModule": "ModuleFromFunc takes a function",
	"ReleaseMany":           "each cleanup releases its object",
	"ScheduleRetain":        "a schedule is shared by its pointer",
	"ScopeRetain":           "a scope is a function",
	"SegmentRetain":         "a segment is shared by its pointer",
	"StringRetain":          "text is copied",
	"TensorItemsize":        "DType.Size",
	"TensorListGet":         "tensors are copied into a slice",
	"TensorListRetain":      "as TensorListGet",
	"Work*":                 "groups are a preview",
}

func excused(name string) bool {
	for pattern := range unused {
		if prefix, is := strings.CutSuffix(pattern, "*"); pattern == name || is && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func TestEveryFunctionIsUsedOrLeftOutWithAReason(t *testing.T) {
	generated, err := os.ReadFile("raw/raw.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\braw\.([A-Z]\w*)`).FindAllSubmatch(text, -1) {
			used[string(name[1])] = true
		}
	}
	functions := regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(`).FindAllSubmatch(generated, -1)
	if len(functions) < 500 {
		t.Fatalf("only %d functions were found", len(functions))
	}
	there := map[string]bool{}
	for _, one := range functions {
		name := string(one[1])
		there[name] = true
		switch {
		case !used[name] && !excused(name):
			t.Errorf("raw.%s is not used; use it, or name it above with the reason", name)
		case used[name] && excused(name):
			t.Errorf("raw.%s is used, but said to be left out", name)
		}
	}
	for name := range unused {
		if !strings.HasSuffix(name, "*") && !there[name] {
			t.Errorf("raw.%s does not exist", name)
		}
	}
}
