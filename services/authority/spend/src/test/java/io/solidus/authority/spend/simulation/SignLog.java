package io.solidus.authority.spend.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The sign-log on its own disk: what is written but not synced survives a crash only as far as the
 * seed says.
 */
final class SignLog {

  /** A place in the log: how many entries up to here, and the hash chain's value. */
  record Position(long sequence, long head) {
    static final Position GENESIS = new Position(0, 0);

    Position after(Transfer next) {
      return new Position(sequence + 1, Dice.mix(head ^ next.core().hashCode()));
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

  /** The machine stops. */
  void crash(Dice dice) {
    int kept = dice.between(synced, entries.size());
    entries.subList(kept, entries.size()).clear();
    synced = kept;
  }

  /** An older copy of the volume comes back; true when something synced is gone. */
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
