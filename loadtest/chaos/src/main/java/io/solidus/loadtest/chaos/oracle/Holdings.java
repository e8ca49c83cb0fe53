package io.solidus.loadtest.chaos.oracle;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one authority keeps: its shards' tables and its sign-log.
 *
 * @param logWhole whether every record of the log continues the hash chain to the file's last byte
 */
public record Holdings(int authority, List<Shard> shards, List<LogEntry> log, boolean logWhole) {

  /**
   * A shard's schema.
   *
   * @param hiExclusive null: to the end
   * @param fenced whether the range was given away
   * @param answers the stored bytes of each signed core
   * @param counted signed cores by the shard's own count, which its events report
   */
  record Shard(
      int index,
      FieldElement lo,
      @Nullable FieldElement hiExclusive,
      boolean fenced,
      Map<SerialNumber, TxCore> serials,
      Map<TxCore, byte[]> answers,
      long counted) {

    boolean owns(SerialNumber serial) {
      return !fenced
          && serial.value().compareTo(lo) >= 0
          && (hiExclusive == null || serial.value().compareTo(hiExclusive) < 0);
    }
  }

  /**
   * @param points digest of the signature's points
   */
  record LogEntry(TxCore core, List<SerialNumber> serials, Digest32 points) {}
}
