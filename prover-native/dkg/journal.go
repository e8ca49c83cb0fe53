package dkg

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"solidus.io/prover/ceremony"
)

const (
	journalFormat = "solidus/ceremony-journal/v1"
	journalSuffix = ".journal"
	maxJournal    = 32 << 20 // all records and messages of a ceremony, escaped
)

// journal is a member's memory of its ceremony, in a file beside its secrets. It holds the records that the member acted on and
// every message that left. A line is on the disk before its message leaves, and it names the line before it. The secrets' file
// names the newest line, so a journal that lost lines is detected.
type journal struct {
	name    string
	file    *os.File // locked, written at its end
	secrets *os.File
	at      int64 // where the secrets' file names the newest line

	head    string   // digest of the newest line
	records []string // the first record, and the end of each round
	entries []entry
}

// firstLine is the first line of a journal.
type firstLine struct {
	Format   string `json:"format"`
	Identity string `json:"identity"` // the member's public key
}

// entry is a further line: a message of the member.
type entry struct {
	Previous string   `json:"previous"` // SHA-256 of the line before
	Round    string   `json:"round"`
	Records  []string `json:"records"` // those that the message follows and no line before holds
	Opened   []int    `json:"opened"`  // the dealers of which the message publishes shares because they did not reveal
	Message  string   `json:"message"`
}

func journalPath(secrets string) string { return secrets + journalSuffix }

// beginJournal writes a journal without entries and returns the digest of its line.
func beginJournal(path, identity string) (string, error) {
	line, err := lineOf(&firstLine{Format: journalFormat, Identity: identity})
	if err != nil {
		return "", err
	}
	return ceremony.Digest(line), ceremony.WriteNew(path, line, 0o600)
}

func lineOf(content any) ([]byte, error) {
	line, err := json.Marshal(content)
	return append(line, '\n'), err
}

// openJournal reads the journal of a secrets' file that names the line newest at an offset. Other processes cannot open it
// until it is closed.
//
//spec:id D-15
func openJournal(path, identity, newest string, at int64) (*journal, error) {
	j := &journal{name: filepath.Base(journalPath(path)), at: at}
	if err := j.open(path); err != nil {
		return nil, errors.Join(err, j.close())
	}
	raw, err := io.ReadAll(io.LimitReader(j.file, maxJournal+1))
	if err == nil && len(raw) > maxJournal {
		err = j.damaged("it is too large")
	}
	if err == nil {
		err = j.read(raw, identity, newest)
	}
	if err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

func (j *journal) open(path string) error {
	info, err := os.Lstat(journalPath(path))
	if errors.Is(err, os.ErrNotExist) {
		return ceremony.Refuse(ceremony.JournalMissing,
			"%s is not beside the secrets. Without it this authority could contradict itself. %s", j.name, takeNoPart)
	}
	if err != nil || !info.Mode().IsRegular() {
		return j.damaged("it is not a regular file")
	}
	if j.file, err = os.OpenFile(journalPath(path), os.O_RDWR|os.O_APPEND, 0); err != nil {
		return ceremony.Refuse(ceremony.Missing, "%s cannot be written", j.name)
	}
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ceremony.Refuse(ceremony.JournalBusy, "another command of this ceremony uses %s; wait until it ends", j.name)
	} else if err != nil {
		return ceremony.Refuse(ceremony.Missing, "%s cannot be locked on this file system", j.name)
	}
	if j.secrets, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
		return ceremony.Refuse(ceremony.Missing, "%s cannot be written", filepath.Base(path))
	}
	return nil
}

