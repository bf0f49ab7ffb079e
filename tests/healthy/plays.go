// One side of a dialogue, as plays.c has it: first|second ROUNDS READS WRITES SIZE MOVE[,MOVE...]
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		os.Exit(7)
	}
	return n
}

func pass(name string, d time.Duration) {
	switch name {
	case "sleep":
		time.Sleep(d)
	case "after":
		<-time.After(d)
	case "select":
		select {
		case <-make(chan int):
		case <-time.After(d):
		}
	case "ticker":
		ticker := time.NewTicker(d/4 + time.Millisecond)
		for i := 0; i < 4; i++ {
			<-ticker.C
		}
		ticker.Stop()
	case "context":
		ctx, cancel := context.WithTimeout(context.Background(), d)
		<-ctx.Done()
		cancel()
	case "group":
		var group sync.WaitGroup
		for i := 0; i < 10; i++ {
			group.Add(1)
			go func(part int) {
				defer group.Done()
				time.Sleep(d * time.Duration(part) / 10)
			}(i)
		}
		group.Wait()
	case "hand-over":
		there, back := make(chan int), make(chan int)
		go func() {
			for n := range there {
				back <- n
			}
		}()
		for i := 0; i < int(d.Milliseconds())*50; i++ {
			there <- i
			<-back
		}
		close(there)
	case "busy":
		for end := time.Now().Add(d); time.Now().Before(end); {
		}
	case "collect":
		time.Sleep(d)
		runtime.GC()
	case "started":
		if exec.Command("/bin/sleep", fmt.Sprint(d.Seconds())).Run() != nil {
			os.Exit(4)
		}
	case "afterfunc":
		done := make(chan bool)
		time.AfterFunc(d, func() { done <- true })
		<-done
	default:
		os.Exit(7)
	}
}

func main() {
	side, rounds, reads, writes, size := os.Args[1], number(os.Args[2]), os.Args[3], os.Args[4], number(os.Args[5])
	moves := strings.Split(os.Args[6], ",")
	in := bufio.NewReader(os.Stdin)
	read := func() string {
		line, err := in.ReadString('\n')
		if err != nil {
			return ""
		}
		return line
	}
	take := read
	if reads == "goroutine" {
		lines := make(chan string)
		go func() {
			for line := read(); line != ""; line = read() {
				lines <- line
			}
		}()
		take = func() string { return <-lines }
	}
	check := func(round int) {
		if first, _, _ := strings.Cut(take(), " "); first != fmt.Sprint(round) {
			os.Exit(5)
		}
	}
	for round := 0; round < rounds; round++ {
		if side == "second" {
			check(round)
		}
		name, ms, _ := strings.Cut(moves[round%len(moves)], ":")
		pass(name, time.Duration(number(ms))*time.Millisecond)
		text := fmt.Sprint(round) + " "
		if len(text) < size {
			text += strings.Repeat("x", size-len(text))
		}
		text += "\n"
		if writes == "halves" {
			os.Stdout.WriteString(text[:len(text)/2])
			time.Sleep(5 * time.Millisecond)
			text = text[len(text)/2:]
		}
		done := make(chan bool)
		go func() {
			os.Stdout.WriteString(text)
			done <- true
		}()
		<-done
		if side == "first" {
			check(round)
		}
	}
}
