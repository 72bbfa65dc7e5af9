// Digits goes from handwritten digits, in the file that Python wrote, to a second process, with no copy on the way.
//
//	digits DATA_DIR
//
// 1. opens the data, 2. looks for duplicates, 3. trains eight networks together, 4. hands the predictions through shared
// memory to a second process, and corrects one of them there.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"strconv"
	"strings"

	td "tensordict"
)

const trainRows = 1437

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

// taken calls an operator on a tensor, and closes the tensor.
func taken(t *td.Tensor, op string, args ...any) *td.Tensor {
	defer t.Close()
	return must(t.Op(op, args...))
}

// duplicates counts the rows that equal an earlier one.
func duplicates(rows *td.Tensor) int64 {
	d := must(td.New(rows.Shape()[0]))
	defer d.Close()
	check(d.Set(rows, "row"))
	query := must(td.NewQuery(nil, td.K("row")))
	defer query.Close()
	check(query.Run(d))
	return d.Len() - query.Len()
}

// features has the pixels from 0 to 1, the labels and the numbers of the rows.
func features(data *td.Dict) *td.Dict {
	n := data.Len()
	pixels := taken(taken(must(data.Get("image")), "flatten", 1), "div", 16.0)
	defer pixels.Close()
	label, row := must(data.Get("label")), must(td.Call("arange", n))
	defer label.Close()
	defer row.Close()
	return must(td.Build([]int64{n}, td.Pair{Key: td.K("pixels"), Value: pixels}, td.Pair{Key: td.K("label"), Value: label},
		td.Pair{Key: td.K("row"), Value: row}))
}

// shuffled has all rows in an order that the generator draws.
func shuffled(rows *td.Dict, generator *td.Generator) *td.Dict {
	order := must(td.Call("randperm.generator", rows.Len(), td.Named{Name: "generator", Value: generator}))
	defer order.Close()
	return must(rows.Index(td.Take(order)))
}

// accuracy is the share of right answers.
func accuracy(probability, label *td.Tensor) float64 {
	guess := must(probability.Op("argmax", -1))
	right := taken(taken(taken(guess, "eq", label), "to.dtype", td.Float64), "mean")
	defer right.Close()
	return must(right.Item()).(float64)
}

func run(directory string) {
	check(td.SetNumThreads(1)) // for matrices as small as these, a second thread costs more than it brings
	data := must(td.Open(directory+"/memmap", nil))
	defer data.Close()
	fmt.Printf("1. The data, as Python saved it\n%v\n   %d bytes mapped\n\n", data, td.LiveBytes())

	image := must(data.Get("image"))
	defer image.Close()
	bits := must(image.Op("gt", 7))
	defer bits.Close()
	fmt.Printf("2. Duplicates among %d images\n   equal in all pixels: %d; equal to an earlier one in black and white: %d\n\n",
		data.Len(), duplicates(image), duplicates(bits))

	generator := must(td.NewGenerator(0))
	defer generator.Close()
	all := features(data)
	defer all.Close()
	rows := shuffled(all, generator)
	defer rows.Close()
	train, test := must(rows.Index(td.Slice(0, trainRows))), must(rows.Index(td.From(trainRows)))
	defer train.Close()
	defer test.Close()
	nets := newEnsemble()
	defer nets.close()
	nets.train(train, generator)
	each := nets.probability(test)
	defer each.Close()
	mean := must(each.Op("mean.dim", []int64{0}))
	defer mean.Close()
	label := must(test.Get("label"))
	defer label.Close()
	fmt.Printf("3. %d networks of 64-64-10 units trained together\n   alone   ", members)
	for i := range int64(members) {
		one := must(each.Index(td.At(i)))
		fmt.Printf(" %.4f", accuracy(one, label))
		one.Close()
	}
	together := accuracy(mean, label)
	fmt.Printf("\n   together %.4f\n\n", together)

	prediction := must(mean.Op("argmax", -1))
	defer prediction.Close()
	hand(prediction)
	if together < 0.93 {
		log.Fatal("the ensemble has not learned to read")
	}
}

// hand shows the predictions to a second process, and corrects the first one while that process looks.
func hand(prediction *td.Tensor) {
	d := must(td.New(prediction.Shape()...))
	defer d.Close()
	check(d.Set(prediction, "prediction"))
	shared := must(td.CreateSegment(fmt.Sprintf("td-go-digits-%d", os.Getpid()), d, nil))
	defer shared.Close()
	fmt.Printf("4. Predictions in shared memory: %s\n", shared.Path())
	name := strings.TrimPrefix(shared.Path(), "/dev/shm/")
	before := ask(name)
	first := must(prediction.Index(td.At(0)))
	defer first.Close()
	corrected := must(td.Scalar((before + 1) % 10))
	defer corrected.Close()
	check(first.SetAt(corrected, td.Ellipsis))
	check(shared.Update(d))
	if after := ask(name); after != (before+1)%10 {
		log.Fatalf("the second process sees %d", after)
	}
}

// ask lets a second process read the first prediction.
func ask(name string) int64 {
	said := must(exec.Command(os.Args[0], "-read", name).Output())
	fmt.Printf("   second process | the first prediction is %s", said)
	return must(strconv.ParseInt(strings.TrimSpace(string(said)), 10, 64))
}

func read(name string) {
	segment := must(td.OpenSegment(name))
	defer segment.Close()
	d := must(segment.Dict())
	defer d.Close()
	prediction := must(d.Get("prediction"))
	defer prediction.Close()
	values := must(td.View[int64](prediction))
	defer values.Close()
	fmt.Println(values.At(0))
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "-read":
		read(os.Args[2])
	case len(os.Args) == 2:
		run(os.Args[1])
	default:
		log.Fatal("usage: digits DATA_DIR")
	}
}
