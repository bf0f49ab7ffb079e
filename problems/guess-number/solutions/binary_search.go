// Binary search: halve the range until the reply is `equal`.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()

	var n int
	fmt.Fscan(in, &n)
	low, high := 1, n
	for {
		middle := low + (high-low)/2
		fmt.Fprintln(out, "?", middle)
		out.Flush()
		var reply string
		if _, err := fmt.Fscan(in, &reply); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch reply {
		case "equal":
			fmt.Fprintln(out, "!", middle)
			return
		case "bigger":
			low = middle + 1
		default:
			high = middle - 1
		}
	}
}
