package keys

import "solidus.io/prover/fault"

// Class is the origin of keys, which decides where they may be used. The values are bits of a ClassSet.
type Class uint8

// The classes.
const (
	Development Class = 1
	LoadTest    Class = 2
	Ceremony    Class = 4
)

// ClassSet is a union of classes.
type ClassSet uint8

// String returns the class's name in manifests and options.
func (c Class) String() string {
	switch c {
	case Development:
		return "development"
	case LoadTest:
		return "load-test"
	case Ceremony:
		return "ceremony"
	default:
		return "unknown"
	}
}

// ParseClass is the inverse of String.
func ParseClass(name string) (Class, error) {
	for _, c := range []Class{Development, LoadTest, Ceremony} {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fault.Newf(fault.KeysClass, "unknown class %q", name)
}

// Classes returns a set of classes.
func Classes(classes ...Class) ClassSet {
	var s ClassSet
	for _, c := range classes {
		s |= ClassSet(c)
	}
	return s
}

func (s ClassSet) has(c Class) bool { return s&ClassSet(c) != 0 }