func (j *journal) close() error {
	var err error
	for _, f := range []*os.File{j.file, j.secrets} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// takeNoPart is what operators do after a refusal that no repetition cures.
const takeNoPart = "Do not go on with these secrets: this authority is absent from now on, as up to f may be"

func (j *journal) damaged(why string) error {
	return ceremony.Refuse(ceremony.JournalDamaged, "%s: %s. %s", j.name, why, takeNoPart)
}

// read checks all lines. A message leaves after the secrets' file names its line. So a line after the named one may be torn: its
// message never left, and it is cut off.
func (j *journal) read(raw []byte, identity, newest string) error {
	reached, size := false, 0
	for size < len(raw) {
		end := bytes.IndexByte(raw[size:], '\n') + 1
		line := raw[size : size+end]
		if end == 0 || !j.accept(line, identity) {
			if !reached {
				return j.damaged("a line is not as it was written")
			}
			break
		}
		reached = reached || j.head == newest
		size += end
	}
	if !reached {
		return ceremony.Refuse(ceremony.JournalBehind,
			"%s does not hold the line that the secrets name: it lost lines, or was restored from an older copy. %s", j.name, takeNoPart)
	}
	if size < len(raw) {
		if err := errors.Join(j.file.Truncate(int64(size)), j.file.Sync()); err != nil {
			return ceremony.Refuse(ceremony.Missing, "%s cannot be written", j.name)
		}
	}
	if j.head != newest {
		return j.nameNewest()
	}
	return nil
}

// accept takes a line in if it follows the one before it.
func (j *journal) accept(line []byte, identity string) bool {
	if j.head == "" {
		want, err := lineOf(&firstLine{Format: journalFormat, Identity: identity})
		if err != nil || !bytes.Equal(line, want) {
			return false
		}
	} else {
		var e entry
		if json.Unmarshal(line, &e) != nil || e.Previous != j.head {
			return false
		}
		if again, err := lineOf(&e); err != nil || !bytes.Equal(again, line) {
			return false
		}
		j.take(&e)
	}
	j.head = ceremony.Digest(line)
	return true
}

func (j *journal) take(e *entry) {
	j.records = append(j.records, e.Records...)
	j.entries = append(j.entries, *e)
}

// write stores an entry. It is on the disk when the call returns, and the message may leave.
func (j *journal) write(e *entry) error {
	e.Previous = j.head
	line, err := lineOf(e)
	if err != nil {
		return err
	}
	_, err = j.file.Write(line)
	if err = errors.Join(err, j.file.Sync()); err != nil {
		return ceremony.Refuse(ceremony.Missing, "%s cannot be written; nothing was sent", j.name)
	}
	j.take(e)
	j.head = ceremony.Digest(line)
	return j.nameNewest()
}

// nameNewest overwrites the digest in the secrets' file, which keeps its length. The secrets are in no further copy on the disk.
func (j *journal) nameNewest() error {
	_, err := j.secrets.WriteAt([]byte(j.head), j.at)
	if err = errors.Join(err, j.secrets.Sync()); err != nil {
		return ceremony.Refuse(ceremony.Missing, "the secrets cannot be written; nothing was sent")
	}
	return nil
}

// of returns the entry of a round, or nil.
func (j *journal) of(round string) *entry {
	i := slices.IndexFunc(j.entries, func(e entry) bool { return e.Round == round })
	if i < 0 {
		return nil
	}
	return &j.entries[i]
}

// checkRecords refuses a folder with another record in the place of one that this member acted on.
//
//spec:id D-14
func (j *journal) checkRecords(b *Board) error {
	for i, record := range j.records {
		if i == len(b.records) {
			return ceremony.Refuse(ceremony.ChainBroken,
				"this folder ends before %s, on which this authority acted; fetch the whole folder", b.recordName(i))
		}
		if record == b.records[i] {
			continue
		}
		if i == 0 {
			return ceremony.Refuse(ceremony.OtherCeremony,
				"%s shows that these secrets take part in the ceremony whose first record has SHA-256 %s; this is another one. "+
					"A card serves one ceremony: make a new one for this", j.name, ceremony.Digest([]byte(record)))
		}
		return ceremony.Refuse(ceremony.OtherEnding,
			"this authority acted on %s with SHA-256 %s, and this folder has another one with %s. The coordinator signed both. "+
				"Do not run again. Keep this folder and %s, tell the other authorities, and take the ceremony as failed; "+
				"a new one needs new cards", b.recordName(i), ceremony.Digest([]byte(record)), b.heads[i], j.name)
	}
	return nil
}

// checkMessages refuses a folder with a message of this member that the journal does not hold: the secrets were used elsewhere,
// or together with the journal they are an older copy.
func (j *journal) checkMessages(b *Board, author int) error {
	for i := 0; i <= len(b.closed) && i < len(b.init.rounds()); i++ {
		round := b.init.rounds()[i]
		posted, err := b.own(i, round, author)
		if err != nil {
			return err
		}
		e := j.of(round)
		for _, raw := range posted {
			if e == nil || string(raw) != e.Message {
				return ceremony.Refuse(ceremony.JournalBehind,
					"the folder has a message of this authority in round %s that %s does not hold: the secrets were used elsewhere, "+
						"or restored from a copy. %s", round, j.name, takeNoPart)
			}
		}
	}
	return nil
}

// checkListed refuses to go on where a closed round does not list this member's message. Thus an author notices a coordinator
// that leaves messages out. late are the rounds in which its message is known to have come too late.
func (j *journal) checkListed(b *Board, author int, late []string) error {
	for _, c := range b.closed {
		e := j.of(c.Round)
		if e == nil || slices.Contains(late, c.Round) {
			continue
		}
		if !slices.Contains(c.Messages, Listed{author, ceremony.Digest([]byte(e.Message))}) {
			return ceremony.Refuse(ceremony.ChainBroken,
				"the message of authority %d in round %s was left out. Find out why before you go on; "+
					"if it came too late, go on with --late %s", author, c.Round, c.Round)
		}
	}
	return nil
}
