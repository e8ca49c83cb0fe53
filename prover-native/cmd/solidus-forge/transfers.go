package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/simulate"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// order holds the flags of the subcommand.
type order struct {
	keys, seed, out, root, payout, memo string
	terms                               simulate.Terms
	period, maxTransfers                uint64
	series                              simulate.Series
}

func (o *order) flags() *flag.FlagSet {
	f := flag.NewFlagSet("transfers", flag.ContinueOnError)
	f.StringVar(&o.keys, "keys", "", "load-test key directory")
	f.StringVar(&o.seed, "seed", "", "any text; the same text, the same transfers")
	f.StringVar(&o.out, "out", "", "file to write, or -")
	f.StringVar(&o.root, "root", "", "root of the sanction checkpoint, 32 bytes in hexadecimal")
	f.StringVar(&o.payout, "payout", "", "file with a payout block of 512 bytes, or zero; each transfer draws its own without one")
	f.StringVar(&o.memo, "memo", "", "file with a memo block of 1024 bytes, or zero; each transfer draws its own without one")
	f.Uint64Var(&o.terms.PolicyVersion, "policy-version", 0, "")
	f.Uint64Var(&o.terms.CheckpointVersion, "checkpoint-version", 0, "")
	f.Uint64Var(&o.period, "period", 0, "yyyymm")
	f.Uint64Var(&o.terms.Withdrawn, "withdrawn", 0, "minor units")
	f.Uint64Var(&o.terms.Limits.MaxPerTransfer, "max-per-transfer", 0, "minor units")
	f.Uint64Var(&o.terms.Limits.MaxPerPeriod, "max-per-period", 0, "minor units")
	f.Uint64Var(&o.terms.Limits.MaxHeld, "max-held", 0, "minor units")
	f.Uint64Var(&o.terms.Limits.MaxEscrow, "max-escrow", 0, "minor units")
	f.Uint64Var(&o.maxTransfers, "max-transfers", 0, "per period")
	f.Uint64Var(&o.series.First, "first", 0, "index of the first transfer")
	f.Uint64Var(&o.series.Count, "count", 0, "how many")
	f.Uint64Var(&o.series.Variant, "variant", 0, "another variant of an index spends the same serial numbers otherwise")
	f.IntVar(&o.series.Workers, "workers", runtime.NumCPU(), "processors to use")
	return f
}

var requiredOfTransfers = []string{
	"keys", "count", "seed", "period", "root", "out", "policy-version", "checkpoint-version",
	"max-per-transfer", "max-per-period", "max-held", "max-escrow", "max-transfers",
}

func transfers(args []string, c *console) error {
	var o order
	if err := parse(o.flags(), args, c, requiredOfTransfers...); err != nil {
		return err
	}
	if err := o.finish(); err != nil {
		return err
	}
	set, s, err := open(o.keys)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(max(o.series.Workers, 1))
	forger := simulate.NewForger(s, sha256.Sum256([]byte("solidus/forge/v1/"+o.seed)), o.terms)
	start := time.Now()
	if err := o.write(c, func(w io.Writer) error { return forger.Write(w, o.series, set.Digest) }); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Fprintf(c.err, "%d transfers in %.1f s, %.3f ms each on %d processors\n",
		o.series.Count, took.Seconds(), 1e3*took.Seconds()/float64(max(o.series.Count, 1)), max(o.series.Workers, 1))
	return nil
}

// finish checks and decodes the flags.
func (o *order) finish() error {
	if o.period > 999_912 || o.maxTransfers > 1<<31-1 {
		return fault.New(fault.MalformedRequest, "period or number of transfers out of range")
	}
	o.terms.Period, o.terms.Limits.MaxTransfersPerPeriod = uint32(o.period), uint32(o.maxTransfers)
	raw, err := hex.DecodeString(o.root)
	if err != nil {
		return fault.New(fault.FieldNotCanonical, "root")
	}
	if o.terms.Root, err = suite.DecodeField(raw); err != nil {
		return err
	}
	if o.terms.Payout, err = block(o.payout, statement.PayoutBytes); err != nil {
		return err
	}
	o.terms.Memo, err = block(o.memo, statement.MemoBytes)
	return err
}

// block reads a file of exactly n bytes, or makes zeros. Without a file it returns nil: the block is drawn.
func block(path string, n int) ([]byte, error) {
	switch path {
	case "":
		return nil, nil
	case "zero":
		return make([]byte, n), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(n)+1))
	if err == nil && len(b) != n {
		err = fault.Newf(fault.BadLength, "%s does not have %d bytes", path, n)
	}
	return b, err
}

// write writes the series. After a failure no file remains that looks complete.
func (o *order) write(c *console, series func(io.Writer) error) error {
	if o.out == "-" {
		return series(c.out)
	}
	temporary := o.out + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	if err := errors.Join(series(f), f.Close()); err != nil {
		_ = os.Remove(temporary)
		return err
	}
	return os.Rename(temporary, o.out)
}
