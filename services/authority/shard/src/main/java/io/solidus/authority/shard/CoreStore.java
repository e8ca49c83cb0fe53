package io.solidus.authority.shard;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The cores this shard coordinates: the whole request, and the answer once there is one. */
class CoreStore {

  private static final Comparator<TxCore> BY_BYTES =
      (a, b) -> Arrays.compareUnsigned(a.bytes(), b.bytes());

  /**
   * @param reply the exact bytes of the answer, null while only reserved
   */
  record Stored(
      TxCore core,
      Family family,
      SerialNumber leadSerial,
      byte[] request,
      byte @Nullable [] reply) {}

  private final JdbcClient jdbc;
  private final Clock clock;

  CoreStore(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * The stored answers of this shard's range; a core that is merely reserved has none, and one
   * whose range moved has its answer elsewhere.
   */
  Map<TxCore, PartialSignature> answers(Collection<TxCore> cores) {
    Map<TxCore, PartialSignature> found = new HashMap<>();
    jdbc.sql(
            """
            SELECT core, reply FROM cores, ownership
            WHERE core = ANY (:cores::bytea[]) AND reply IS NOT NULL
              AND lead_serial >= lo AND (hi_exclusive IS NULL OR lead_serial < hi_exclusive)
            """)
        .param("cores", bytes(cores))
        .query(rs -> {
          found.put(TxCore.of(rs.getBytes(1)), answer(rs.getBytes(2)));
        });
    return found;
  }

  /**
   * Keeps the requests in the caller's transaction. Renewed evidence replaces older evidence until
   * there is an answer.
   */
  <R extends Submitted> void put(Collection<Spend<R>> spends) {
    // ascending, so that overlapping batches wait for each other instead of deadlocking
    List<Spend<R>> sorted =
        spends.stream().sorted(Comparator.comparing(Spend::core, BY_BYTES)).toList();
    jdbc.sql(
            """
            INSERT INTO cores (core, family, lead_serial, request)
            SELECT * FROM unnest(:cores::bytea[], :families::smallint[], :leads::bytea[], :requests::bytea[])
            ON CONFLICT (core) DO UPDATE SET request = excluded.request WHERE cores.reply IS NULL
            """)
        .param("cores", bytes(sorted.stream().map(Spend::core).toList()))
        .param("families", families(sorted))
        .param("leads", sorted.stream().map(s -> s.lead().bytes()).toArray(byte[][]::new))
        .param(
            "requests",
            sorted.stream().map(s -> s.request().message().toByteArray()).toArray(byte[][]::new))
        .update();
  }

  /**
   * Keeps answers in the caller's transaction, once for each core.
   *
   * @return the cores that got their answer now; for the others another request of the same core
   *     was faster
   */
  Set<TxCore> answered(Map<TxCore, PartialSignature> answers) {
    List<TxCore> sorted = answers.keySet().stream().sorted(BY_BYTES).toList();
    Set<TxCore> updated = new HashSet<>();
    // locked in order first: an update that joins takes rows in whatever order its plan has
    jdbc.sql(
            """
            WITH waiting AS MATERIALIZED (
              SELECT core FROM cores WHERE core = ANY (:cores::bytea[]) AND reply IS NULL ORDER BY core FOR NO KEY UPDATE)
            UPDATE cores SET reply = answer.reply, share_epoch = answer.epoch, signed_at = :at
            FROM waiting
            JOIN unnest(:cores::bytea[], :replies::bytea[], :epochs::integer[]) AS answer(core, reply, epoch) USING (core)
            WHERE cores.core = waiting.core AND cores.reply IS NULL
            RETURNING cores.core
            """)
        .param("cores", bytes(sorted))
        .param(
            "replies",
            sorted.stream().map(core -> answers.get(core).toByteArray()).toArray(byte[][]::new))
        .param(
            "epochs", sorted.stream().mapToInt(core -> answers.get(core).getShareEpoch()).toArray())
        .param("at", clock.instant().atOffset(ZoneOffset.UTC))
        .query(rs -> {
          updated.add(TxCore.of(rs.getBytes(1)));
        });
    if (!updated.isEmpty()) {
      jdbc.sql("INSERT INTO uncounted_batches (answers) VALUES (:answers)")
          .param("answers", updated.size())
          .update();
    }
    return updated;
  }

  /** What is stored of these cores, by their lead serial. */
  Map<SerialNumber, Stored> byLeadSerial(Collection<SerialNumber> serials) {
    Map<SerialNumber, Stored> found = new HashMap<>();
    jdbc.sql(
            "SELECT core, family, lead_serial, request, reply FROM cores WHERE lead_serial = ANY (:serials::bytea[])")
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .query(rs -> {
          SerialNumber lead = SerialNumber.of(rs.getBytes(3));
          found.put(
              lead,
              new Stored(
                  TxCore.of(rs.getBytes(1)),
                  Family.of(rs.getInt(2)),
                  lead,
                  rs.getBytes(4),
                  rs.getBytes(5)));
        });
    return found;
  }

  long signedCount() {
    return jdbc.sql(
            """
            SELECT (SELECT signed FROM signed_total) + (SELECT coalesce(sum(answers), 0) FROM uncounted_batches)
              + (SELECT count(*) FROM uncounted)
            """)
        .query(Long.class)
        .single();
  }

  /**
   * Moves what was not counted yet into the total, in the caller's transaction; empty when there is
   * nothing new.
   */
  Optional<Long> count() {
    long fresh =
        jdbc.sql(
                """
                WITH batches AS (DELETE FROM uncounted_batches RETURNING answers),
                  single AS (DELETE FROM uncounted RETURNING core)
                SELECT (SELECT coalesce(sum(answers), 0) FROM batches) + (SELECT count(*) FROM single)
                """)
            .query(Long.class)
            .single();
    if (fresh == 0) {
      return Optional.empty();
    }
    return jdbc.sql("UPDATE signed_total SET signed = signed + :fresh RETURNING signed")
        .param("fresh", fresh)
        .query(Long.class)
        .optional();
  }

  private static PartialSignature answer(byte[] reply) {
    try {
      return PartialSignature.parseFrom(reply);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored answer is not an answer", e);
    }
  }

  private static byte[][] bytes(Collection<TxCore> cores) {
    return cores.stream().map(TxCore::bytes).toArray(byte[][]::new);
  }

  private static <R extends Submitted> short[] families(List<Spend<R>> spends) {
    short[] families = new short[spends.size()];
    for (int i = 0; i < families.length; i++) {
      families[i] = (short) spends.get(i).request().family().code();
    }
    return families;
  }
}
