package keys

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const sharesDir = "shares"

// shareFile holds an authority's secrets. They are byte strings so that they can be cleared. The class is that of the keys
// the share was made with. It proves nothing by itself: the share must match the committee of a signed manifest of that
// class.
type shareFile struct {
	Index       int       `json:"index"`
	Class       string    `json:"class,omitempty"` // development shares of earlier builds have none
	X           hexSecret `json:"x"`
	Y           hexSecret `json:"y"`
	NoteKeySeed hexSecret `json:"noteKeySeed"`
}

func (f *shareFile) wipe() {
	suite.Wipe(f.X)
	suite.Wipe(f.Y)
	suite.Wipe(f.NoteKeySeed)
}

// hexSecret is hexadecimal in JSON.
type hexSecret []byte

// MarshalJSON writes a hexadecimal string.
func (h hexSecret) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 2*len(h)+2)
	return append(hex.AppendEncode(append(out, '"'), h), '"'), nil
}

// UnmarshalJSON reads a hexadecimal string.
func (h *hexSecret) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fault.New(fault.ShareInvalid, "not a string")
	}
	value := make([]byte, hex.DecodedLen(len(b)-2))
	if _, err := hex.Decode(value, b[1:len(b)-1]); err != nil {
		return fault.New(fault.ShareInvalid, "not hexadecimal")
	}
	*h = value
	return nil
}

// dealCommittee writes each authority's secrets to a file of its own and returns the public half. If observe is not nil, it
// receives the dealer's secrets first.
func dealCommittee(dir string, network *statement.Network, p *Plan, observe func(string, *suite.Dealt) error) (CommitteeEntry, error) {
	dealt, err := network.Scheme().Deal((p.Validators - 1) / 3)
	if err != nil {
		return CommitteeEntry{}, err
	}
	defer dealt.Close()
	if observe != nil {
		if err := observe(dir, dealt); err != nil {
			return CommitteeEntry{}, err
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, sharesDir), 0o700); err != nil {
		return CommitteeEntry{}, fault.New(fault.KeysMissing, "the directory of the shares cannot be made")
	}
	for i, share := range dealt.Shares {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return CommitteeEntry{}, err
		}
		copy(dealt.Committee.Members[i].NoteKey[:], public)
		err = writeShare(dir, p.Class, share, private.Seed())
		clear(private)
		if err != nil {
			return CommitteeEntry{}, err
		}
	}
	if err := dealt.Committee.Check(); err != nil {
		return CommitteeEntry{}, err
	}
	return encodeCommittee(dealt.Committee)
}

func writeShare(dir string, class Class, share *suite.Share, seed []byte) error {
	file := shareFile{Index: share.Index(), Class: class.String(), NoteKeySeed: seed}
	file.X, file.Y = share.Encode()
	defer file.wipe()
	raw, err := json.Marshal(&file)
	if err != nil {
		return fault.New(fault.Internal, "encoding")
	}
	defer suite.Wipe(raw)
	_, err = write(dir, shareName(share.Index()), append(raw, '\n'), 0o600)
	return err
}

func shareName(index int) string {
	return filepath.Join(sharesDir, fmt.Sprintf("authority-%d.json", index))
}

// ReadShare reads an authority's share and compares it with the committee. It refuses a file that others can read.
func (s *Set) ReadShare(index int) (*suite.Share, error) {
	member, err := s.Committee.Member(index)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.dir, shareName(index))
	raw, err := readPrivate(path, 4096)
	if err != nil {
		return nil, err
	}
	defer suite.Wipe(raw)
	var file shareFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fault.Newf(fault.ShareInvalid, "%s does not parse", filepath.Base(path))
	}
	defer file.wipe()
	share, err := suite.NewShare(file.Index, file.X, file.Y)
	if err != nil {
		return nil, err
	}
	if err := share.Matches(member); err != nil {
		share.Close()
		return nil, err
	}
	return share, nil
}
