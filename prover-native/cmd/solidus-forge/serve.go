package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"io"

	"solidus.io/prover/cabi"
	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate"
	"solidus.io/prover/statement"
)

const (
	// maxFrame is the largest request, in bytes. The longest one, a transfer's witness, has about 4 KiB.
	maxFrame = 16 << 10

	// formStatement requests the proof of a request as a validator receives it. Of the proof in the request the link is kept,
	// which must be one of the request's points. The statement may be false in all that a link does not show.
	formStatement = 1
	// formWitness requests the proof of a witness, which is checked as a prover would check it.
	formWitness = 2
)

// serve answers one frame after the other, in order, until the input ends between two frames.
//
//	request  u32 length of the rest; u8 form; u8 family; body
//	reply    u32 length of the rest; u16 code of package fault; the proof, or the reason in UTF-8
//
// All integers are big endian. The body of form 1 is the part after the verifier of the library's VERIFY operation of the
// family (see package cabi: for a transfer statement, evidence, limits, root). The body of form 2 is the witness of PROVE. A
// frame with a wrong length ends the command, because the start of the next frame is then unknown.
func serve(args []string, c *console) error {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	dir := f.String("keys", "", "load-test key directory")
	if err := parse(f, args, c, "keys"); err != nil {
		return err
	}
	set, sim, err := open(*dir)
	if err != nil {
		return err
	}
	p := &provers{set: set, sim: sim}
	in, out := bufio.NewReader(c.in), bufio.NewWriter(c.out)
	for {
		request, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := writeFrame(out, p.answer(request)); err != nil {
			return err
		}
	}
}

func readFrame(in io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fault.New(fault.MalformedRequest, "the input ends within a frame")
		}
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, fault.Newf(fault.RequestTooLarge, "a frame of %d bytes, at most %d", n, maxFrame)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, fault.New(fault.MalformedRequest, "the input ends within a frame")
	}
	return b, nil
}

func writeFrame(out *bufio.Writer, b []byte) error {
	if _, err := out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b)))); err != nil {
		return err
	}
	if _, err := out.Write(b); err != nil {
		return err
	}
	return out.Flush()
}

// provers answers requests under one set of keys.
type provers struct {
	set *keys.Set
	sim *simulate.Simulator
}

func (p *provers) answer(request []byte) []byte {
	proof, err := p.prove(request)
	if err != nil {
		detail := err.Error()
		var e *fault.Error
		if errors.As(err, &e) {
			detail = e.Detail
		}
		return cabi.Refuse(fault.CodeOf(err), detail)
	}
	return append([]byte{0, 0}, proof...)
}

func (p *provers) prove(request []byte) ([]byte, error) {
	if len(request) < 2 {
		return nil, fault.New(fault.MalformedRequest, "too short")
	}
	family, body := statement.Family(request[1]), request[2:]
	switch request[0] {
	case formStatement:
		return p.proveStatement(family, body)
	case formWitness:
		public, link, err := cabi.WitnessInputs(p.set, family, body)
		if err != nil {
			return nil, err
		}
		return p.sim.Prove(family, public, link, simulate.FreshStream())
	default:
		return nil, fault.New(fault.MalformedRequest, "unknown form")
	}
}

func (p *provers) proveStatement(family statement.Family, body []byte) ([]byte, error) {
	draw := simulate.FreshStream()
	switch family {
	case statement.FamilyTransfer, statement.FamilyTransferUnregulated:
		item, err := cabi.DecodeTransfer(body)
		if err != nil {
			return nil, err
		}
		if item.Statement.Family != family {
			return nil, fault.New(fault.WrongFamily, "the statement has another family")
		}
		old, err := statement.DecodeProof(family, item.Evidence.Proof)
		if err != nil {
			return nil, err
		}
		return p.sim.ProveTransfer(&item, old.Link, draw)
	case statement.FamilyRegister:
		s, e, err := cabi.DecodeRegister(body)
		if err != nil {
			return nil, err
		}
		old, err := statement.DecodeProof(family, e.Proof)
		if err != nil {
			return nil, err
		}
		return p.sim.ProveRegister(s, &e.RK, old.Link, draw)
	case statement.FamilyMint:
		s, proof, err := cabi.DecodeMint(body)
		if err != nil {
			return nil, err
		}
		old, err := statement.DecodeProof(family, proof)
		if err != nil {
			return nil, err
		}
		return p.sim.ProveMint(s, old.Link, draw)
	default:
		return nil, fault.Newf(fault.WrongFamily, "%d", family)
	}
}
