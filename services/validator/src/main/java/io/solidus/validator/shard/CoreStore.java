package io.solidus.validator.shard;

import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The cores this shard coordinates: the whole request, and the answer once there is one. */
class CoreStore {

  /** @param reply the exact bytes of the answer, null while only reserved */
  record Stored(TxCore core, Family family, SerialNumber leadSerial, byte[] request, byte @Nullable [] reply) {}

  private final JdbcClient jdbc;
  private final Clock clock;

  CoreStore(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** The stored answer; a core that is merely reserved has none. */
  Optional<byte[]> answer(TxCore core) {
    return jdbc.sql("SELECT reply FROM cores WHERE core = :core AND reply IS NOT NULL")
        .param("core", core.bytes())
        .query((rs, row) -> rs.getBytes(1))
        .optional();
  }

  /** Keeps the request in the caller's transaction. Renewed evidence replaces older evidence until there is an answer. */
  void put(TxCore core, Family family, SerialNumber leadSerial, byte[] request) {
    jdbc.sql(
            """
            INSERT INTO cores (core, family, lead_serial, request) VALUES (:core, :family, :lead, :request)
            ON CONFLICT (core) DO UPDATE SET request = excluded.request WHERE cores.reply IS NULL
            """)
        .param("core", core.bytes())
        .param("family", family.code())
        .param("lead", leadSerial.bytes())
        .param("request", request)
        .update();
  }

  /** Keeps the answer in the caller's transaction, once; false when another request of the same core was faster. */
  boolean answered(TxCore core, byte[] reply, int shareEpoch) {
    int updated =
        jdbc.sql(
                """
                UPDATE cores SET reply = :reply, share_epoch = :epoch, signed_at = :at
                WHERE core = :core AND reply IS NULL
                """)
            .param("core", core.bytes())
            .param("reply", reply)
            .param("epoch", shareEpoch)
            .param("at", clock.instant().atOffset(ZoneOffset.UTC))
            .update();
    if (updated == 1) {
      jdbc.sql("INSERT INTO uncounted (core) VALUES (:core)").param("core", core.bytes()).update();
    }
    return updated == 1;
  }

  /** What is stored of these cores, by their lead serial. */
  Map<SerialNumber, Stored> byLeadSerial(Collection<SerialNumber> serials) {
    Map<SerialNumber, Stored> found = new HashMap<>();
    jdbc.sql("SELECT core, family, lead_serial, request, reply FROM cores WHERE lead_serial = ANY (:serials::bytea[])")
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .query(rs -> {
          SerialNumber lead = SerialNumber.of(rs.getBytes(3));
          found.put(
              lead,
              new Stored(TxCore.of(rs.getBytes(1)), Family.of(rs.getInt(2)), lead, rs.getBytes(4), rs.getBytes(5)));
        });
    return found;
  }

  long signedCount() {
    return jdbc.sql("SELECT (SELECT signed FROM signed_total) + (SELECT count(*) FROM uncounted)")
        .query(Long.class)
        .single();
  }

  /** Moves what was not counted yet into the total, in the caller's transaction; empty when there is nothing new. */
  Optional<Long> count() {
    int fresh = jdbc.sql("DELETE FROM uncounted").update();
    if (fresh == 0) {
      return Optional.empty();
    }
    return jdbc.sql("UPDATE signed_total SET signed = signed + :fresh RETURNING signed")
        .param("fresh", fresh)
        .query(Long.class)
        .optional();
  }
}
