package cabi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"solidus.io/prover/fault"
	"solidus.io/prover/sanction"
)

// Bridge is the version of operations and layouts. Both sides compare it before anything else.
const Bridge = 5

// Version is the result of the operation VERSION.
const Version = "solidus-native 1"

// handler serves one operation.
type handler func(*reader, *writer) error

// operation is an entry of the list.
type operation struct {
	Number     int
	Name       string
	MaxRequest int
	serve      handler
}

const (
	kib = 1 << 10
	// small is enough for every request without a list of members or keys.
	small = 16 * kib
)

// Limit is the length of the longest request that an operation accepts, so that a bridge can refuse before it copies.
func Limit(number int) int {
	if op := find(number); op != nil {
		return op.MaxRequest
	}
	return 0
}

// Invoke serves one call. It never panics, and it clears the request.
func Invoke(number int, request []byte) (reply []byte) {
	defer clear(request)
	defer func() {
		if p := recover(); p != nil {
			reply = refusal(fault.New(fault.Internal, "panic at "+panicSite()))
		}
	}()
	op := find(number)
	if op == nil {
		return refusal(fault.Newf(fault.UnknownOperation, "%d", number))
	}
	if len(request) > op.MaxRequest {
		return Refuse(fault.RequestTooLarge, fmt.Sprintf("%d bytes, at most %d", len(request), op.MaxRequest))
	}
	w := &writer{out: make([]byte, 2, 1024)}
	if err := op.serve(&reader{in: request}, w); err != nil {
		return refusal(err)
	}
	if w.err != nil {
		return refusal(w.err)
	}
	return w.out
}

// Refuse makes the reply of a bridge that ends a call by itself.
func Refuse(code fault.Code, detail string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(code)), detail...)
}

func refusal(err error) []byte {
	err = coded(err)
	var detail string
	var e *fault.Error
	if errors.As(err, &e) {
		detail = e.Detail
	}
	return Refuse(fault.CodeOf(err), detail)
}

// foreign maps errors of packages without codes to codes.
var foreign = []struct {
	err  error
	code fault.Code
}{
	{sanction.ErrListed, fault.Listed},
	{sanction.ErrFull, fault.ListTooLarge},
	{sanction.ErrOrder, fault.ListNotSorted},
	{sanction.ErrSentinel, fault.ListSentinel},
}

func coded(err error) error {
	for _, f := range foreign {
		if errors.Is(err, f.err) {
			return fault.New(f.code, "")
		}
	}
	return err
}

func find(number int) *operation {
	if number < 0 || number >= len(byNumber) {
		return nil
	}
	return byNumber[number]
}

// panicSite returns the function that panicked, never its arguments: those may be secrets.
func panicSite() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicked && !inRuntime {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
