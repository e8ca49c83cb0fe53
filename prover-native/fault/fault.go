// Package fault defines an error code for every way in which a native operation can fail.
//
// A code is a promise to other languages and to operators: it is stable, each rule has its own code, and the text beside it
// never contains a secret. A code's number never gets another meaning.
package fault

import (
	"errors"
	"fmt"
)

// Code identifies one rule that did not hold.
type Code uint16

// Error is a failure with its code.
type Error struct {
	Code   Code
	Detail string
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Code.String()
	}
	return e.Code.String() + ": " + e.Detail
}

// Is lets errors.Is compare by code alone.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// New makes an error. The detail must not contain secret values.
func New(code Code, detail string) *Error { return &Error{Code: code, Detail: detail} }

// Newf is New with formatting.
func Newf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of err: OK for nil, Internal for an error without a code.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// String returns the code's name as other languages spell it.
func (c Code) String() string {
	for _, e := range catalogue {
		if e.Code == c {
			return e.Name
		}
	}
	return fmt.Sprintf("CODE_%d", uint16(c))
}

// Entry describes one code for the catalogue.
type Entry struct {
	Code    Code
	Name    string
	Meaning string
}

// Catalogue lists all codes in ascending order. The Java enumeration is generated from it.
func Catalogue() []Entry { return append([]Entry(nil), catalogue...) }
