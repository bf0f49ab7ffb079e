// Waits for a line as Go programs do; the last ways wake by themselves and speak first.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func line() bool {
	text, err := bufio.NewReader(os.Stdin).ReadString('\n')
	return err == nil && text != ""
}

func main() {
	got := false
	switch os.Args[1] {
	case "scan":
		var text string
		fmt.Scan(&text)
		got = text != ""
	case "channel":
		lines := make(chan bool)
		go func() { lines <- line() }()
		got = <-lines
	case "select":
		lines := make(chan bool)
		go func() { lines <- line() }()
		select {
		case got = <-lines:
		case <-time.After(time.Minute):
		}
	case "later":
		time.AfterFunc(200*time.Millisecond, func() { fmt.Println("late") })
		got = line()
	case "sleep":
		go func() {
			time.Sleep(200 * time.Millisecond)
			fmt.Println("late")
		}()
		got = line()
	default:
		os.Exit(7)
	}
	if !got {
		os.Exit(8)
	}
}
