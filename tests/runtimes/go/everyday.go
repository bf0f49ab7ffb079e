// What ordinary Go programs do: see ../table.toml.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
)

func answer() {
	in := bufio.NewReader(os.Stdin)
	for {
		var number int64
		if _, err := fmt.Fscan(in, &number); err != nil {
			return
		}
		fmt.Println(2 * number)
	}
}

func threads() {
	var totals [4]int64
	var workers sync.WaitGroup
	for first := range totals {
		workers.Add(1)
		go func(first int) {
			defer workers.Done()
			for i := 0; i < 1000000; i++ {
				totals[first] += int64(first + i%7)
			}
		}(first)
	}
	workers.Wait()
	fmt.Println(totals[0] + totals[1] + totals[2] + totals[3])
}

func filled(size int) []byte {
	memory := make([]byte, size)
	for i := range memory {
		memory[i] = 1
	}
	return memory
}

func exhaust() {
	var kept [][]byte
	for {
		kept = append(kept, filled(1<<20))
	}
}

func main() {
	what := ""
	if len(os.Args) > 1 {
		what = os.Args[1]
	}
	switch what {
	case "hello":
		fmt.Println("hello")
	case "answer":
		answer()
	case "threads":
		threads()
	case "heap":
		fmt.Println(filled(200 << 20)[12345])
	case "crash":
		panic("nobody catches this")
	case "exhaust":
		exhaust()
	default:
		os.Exit(2)
	}
}
