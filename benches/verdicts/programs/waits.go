// Asks three times, notes the time, and waits for an answer to nothing; with `thread`, another
// goroutine reads.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	read := func() string {
		line, _ := in.ReadString('\n')
		return line
	}
	take := read
	if len(os.Args) > 1 && os.Args[1] == "thread" {
		lines := make(chan string)
		go func() {
			for line := read(); line != ""; line = read() {
				lines <- line
			}
		}()
		take = func() string { return <-lines }
	}
	for i := 0; i < 3; i++ {
		fmt.Println("?", i)
		take()
	}
	fmt.Fprintln(os.Stderr, time.Now().UnixNano())
	take()
	os.Exit(1)
}
