package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The transfers and mints that this shard coordinates: the request, and the answer once there is
 * one.
 */
class CoreStore implements StoredRequests {

  /**
   * A row.
   *
   * @param request the bytes of the message
   * @param reply the exact bytes of the newest answer; null while the core is only reserved
   */
  record Row(TxCore core, Family family, ByteString request, @Nullable ByteString reply) {}

  private final JdbcClient jdbc;
  private final StoredAnswers answers;

  /**
   * Makes a store.
   *
   * @param epoch of this authority's shares
   */
  CoreStore(JdbcClient jdbc, int epoch, Clock clock) {
    this.jdbc = jdbc;
    this.answers = new StoredAnswers(jdbc, epoch, clock);
  }

  /**
   * The newest stored answers in this shard's range. A core that is only reserved has none here;
   * one whose range moved has its answer at the new owner.
   */
  @Override
  public Map<TxCore, Stored<PartialSignature>> answers(Collection<TxCore> cores) {
    Map<TxCore, Stored<PartialSignature>> found =
        answers.of(
            cores,
            """
            SELECT core, reply, share_epoch FROM cores, ownership
            WHERE core = ANY (:cores::bytea[]) AND reply IS NOT NULL
              AND lead_serial >= lo AND (hi_exclusive IS NULL OR lead_serial < hi_exclusive)
            """);
    List<TxCore> former =
        found.entrySet().stream()
            .filter(entry -> !entry.getValue().current())
            .map(Map.Entry::getKey)
            .toList();
    found.putAll(later(former));
    return found;
  }

  /** The newest of the answers that were signed after the first. */
  private Map<TxCore, Stored<PartialSignature>> later(Collection<TxCore> cores) {
    if (cores.isEmpty()) {
      return Map.of();
    }
    return answers.of(
        cores,
        """
        SELECT DISTINCT ON (core) core, reply, later_answers.share_epoch
        FROM later_answers JOIN (
          SELECT core, lead_serial FROM cores WHERE core = ANY (:cores::bytea[])) AS wanted USING (lead_serial)
        ORDER BY core, share_epoch DESC
        """);
  }

  /**
   * Stores the requests in the caller's transaction. Renewed evidence replaces older evidence until
   * there is an answer.
   */
  @Override
  public <R extends SubmittedRequest> void put(Collection<SpendRequest<R>> requests) {
    answers.putRequests(
        requests,
        """
        INSERT INTO cores (core, family, lead_serial, request)
        SELECT * FROM unnest(:cores::bytea[], :families::smallint[], :leads::bytea[], :requests::bytea[])
        ON CONFLICT (core) DO UPDATE SET request = excluded.request WHERE cores.reply IS NULL
        """);
  }

  /**
   * Stores answers in the caller's transaction, once for each core and epoch: the first one beside
   * the request, one of another epoch as a row of its own.
   *
   * @return the cores whose answer was stored; for the others another request of the same core was
   *     faster
   */
  @Override
  @Spec("V-21")
  public Set<TxCore> putAnswers(Map<TxCore, PartialSignature> signed) {
    Set<TxCore> stored = putFirst(signed);
    int first = stored.size();
    if (first < signed.size()) {
      Map<TxCore, PartialSignature> others = new HashMap<>(signed);
      others.keySet().removeAll(stored);
      stored.addAll(putLater(others));
    }
    if (first > 0) {
      jdbc.sql("INSERT INTO uncounted_batches (answers) VALUES (:answers)")
          .param("answers", first)
          .update();
    }
    return stored;
  }

  private Set<TxCore> putFirst(Map<TxCore, PartialSignature> signed) {
    // locked in order first, because an update with a join takes rows in the order of its plan
    return answers.put(
        signed,
        """
        WITH waiting AS MATERIALIZED (
          SELECT core FROM cores WHERE core = ANY (:cores::bytea[]) AND reply IS NULL ORDER BY core FOR NO KEY UPDATE)
        UPDATE cores SET reply = answer.reply, share_epoch = answer.epoch, signed_at = :at
        FROM waiting
        JOIN unnest(:cores::bytea[], :replies::bytea[], :epochs::integer[]) AS answer(core, reply, epoch) USING (core)
        WHERE cores.core = waiting.core AND cores.reply IS NULL
        RETURNING cores.core
        """);
  }

  private Set<TxCore> putLater(Map<TxCore, PartialSignature> signed) {
    return answers.put(
        signed,
        """
        WITH fresh AS (
          INSERT INTO later_answers (lead_serial, share_epoch, reply, signed_at)
          SELECT cores.lead_serial, answer.epoch, answer.reply, :at
          FROM unnest(:cores::bytea[], :replies::bytea[], :epochs::integer[]) AS answer(core, reply, epoch)
          JOIN cores USING (core)
          WHERE cores.reply IS NOT NULL AND cores.share_epoch <> answer.epoch
          ORDER BY cores.lead_serial
          ON CONFLICT DO NOTHING
          RETURNING lead_serial)
        SELECT cores.core FROM cores JOIN fresh USING (lead_serial)
        """);
  }

  @Override
  public Optional<PartialSignature> answer(TxCore core, int wanted) {
    return jdbc.sql(
            """
            SELECT reply FROM cores WHERE core = :core AND share_epoch = :epoch
            UNION ALL
            SELECT later_answers.reply FROM later_answers JOIN cores USING (lead_serial)
            WHERE core = :core AND later_answers.share_epoch = :epoch
            """)
        .param("core", core.bytes())
        .param("epoch", wanted)
        .query((rs, row) -> StoredAnswers.answer(rs.getBytes(1)))
        .optional();
  }

  /** The rows of these cores, by their lead serial number, with their newest answers. */
  Map<SerialNumber, Row> byLeadSerial(Collection<SerialNumber> serials) {
    Map<SerialNumber, Row> found = new HashMap<>();
    jdbc.sql(
            """
            SELECT core, family, lead_serial, request, coalesce(
              (SELECT later.reply FROM later_answers later
               WHERE later.lead_serial = cores.lead_serial AND later.share_epoch > cores.share_epoch
               ORDER BY share_epoch DESC LIMIT 1), reply)
            FROM cores WHERE lead_serial = ANY (:serials::bytea[])
            """)
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .query(rs -> {
          SerialNumber lead = SerialNumber.of(rs.getBytes(3));
          byte @Nullable [] reply = rs.getBytes(5);
          found.put(
              lead,
              new Row(
                  TxCore.of(rs.getBytes(1)),
                  Family.of(rs.getInt(2)),
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

  /** The signed cores that an event has counted. */
  long publishedCount() {
    return jdbc.sql("SELECT signed FROM signed_total").query(Long.class).single();
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
}
