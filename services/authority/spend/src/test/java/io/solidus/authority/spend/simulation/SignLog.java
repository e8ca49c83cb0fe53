package io.solidus.authority.spend.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The sign-log on its own disk. A crash keeps of the unsynced entries as many as the seed chooses.
 */
final class SignLog {

  /**
   * A position in the log.
   *
   * @param sequence the number of entries up to here
   * @param head the value of the hash chain
   */
  record Position(long sequence, long head) {
    static final Position GENESIS = new Position(0, 0);

    Position after(Transfer next) {
      return new Position(sequence + 1, SeededRandom.mix(head ^ next.core().hashCode()));
    }
  }

  private final List<Transfer> entries = new ArrayList<>();
  private int synced;

  void append(List<Transfer> signed) {
    entries.addAll(signed);
  }

  void sync() {
    synced = entries.size();
  }

  Position end() {
    return positionAfter(entries.size());
  }

  List<Transfer> entries() {
    return entries;
  }

  /** Whether the signature of this core is durably recorded. */
  boolean holds(Transfer transfer) {
    return entries.subList(0, synced).contains(transfer);
  }

  boolean reaches(Position position) {
    return position.sequence() <= entries.size()
        && positionAfter((int) position.sequence()).equals(position);
  }

  /** Crashes the machine. */
  void crash(SeededRandom random) {
    int kept = random.between(synced, entries.size());
    entries.subList(kept, entries.size()).clear();
    synced = kept;
  }

  /** Restores an older copy of the volume; true when a synced entry is lost. */
  boolean rollBack(int lost) {
    int kept = Math.max(0, synced - lost);
    boolean any = kept < synced;
    entries.subList(kept, entries.size()).clear();
    synced = kept;
    return any;
  }

  private Position positionAfter(int count) {
    Position position = Position.GENESIS;
    for (Transfer entry : entries.subList(0, count)) {
      position = position.after(entry);
    }
    return position;
  }
}
