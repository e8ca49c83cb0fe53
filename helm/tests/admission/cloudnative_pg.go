// Command admission reads rendered manifests and says what CloudNativePG's own admission webhook says of them: first its defaults, then its
// validator, as on creation. It is built inside a copy of the operator's module, whose webhook is internal.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	webhookv1 "github.com/cloudnative-pg/cloudnative-pg/internal/webhook/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	admitted, refused := 0, 0
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.yaml"))
	if err == nil && len(files) == 0 {
		err = errors.New("no manifests in " + os.Args[1])
	}
	for _, file := range files {
		if err == nil {
			err = read(file, func(name string, warnings admission.Warnings, refusal error) {
				for _, warning := range warnings {
					fmt.Printf("%s: %s: WARNED: %s\n", filepath.Base(file), name, warning)
				}
				if refusal == nil {
					admitted++
					return
				}
				refused++
				fmt.Printf("%s: %s: REFUSED: %v\n", filepath.Base(file), name, refusal)
			})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("admission of CloudNativePG %s: %d admitted, %d refused\n", os.Args[2], admitted, refused)
	if refused > 0 || admitted == 0 {
		os.Exit(1)
	}
}

// read judges the operator's documents of a file.
func read(file string, judge func(name string, warnings admission.Warnings, refusal error)) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	decoder := yaml.NewYAMLToJSONDecoder(bytes.NewReader(raw))
	for {
		var any map[string]any
		if err := decoder.Decode(&any); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if any["apiVersion"] != "postgresql.cnpg.io/v1" {
			continue
		}
		kind, _ := any["kind"].(string)
		name, warnings, refusal, err := decide(kind, any)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		judge(kind+" "+name, warnings, refusal)
	}
}

// decide asks the webhook of a kind. A kind that it does not know here is an error.
func decide(kind string, document map[string]any) (name string, warnings admission.Warnings, refusal, err error) {
	ctx := context.Background()
	switch kind {
	case "Cluster":
		var cluster apiv1.Cluster
		if err = convert(document, &cluster); err != nil {
			return
		}
		if refusal = (&webhookv1.ClusterCustomDefaulter{}).Default(ctx, &cluster); refusal == nil {
			warnings, refusal = (&webhookv1.ClusterCustomValidator{}).ValidateCreate(ctx, &cluster)
		}
		return cluster.Name, warnings, refusal, nil
	case "ScheduledBackup":
		var backup apiv1.ScheduledBackup
		if err = convert(document, &backup); err != nil {
			return
		}
		if refusal = (&webhookv1.ScheduledBackupCustomDefaulter{}).Default(ctx, &backup); refusal == nil {
			warnings, refusal = (&webhookv1.ScheduledBackupCustomValidator{}).ValidateCreate(ctx, &backup)
		}
		return backup.Name, warnings, refusal, nil
	default:
		return "", nil, nil, errors.New("nobody judges " + kind)
	}
}

func convert(document map[string]any, into any) error {
	return runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(document, into, true)
}
