//go:build linux

package suite

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// residueShare names the environment variable with the share of the process whose memory is searched.
const residueShare = "SOLIDUS_RESIDUE_SHARE"

// TestNothingOfAClosedShareIsLeft signs in a process of its own and then searches that process' memory for the share in every
// form that the ladder gives it. The signing goroutine is fresh, so its stack grows while it signs. The forms come from this
// process, inverted, so that the other one has them from its signing only.
func TestNothingOfAClosedShareIsLeft(t *testing.T) {
	if given := os.Getenv(residueShare); given != "" {
		searchAfterSigning(t, given)
		return
	}
	x, y := randomScalarOf(t), randomScalarOf(t)
	given := []string{hex.EncodeToString(inverted(append(EncodeScalar(&x), EncodeScalar(&y)...)))}
	for name, form := range formsOf(&x, &y) {
		given = append(given, name+"="+hex.EncodeToString(inverted(form)))
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") //nolint:gosec // this test itself
	child.Env = append(os.Environ(), residueShare+"="+strings.Join(given, ","))
	output, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "searched") {
		t.Fatalf("nothing was searched:\n%s", output)
	}
}

func randomScalarOf(t *testing.T) Scalar {
	t.Helper()
	s, err := randomScalar()
	must(t, err)
	return s
}

func inverted(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[i] = ^b[i]
	}
	return out
}

func searchAfterSigning(t *testing.T, given string) {
	parts := strings.Split(given, ",")
	raw, err := hex.DecodeString(parts[0])
	must(t, err)
	wanted := map[string][]byte{}
	for _, part := range parts[1:] {
		name, form, _ := strings.Cut(part, "=")
		wanted[name], err = hex.DecodeString(form)
		must(t, err)
	}
	share, err := NewShare(1, inverted(raw[:ScalarBytes]), inverted(raw[ScalarBytes:]))
	must(t, err)
	if found := search(t, wanted); len(found) == 0 {
		t.Fatal("the search does not find an open share")
	}
	h, k := randomG1(t), randomG1(t)
	signed, end := make(chan error), make(chan struct{})
	go func() {
		into, pairs := make([]G1, 8), make([]signingPair, 8)
		for i := range pairs {
			pairs[i] = signingPair{h: h, k: k, into: &into[i]}
		}
		err := share.signPairs(pairs)
		share.Close()
		signed <- err
		<-end
	}()
	must(t, <-signed)
	if found := search(t, wanted); len(found) > 0 {
		t.Errorf("left while the goroutine lives: %s", found)
	}
	close(end)
	runtime.GC()
	if found := search(t, wanted); len(found) > 0 {
		t.Errorf("left after the goroutine: %s", found)
	}
	fmt.Println("searched")
}

// formsOf returns parts of the share's forms: as integers, in Montgomery form, halved, in digits.
func formsOf(x, y *Scalar) map[string][]byte {
	forms := map[string][]byte{}
	for i, s := range []*Scalar{x, y} {
		words := s.Bits()
		forms[fmt.Sprintf("integer %d", i)] = bytesOf(words[:])
		forms[fmt.Sprintf("Montgomery form %d", i)] = bytesOf(s[:])
		var u, v oddHalf
		oddHalves(&u, &v, s)
		forms[fmt.Sprintf("first half %d", i)] = bytesOf(u[:2])
		forms[fmt.Sprintf("second half %d", i)] = bytesOf(v[:2])
	}
	var digits [ladderSteps]uint8
	ladderDigits(&digits, x, y)
	forms["digits"] = digits[8:40]
	return forms
}

func bytesOf(words []uint64) []byte {
	var out []byte
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// search returns the names of the forms that are in the writable memory of this process.
func search(t *testing.T, inverse map[string][]byte) []string {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	must(t, err)
	memory, err := os.Open("/proc/self/mem")
	must(t, err)
	defer memory.Close()
	const block, overlap = 1 << 20, 64
	buffer := make([]byte, block+overlap)
	seen := map[string]bool{}
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n != 3 || !strings.HasPrefix(mode, "rw") {
			continue
		}
		for at := from; at < to; at += block {
			n, _ := memory.ReadAt(buffer[:min(block+overlap, to-at)], int64(at))
			for i := range buffer[:n] {
				buffer[i] = ^buffer[i]
			}
			for name, form := range inverse {
				// the wanted form itself is inverted twice here, and does not match
				if bytes.Contains(buffer[:n], form) {
					seen[name] = true
				}
			}
			clear(buffer)
		}
	}
	var found []string
	for name := range seen {
		found = append(found, name)
	}
	return found
}
