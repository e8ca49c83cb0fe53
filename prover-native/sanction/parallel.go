package sanction

import (
	"runtime"
	"sync"
)

// parallel calls f(0..n-1) on all processors, in contiguous blocks. A panic of f is raised again in the caller, where it can
// be recovered. A panic in another goroutine would end the process, and this code runs inside a JVM.
func parallel(n int, f func(i int)) {
	const smallest = 256 // below that a goroutine costs more than it saves
	workers := min(runtime.GOMAXPROCS(0), n/smallest+1)
	block := (n + workers - 1) / workers
	failures := make(chan any, workers)
	var wg sync.WaitGroup
	for start := 0; start < n; start += block {
		wg.Add(1)
		go func(from, to int) {
			defer wg.Done()
			defer func() {
				if failure := recover(); failure != nil {
					failures <- failure
				}
			}()
			for i := from; i < to; i++ {
				f(i)
			}
		}(start, min(start+block, n))
	}
	wg.Wait()
	select {
	case failure := <-failures:
		panic(failure)
	default:
	}
}
