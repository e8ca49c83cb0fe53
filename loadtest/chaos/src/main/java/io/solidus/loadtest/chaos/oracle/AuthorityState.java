package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one authority: its shards' tables and its sign-log.
 *
 * @param logWhole whether the hash chain holds to the file's last byte
 */
public record AuthorityState(
    int authority, List<Shard> shards, List<LogEntry> log, boolean logWhole) {

  /**
   * A shard's schema.
   *
   * @param hiExclusive null for the last range
   * @param fenced whether the range was moved to another shard
   * @param answers the stored bytes of each signed core, for each epoch
   * @param counted the shard's own count of signed cores, which its events report
   */
  record Shard(
      int index,
      FieldElement lo,
      @Nullable FieldElement hiExclusive,
      boolean fenced,
      Map<SerialNumber, TxCore> serials,
      Map<TxCore, Set<ByteString>> answers,
      long counted) {

    boolean owns(SerialNumber serial) {
      return !fenced
          && serial.value().compareTo(lo) >= 0
          && (hiExclusive == null || serial.value().compareTo(hiExclusive) < 0);
    }
  }

  /**
   * A record of the sign-log.
   *
   * @param points digest of the signature's points
   */
  record LogEntry(TxCore core, List<SerialNumber> serials, Digest32 points) {}
}
