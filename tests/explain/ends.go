// As ends.c, for what Go says.
package main

import "fmt"

func pick(from []int, which int) int {
	return from[which]
}

func main() {
	fmt.Println(pick([]int{1}, 5))
}
