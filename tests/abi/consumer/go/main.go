package main

import (
	"fmt"
	"log"

	"tensordict"
)

func main() {
	td, err := tensordict.New(32)
	if err != nil {
		log.Fatal(err)
	}
	defer td.Close()
	ones, err := tensordict.Ones(tensordict.Float32, 32)
	if err != nil {
		log.Fatal(err)
	}
	defer ones.Close()
	if err := td.Set(ones, "a"); err != nil {
		log.Fatal(err)
	}
	sum, err := td.Add(1)
	if err != nil {
		log.Fatal(err)
	}
	defer sum.Close()
	a, err := sum.Get("a")
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	values, err := tensordict.ToSlice[float32](a)
	if err != nil || values[0] != 2 {
		log.Fatal("fails: ", values, err)
	}
	fmt.Printf("%s, in Go: works\n", tensordict.Version())
}
