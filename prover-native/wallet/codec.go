package wallet

import (
	"encoding/binary"
	"reflect"
	"unicode/utf8"

	"solidus.io/prover/fault"
)

// encode writes a value of this package's types, or what a pointer points to: the members of a struct in their order, integers big endian, byte strings, texts
// and lists after a 32-bit length, a byte 0 or 1 before what may be absent. A value has one encoding.
//
//spec:id W-31
func encode(v any) []byte { return appendValue(nil, reflect.Indirect(reflect.ValueOf(v))) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Uint8:
		return append(b, uint8(v.Uint()))
	case reflect.Uint16:
		return binary.BigEndian.AppendUint16(b, uint16(v.Uint()))
	case reflect.Uint32:
		return binary.BigEndian.AppendUint32(b, uint32(v.Uint()))
	case reflect.Uint64:
		return binary.BigEndian.AppendUint64(b, v.Uint())
	case reflect.String:
		return append(appendLength(b, v.Len()), v.String()...)
	case reflect.Slice:
		b = appendLength(b, v.Len())
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Array:
		for i := range v.Len() {
			b = append(b, uint8(v.Index(i).Uint()))
		}
		return b
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	default:
		panic("no encoding of " + v.Type().String())
	}
}

func appendLength(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

// decode reads what encode wrote, into a pointer. It refuses everything else, so bytes that it takes are those that encode gives.
func decode(b []byte, into any) error {
	d := &decoder{in: b}
	d.value(reflect.ValueOf(into).Elem())
	if d.err == nil && len(d.in) != 0 {
		d.fail("trailing bytes")
	}
	return d.err
}

// decodeState reads a state whose bytes stay those of the input: most steps do not look into the longest of them.
func decodeState(b []byte, into *state) error {
	d := &decoder{in: b, alias: true}
	d.value(reflect.ValueOf(into).Elem())
	if d.err == nil && len(d.in) != 0 {
		d.fail("trailing bytes")
	}
	return d.err
}

// decodeFirst reads what a record begins with.
func decodeFirst(b []byte, into any) error {
	d := &decoder{in: b}
	d.value(reflect.ValueOf(into).Elem())
	return d.err
}

// decoder keeps the first error.
type decoder struct {
	in  []byte
	err error
	// alias says that bytes are not copied.
	alias bool
}

func (d *decoder) fail(detail string) {
	if d.err == nil {
		d.err = fault.New(fault.MalformedRequest, detail)
	}
}

// take returns the next n bytes, or n zeros after an error, for small n.
func (d *decoder) take(n int) []byte {
	if d.err == nil && n > len(d.in) {
		d.fail("too short")
	}
	if d.err != nil {
		return make([]byte, min(n, 8))
	}
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}

// length reads a number of items, which have at least a byte each, so that a false one causes no allocation.
func (d *decoder) length() int {
	n := int(binary.BigEndian.Uint32(d.take(4)))
	if d.err == nil && n > len(d.in) {
		d.fail("fewer items than the length says")
	}
	if d.err != nil {
		return 0
	}
	return n
}

func (d *decoder) flag() bool {
	n := d.take(1)[0]
	if n > 1 {
		d.fail("a flag is 0 or 1")
	}
	return n == 1
}

func (d *decoder) value(v reflect.Value) {
	if d.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.flag())
	case reflect.Uint8:
		v.SetUint(uint64(d.take(1)[0]))
	case reflect.Uint16:
		v.SetUint(uint64(binary.BigEndian.Uint16(d.take(2))))
	case reflect.Uint32:
		v.SetUint(uint64(binary.BigEndian.Uint32(d.take(4))))
	case reflect.Uint64:
		v.SetUint(binary.BigEndian.Uint64(d.take(8)))
	case reflect.String:
		text := d.take(d.length())
		if d.err == nil && !utf8.Valid(text) {
			d.fail("a text that is not UTF-8")
		}
		v.SetString(string(text))
	case reflect.Slice:
		d.list(v)
	case reflect.Array:
		if raw := d.take(v.Len()); d.err == nil {
			reflect.Copy(v, reflect.ValueOf(raw))
		}
	case reflect.Pointer:
		if d.flag() && d.err == nil {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	default:
		panic("no encoding of " + v.Type().String())
	}
}

// list reads a slice. An empty one is nil. The bytes are copied, because callers clear what they hand in.
func (d *decoder) list(v reflect.Value) {
	n := d.length()
	if n == 0 {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		b := d.take(n)
		if !d.alias {
			b = append([]byte(nil), b...)
		}
		v.SetBytes(b[:len(b):len(b)])
		return
	}
	all := reflect.MakeSlice(v.Type(), 0, min(n, 1024))
	for range n {
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(item)
		all = reflect.Append(all, item)
		if d.err != nil {
			return
		}
	}
	v.Set(all)
}
