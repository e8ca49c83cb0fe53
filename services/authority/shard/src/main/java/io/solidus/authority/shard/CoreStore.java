package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.spend.SpendRequest;
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
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The cores that this shard coordinates: the request, and the answer once there is one. */
class CoreStore {

  private static final Comparator<TxCore> BY_BYTES =
      (a, b) -> Arrays.compareUnsigned(a.bytes(), b.bytes());

  /**
   * A row.
   *
   * @param request the bytes of the message
   * @param reply the exact bytes of the answer; null while the core is only reserved
   */
  record Row(
      TxCore core,
      Family family,
      SerialNumber leadSerial,
      ByteString request,
      @Nullable ByteString reply) {}

  private final JdbcClient jdbc;
  private final Clock clock;

  CoreStore(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * The stored answers in this shard's range. A core that is only reserved has none here; one whose
   * range moved has its answer at the new owner.
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
   * Stores the requests in the caller's transaction. Renewed evidence replaces older evidence until
   * there is an answer.
   */
  <R extends SubmittedRequest> void put(Collection<SpendRequest<R>> requests) {
    // ascending, so that overlapping batches wait for each other instead of deadlocking
    List<SpendRequest<R>> sorted =
        requests.stream().sorted(Comparator.comparing(SpendRequest::core, BY_BYTES)).toList();
    jdbc.sql(
            """
            INSERT INTO cores (core, family, lead_serial, request)
            SELECT * FROM unnest(:cores::bytea[], :families::smallint[], :leads::bytea[], :requests::bytea[])
            ON CONFLICT (core) DO UPDATE SET request = excluded.request WHERE cores.reply IS NULL
            """)
        .param("cores", bytes(sorted.stream().map(SpendRequest::core).toList()))
        .param("families", families(sorted))
        .param("leads", sorted.stream().map(s -> s.lead().bytes()).toArray(byte[][]::new))
        .param(
            "requests",
            sorted.stream().map(s -> s.content().message().toByteArray()).toArray(byte[][]::new))
        .update();
  }

  /**
   * Stores answers in the caller's transaction, once for each core.
   *
   * @return the cores whose answer was stored; for the others another request of the same core was
   *     faster
   */
  Set<TxCore> putAnswers(Map<TxCore, PartialSignature> answers) {
    SortedMap<TxCore, PartialSignature> sorted = new TreeMap<>(BY_BYTES);
    sorted.putAll(answers);
    Set<TxCore> updated = new HashSet<>();
    // locked in order first, because an update with a join takes rows in the order of its plan
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
        .param("cores", bytes(sorted.keySet()))
        .param(
            "replies",
            sorted.values().stream().map(PartialSignature::toByteArray).toArray(byte[][]::new))
        .param(
            "epochs", sorted.values().stream().mapToInt(PartialSignature::getShareEpoch).toArray())
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

  /** The rows of these cores, by their lead serial number. */
  Map<SerialNumber, Row> byLeadSerial(Collection<SerialNumber> serials) {
    Map<SerialNumber, Row> found = new HashMap<>();
    jdbc.sql(
            "SELECT core, family, lead_serial, request, reply FROM cores WHERE lead_serial = ANY (:serials::bytea[])")
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .query(rs -> {
          SerialNumber lead = SerialNumber.of(rs.getBytes(3));
          byte @Nullable [] reply = rs.getBytes(5);
          found.put(
              lead,
              new Row(
                  TxCore.of(rs.getBytes(1)),
                  Family.of(rs.getInt(2)),
                  lead,
                  ByteString.copyFrom(rs.getBytes(4)),
                  reply == null ? null : ByteString.copyFrom(reply)));
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
   * Adds the uncounted answers to the total, in the caller's transaction.
   *
   * @return the new total; empty when there is nothing to count
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
      throw new IllegalStateException("a stored answer cannot be parsed", e);
    }
  }

  private static byte[][] bytes(Collection<TxCore> cores) {
    return cores.stream().map(TxCore::bytes).toArray(byte[][]::new);
  }

  private static <R extends SubmittedRequest> short[] families(List<SpendRequest<R>> requests) {
    short[] families = new short[requests.size()];
    for (int i = 0; i < families.length; i++) {
      families[i] = (short) requests.get(i).content().family().code();
    }
    return families;
  }
}
