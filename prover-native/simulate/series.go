package simulate

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"sync"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// magic is the start of a series: eight bytes, the last a version.
const magic = "SOLFRG\x00\x01"

// Series selects the transfers to write.
type Series struct {
	First, Count, Variant uint64
	Workers               int
}

// header is the JSON at the start of a series: the common values of its transfers, which a validator's policy must have.
type header struct {
	Network           string `json:"networkId"`
	ManifestDigest    string `json:"manifestSha256"`
	Seed              string `json:"seed"`
	First             uint64 `json:"first"`
	Count             uint64 `json:"count"`
	Variant           uint64 `json:"variant"`
	PolicyVersion     uint64 `json:"policyVersion"`
	CheckpointVersion uint64 `json:"checkpointVersion"`
	CircuitVersion    uint32 `json:"circuitVersion"`
	Period            uint32 `json:"period"`
	Withdrawn         uint64 `json:"withdrawnMinor"`
	MaxPerTransfer    uint64 `json:"maxPerTransferMinor"`
	MaxPerPeriod      uint64 `json:"maxPerPeriodMinor"`
	MaxHeld           uint64 `json:"maxHeldMinor"`
	MaxEscrow         uint64 `json:"maxEscrowMinor"`
	MaxTransfers      uint32 `json:"maxTransfersPerPeriod"`
	Root              string `json:"root"`
}

// Write writes a series: magic, header, records, all integers big endian.
//
//	8 bytes   "SOLFRG" 0 1
//	u32, ...  length and bytes of the JSON header
//	records   u32 length of the rest; 32 bytes tx_core; a protobuf solidus.v1.TransferRequest in canonical form
//
// Records are in the order of their indices, whatever the number of workers. The same arguments give the same bytes (up to
// the manifest's digest in the header). Nothing follows the last record.
func (f *Forger) Write(out io.Writer, s Series, manifestDigest [32]byte) error {
	w := bufio.NewWriterSize(out, 1<<20)
	if err := f.writeHeader(w, s, manifestDigest); err != nil {
		return err
	}
	if err := f.writeRecords(w, s); err != nil {
		return err
	}
	return w.Flush()
}

func (f *Forger) writeHeader(w io.Writer, s Series, manifestDigest [32]byte) error {
	t := &f.terms
	raw, err := json.Marshal(&header{
		Network: f.sim.Network.ID(), ManifestDigest: hex.EncodeToString(manifestDigest[:]), Seed: hex.EncodeToString(f.seed[:]),
		First: s.First, Count: s.Count, Variant: s.Variant,
		PolicyVersion: t.PolicyVersion, CheckpointVersion: t.CheckpointVersion,
		CircuitVersion: f.sim.CircuitVersion(statement.FamilyTransfer),
		Period:         t.Period, Withdrawn: t.Withdrawn,
		MaxPerTransfer: t.Limits.MaxPerTransfer, MaxPerPeriod: t.Limits.MaxPerPeriod, MaxHeld: t.Limits.MaxHeld,
		MaxEscrow: t.Limits.MaxEscrow, MaxTransfers: t.Limits.MaxTransfersPerPeriod, Root: hex.EncodeToString(suite.EncodeField(&t.Root)),
	})
	if err != nil {
		return fault.New(fault.Internal, "encoding")
	}
	head := binary.BigEndian.AppendUint32([]byte(magic), uint32(len(raw)))
	_, err = w.Write(append(head, raw...))
	return err
}

// chunkSize is the number of transfers that a worker makes at a time.
const chunkSize = 32

// chunk is the work of a worker at a time.
type chunk struct {
	first, count uint64
	done         chan made
}

type made struct {
	records []byte
	err     error
}

// writeRecords keeps a bounded number of chunks in work and writes them in their order.
func (f *Forger) writeRecords(w io.Writer, s Series) error {
	workers := max(s.Workers, 1)
	todo, order := make(chan *chunk), make(chan *chunk, 2*workers)
	stop := make(chan struct{})
	var group sync.WaitGroup
	defer group.Wait()
	defer close(stop)
	group.Go(func() {
		defer close(todo)
		defer close(order)
		for at := uint64(0); at < s.Count; at += chunkSize {
			p := &chunk{first: s.First + at, count: min(chunkSize, s.Count-at), done: make(chan made, 1)}
			for _, to := range []chan *chunk{order, todo} {
				select {
				case to <- p:
				case <-stop:
					return
				}
			}
		}
	})
	for range workers {
		group.Go(func() {
			for p := range todo {
				p.done <- f.records(p, s.Variant)
			}
		})
	}
	for p := range order {
		m := <-p.done
		if m.err != nil {
			return m.err
		}
		if _, err := w.Write(m.records); err != nil {
			return err
		}
	}
	return nil
}

func (f *Forger) records(p *chunk, variant uint64) (m made) {
	for i := range p.count {
		t, err := f.Transfer(p.first+i, variant)
		if err != nil {
			return made{err: err}
		}
		wire, err := t.Wire(&f.terms)
		if err != nil {
			return made{err: err}
		}
		m.records = binary.BigEndian.AppendUint32(m.records, uint32(len(t.Core)+len(wire)))
		m.records = append(append(m.records, t.Core[:]...), wire...)
	}
	return m
}
