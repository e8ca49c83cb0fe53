package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"solidus.io/images/image"
	"solidus.io/images/java"
	"solidus.io/images/notices"
)

// makeNotices writes THIRD-PARTY-NOTICES.md from the lists that Maven wrote for each module.
func makeNotices(o options) error {
	var shipped []string
	for _, service := range image.Services {
		shipped = append(shipped, service.Module)
	}
	parts, err := notices.Make(o.root, o.goCommand, shipped)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d parts\n", notices.File, len(parts))
	return together(notices.Refused(parts))
}

// checkNotices compares the list with the declared dependencies.
func checkNotices(o options) error {
	wrong, err := notices.Check(o.root)
	if err != nil {
		return err
	}
	return together(wrong)
}

// requireNotices fails when a third-party jar goes into an image and is not in the list.
func requireNotices(o options, jars []java.Jar) error {
	var names []string
	for _, jar := range java.ThirdParty(jars) {
		names = append(names, jar.Name)
	}
	wrong, err := notices.Uncovered(filepath.Join(o.root, notices.File), names)
	if err != nil {
		return err
	}
	return together(wrong)
}

func together(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "\n  "))
}
