package cabi

import (
	"encoding/binary"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// reader reads fields from a request. It keeps the first error, and later reads return zero values.
type reader struct {
	in  []byte
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// take returns the next n bytes, or nil after an error.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.in) {
		r.fail(fault.New(fault.MalformedRequest, "too short"))
		return nil
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

// end refuses trailing bytes.
func (r *reader) end() error {
	if r.err == nil && len(r.in) != 0 {
		r.fail(fault.New(fault.MalformedRequest, "trailing bytes"))
	}
	return r.err
}

func (r *reader) u8() uint8 {
	b := r.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (r *reader) flag() bool {
	v := r.u8()
	if v > 1 {
		r.fail(fault.New(fault.MalformedRequest, "a flag is 0 or 1"))
	}
	return v == 1
}

func (r *reader) u32() uint32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

func (r *reader) u64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

// sized reads a byte string after its length.
func (r *reader) sized() []byte { return r.take(int(r.u32())) }

// count reads a number of items. Each item has at least the given size, so that a false count cannot cause an allocation.
func (r *reader) count(itemBytes int) int {
	n := int(r.u32())
	if r.err == nil && n > len(r.in)/itemBytes {
		r.fail(fault.New(fault.MalformedRequest, "fewer items than the count says"))
		return 0
	}
	return n
}

func (r *reader) array32() (a [32]byte) {
	copy(a[:], r.take(32))
	return a
}

func decode[T any](r *reader, n int, f func([]byte) (T, error)) T {
	var zero T
	b := r.take(n)
	if b == nil {
		return zero
	}
	v, err := f(b)
	if err != nil {
		r.fail(err)
		return zero
	}
	return v
}

func (r *reader) field() suite.Field { return decode(r, suite.FieldBytes, suite.DecodeField) }

func (r *reader) scalar() suite.Scalar { return decode(r, suite.ScalarBytes, suite.DecodeScalar) }

// keyScalar reads an exponent of an owner's key.
func (r *reader) keyScalar() jubjub.Scalar { return decode(r, jubjub.ScalarBytes, jubjub.DecodeScalar) }

// key reads a complete key of an owner.
func (r *reader) key() jubjub.Point { return decode(r, jubjub.PointBytes, decodeKey) }

// uncheckedKey reads a point of Jubjub whose subgroup the operation checks itself.
func (r *reader) uncheckedKey() jubjub.Point { return decode(r, jubjub.PointBytes, jubjub.DecodePoint) }

func decodeKey(b []byte) (jubjub.Point, error) {
	p, err := jubjub.DecodePoint(b)
	if err != nil {
		return p, err
	}
	return p, jubjub.Check(&p)
}

// point reads a fully checked point.
func (r *reader) point() suite.G1 { return decode(r, suite.G1Bytes, suite.DecodeG1) }

// unchecked reads a point whose subgroup the callee checks.
func (r *reader) unchecked() suite.G1 { return decode(r, suite.G1Bytes, suite.DecodeG1OnCurve) }

func (r *reader) g2() suite.G2 { return decode(r, suite.G2Bytes, decodeG2) }

func (r *reader) coin() statement.BlindedCoin {
	return statement.BlindedCoin{Cm: r.field(), K: r.unchecked()}
}

func (r *reader) signature() suite.Signature {
	return suite.Signature{S1: r.unchecked(), S2: r.unchecked()}
}

func (r *reader) shown() suite.Shown {
	return suite.Shown{H: r.unchecked(), M: r.unchecked(), S: r.unchecked()}
}

// outputs reads what the bases of a statement's outputs depend on.
func (r *reader) outputs() *suite.Outputs {
	o := &suite.Outputs{D: r.field(), Period: r.u32()}
	for range r.parts() {
		o.Cms = append(o.Cms, r.field())
	}
	return o
}

// output reads the outputs of a statement and the index of one of them.
func (r *reader) output() (*suite.Outputs, int) {
	o, j := r.outputs(), int(r.u8())
	if r.err == nil && j >= len(o.Cms) {
		r.fail(fault.Newf(fault.MalformedRequest, "output %d of %d", j, len(o.Cms)))
	}
	return o, j
}

// origin reads the origin of a coin.
func (r *reader) origin() hash.Origin {
	o := hash.Origin(r.u8())
	if r.err == nil && o > hash.OriginOwn {
		r.fail(fault.New(fault.MalformedRequest, "unknown origin of a coin"))
	}
	return o
}

// entryOrigin reads an origin in an entry of the history, which may be that of several coins together.
func (r *reader) entryOrigin() hash.Origin {
	o := hash.Origin(r.u8())
	if r.err == nil && o > hash.OriginSeveral {
		r.fail(fault.New(fault.MalformedRequest, "unknown origin of coins"))
	}
	return o
}

// memberBytes is the encoded length of a member.
const memberBytes = 4 + 2*suite.G2Bytes + suite.G1Bytes + 32

func (r *reader) member() suite.Member {
	m := suite.Member{Index: int(r.u32()), X: r.g2(), Y: r.g2(), Gamma: r.point()}
	m.NoteKey = r.array32()
	return m
}

func (r *reader) committee() *suite.Committee {
	c := &suite.Committee{Epoch: r.u32(), F: int(r.u32()), X: r.g2(), Y: r.g2(), Y1: r.point()}
	n := r.count(memberBytes)
	if n > suite.MaxAuthorities {
		r.fail(fault.New(fault.CommitteeInvalid, "too many members"))
		n = 0
	}
	for range n {
		c.Members = append(c.Members, r.member())
	}
	return c
}

// writer collects a result. A point without encoding is an error of the call.
type writer struct {
	out []byte
	err error
}

func (w *writer) u8(v uint8)   { w.out = append(w.out, v) }
func (w *writer) u32(v uint32) { w.out = binary.BigEndian.AppendUint32(w.out, v) }
func (w *writer) u64(v uint64) { w.out = binary.BigEndian.AppendUint64(w.out, v) }

func (w *writer) flag(v bool) {
	if v {
		w.u8(1)
		return
	}
	w.u8(0)
}

func (w *writer) bytes(b []byte) { w.out = append(w.out, b...) }

func (w *writer) text(s string) {
	w.u32(uint32(len(s)))
	w.out = append(w.out, s...)
}

func (w *writer) field(e *suite.Field) { w.bytes(suite.EncodeField(e)) }

func (w *writer) point(p *suite.G1) { w.keep(suite.EncodeG1(p)) }

func (w *writer) key(p *jubjub.Point) { w.bytes(jubjub.EncodePoint(p)) }

func (w *writer) g2(p *suite.G2) { w.keep(suite.EncodeG2(p)) }

func (w *writer) keep(b []byte, err error) {
	if err != nil {
		w.err = err
		return
	}
	w.bytes(b)
}
