package cabi

import (
	"sync"

	"solidus.io/prover/fault"
)

// table gives live objects numbers that are never reused. A call that uses an object keeps it alive. Closing an object with
// secrets waits for the calls that use them.
type table struct {
	mu      sync.RWMutex
	last    uint64
	objects map[uint64]any
}

var handles = table{objects: map[uint64]any{}}

// maxHandles bounds the number of objects that a caller can leak.
const maxHandles = 1 << 16

func (t *table) add(object any) (uint64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.objects) >= maxHandles {
		return 0, fault.New(fault.Overloaded, "too many open objects")
	}
	t.last++
	t.objects[t.last] = object
	return t.last, nil
}

// close removes an object and clears its secrets.
func (t *table) close(id uint64) error {
	t.mu.Lock()
	object, ok := t.objects[id]
	delete(t.objects, id)
	t.mu.Unlock()
	if !ok {
		return fault.New(fault.UnknownHandle, "")
	}
	if c, ok := object.(interface{ Close() }); ok {
		c.Close()
	}
	return nil
}

// lookup reads a handle from a request and returns its object.
func lookup[T any](r *reader) T {
	var zero T
	id := r.u64()
	if r.err != nil {
		return zero
	}
	handles.mu.RLock()
	object := handles.objects[id]
	handles.mu.RUnlock()
	typed, ok := object.(T)
	if !ok {
		r.fail(fault.New(fault.UnknownHandle, ""))
		return zero
	}
	return typed
}
