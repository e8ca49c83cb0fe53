package suite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// What a share raises to x is for the signer to compute: whoever gets P^x for a P of his choice forges. The attack calls every
// operation that takes a share and a point and returns points, with points, statements and shares of its own choice. From two
// shares that differ in x it computes the base that was raised to x. Another statement must change it, and other points must not.
func TestNoOperationRaisesACallersPointToAShare(t *testing.T) {
	x := newFixture(t, 1)
	operations := operationsWithAShareAndAPoint(x.PointchevalSanders, new(Share))
	for _, name := range []string{"PointchevalSanders.Sign", "PointchevalSanders.SignAll"} {
		if _, ok := operations[name]; !ok {
			t.Fatalf("the attack does not see %s", name)
		}
	}
	for name, o := range operations {
		if err := x.raisesACallersPoint(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, o := range operationsWithAShareAndAPoint(careless{}) {
		if err := x.raisesACallersPoint(o); err == nil {
			t.Errorf("the attack does not see what is wrong with %s", name)
		}
	}
}

// careless has operations that the attack has to find.
type careless struct{}

func (careless) RaiseCoins(share *Share, orders []OutputsToSign) (signed [][]G1) {
	for _, o := range orders {
		var points []G1
		for _, c := range o.Coins {
			points = append(points, mul(&c.K, &share.x))
		}
		signed = append(signed, points)
	}
	return signed
}

func (careless) RaiseEncoded(share *Share, k *G1) ([]byte, error) {
	p := mul(k, &share.x)
	return EncodeG1(&p)
}

func (careless) RaiseAGenerator(share *Share, k G1) (struct{ Signed G1 }, error) {
	return struct{ Signed G1 }{add(mulBase(&share.x), mul(&k, &share.y))}, nil
}

// The attack calls methods of two types, so no other function may take a share.
func TestOnlyTheSchemeAndTheShareTakeAShare(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		must(t, err)
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !mentions(f.Type.Params, "Share") {
				continue
			}
			seen++
			if f.Recv == nil || !mentions(f.Recv, "PointchevalSanders") && !mentions(f.Recv, "Share") {
				t.Errorf("%s takes a share", f.Name.Name)
			}
		}
	}
	if seen == 0 {
		t.Fatal("not even Sign takes a share")
	}
}

func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// operation is a method with its receiver as the first parameter.
type operation struct {
	method   reflect.Value
	receiver any
}

var (
	shareType, pointType = reflect.TypeFor[Share](), reflect.TypeFor[G1]()
	fieldType, bytesType = reflect.TypeFor[Field](), reflect.TypeFor[[]byte]()
)

func operationsWithAShareAndAPoint(receivers ...any) map[string]operation {
	found := map[string]operation{}
	for _, receiver := range receivers {
		typ := reflect.TypeOf(receiver)
		for i := range typ.NumMethod() {
			f := typ.Method(i).Type
			takes, returns := map[reflect.Type]bool{}, map[reflect.Type]bool{}
			for j := range f.NumIn() {
				reach(f.In(j), takes)
			}
			for j := range f.NumOut() {
				reach(f.Out(j), returns)
			}
			if takes[shareType] && takes[pointType] && (returns[pointType] || returns[bytesType]) {
				name := strings.TrimPrefix(typ.String(), "*")
				found[strings.TrimPrefix(name, "suite.")+"."+typ.Method(i).Name] = operation{typ.Method(i).Func, receiver}
			}
		}
	}
	return found
}

// reach adds the types that a caller can set in a value of a type, or read there.
func reach(typ reflect.Type, all map[reflect.Type]bool) {
	if all[typ] {
		return
	}
	all[typ] = true
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		reach(typ.Elem(), all)
	case reflect.Struct:
		for i := range typ.NumField() {
			if typ.Field(i).IsExported() {
				reach(typ.Field(i).Type, all)
			}
		}
	}
}

// raisesACallersPoint returns an error if the operation raises a point other than one that the statement alone determines to x,
// or if the attack does not get through.
func (x *fixture) raisesACallersPoint(o operation) error {
	first, err := o.bases(1, 1)
	if err != nil {
		return err
	}
	otherPoints, err := o.bases(1, 2)
	if err != nil {
		return err
	}
	otherStatement, err := o.bases(2, 1)
	if err != nil {
		return err
	}
	for i := range first {
		if otherPoints[i] != first[i] {
			return fmt.Errorf("the caller's points change base %d", i)
		}
		if otherStatement[i] == first[i] {
			return fmt.Errorf("base %d is the same for every statement", i)
		}
	}
	return nil
}

// bases returns what the operation raises to x for each point that it returns.
func (o operation) bases(statement, points uint64) ([]G1, error) {
	one, other := &Share{index: 1}, &Share{index: 1}
	one.x.SetUint64(1234)
	other.x.SetUint64(1235)
	one.y.SetUint64(77)
	other.y = one.y
	without, err := o.call(one, statement, points)
	if err != nil {
		return nil, err
	}
	with, err := o.call(other, statement, points)
	if err != nil {
		return nil, err
	}
	if len(with) == 0 || len(with) != len(without) {
		return nil, fmt.Errorf("%d points, and %d with another share", len(without), len(with))
	}
	for i := range with {
		without[i].Neg(&without[i])
		with[i] = add(with[i], without[i])
	}
	return with, nil
}

func (o operation) call(share *Share, statement, points uint64) ([]G1, error) {
	c := caller{share: share, statement: statement, points: points}
	f := o.method.Type()
	in := []reflect.Value{reflect.ValueOf(o.receiver)}
	if f.In(0) == reflect.PointerTo(shareType) {
		in[0] = reflect.ValueOf(share)
	}
	for i := 1; i < f.NumIn(); i++ {
		v := reflect.New(f.In(i)).Elem()
		if err := c.set(v); err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	var found []G1
	for _, out := range o.method.Call(in) {
		var err error
		if found, err = appendPoints(found, out); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// caller sets the parameters of an operation to values that a statement and a choice of points determine.
type caller struct {
	share             *Share
	statement, points uint64
	count             uint64
}

func (c *caller) set(v reflect.Value) error {
	c.count++
	switch {
	case v.Type() == reflect.PointerTo(shareType):
		v.Set(reflect.ValueOf(c.share))
		return nil
	case v.Type() == pointType:
		s := small(int(1000*c.points + c.count))
		v.Set(reflect.ValueOf(mulBase(&s)))
		return nil
	case v.Type() == fieldType:
		v.Set(reflect.ValueOf(small(int(1000*c.statement + c.count))))
		return nil
	}
	switch v.Kind() {
	case reflect.Int: // an index
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(c.statement)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return c.set(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			if err := c.set(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if err := c.set(v.Field(i)); err != nil {
					return err
				}
			}
		}
	default:
		return fmt.Errorf("the attack has no value for %v: give it one", v.Type())
	}
	return nil
}

// appendPoints appends the points of a result, encoded ones included. It returns a result's error.
func appendPoints(found []G1, v reflect.Value) ([]G1, error) {
	if err, ok := v.Interface().(error); ok {
		return nil, fmt.Errorf("the attack's call is refused: %w", err)
	}
	switch {
	case v.Type() == pointType:
		return append(found, v.Interface().(G1)), nil
	case v.Type() == bytesType:
		p, err := DecodeG1(v.Bytes())
		return append(found, p), err
	}
	var err error
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return appendPoints(found, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && err == nil; i++ {
			found, err = appendPoints(found, v.Index(i))
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && err == nil; i++ {
			if v.Type().Field(i).IsExported() {
				found, err = appendPoints(found, v.Field(i))
			}
		}
	}
	return found, err
}
