package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The recovers that this shard coordinates, with their answers. They have tables of their own:
 * several may have one lead serial number, which a core below them holds, while the database keeps
 * transfers and mints to one core for each. Rows are only inserted.
 */
class RecoverStore implements StoredRequests {

  /** The most recovers of one lead serial number in a look-up: its holder and the newest others. */
  static final int MAX_SHOWN = 5;

  /** The most bytes of requests in one look-up, of all its serial numbers together. */
  private static final int MAX_SHOWN_BYTES = 1 << 19;

  private final JdbcClient jdbc;
  private final StoredAnswers answers;

  /**
   * Makes a store.
   *
   * @param epoch of this authority's shares
   */
  RecoverStore(JdbcClient jdbc, int epoch, Clock clock) {
    this.jdbc = jdbc;
    this.answers = new StoredAnswers(jdbc, epoch, clock);
  }

  @Override
  public Map<TxCore, Stored<PartialSignature>> answers(Collection<TxCore> cores) {
    return answers.of(
        cores,
        """
        SELECT DISTINCT ON (core) core, reply, share_epoch FROM recover_answers, ownership
        WHERE core = ANY (:cores::bytea[])
          AND lead_serial >= lo AND (hi_exclusive IS NULL OR lead_serial < hi_exclusive)
        ORDER BY core, share_epoch DESC
        """);
  }

  /**
   * Stores the requests in the caller's transaction. What is stored was verified, so renewed
   * evidence replaces nothing.
   */
  @Override
  public <R extends SubmittedRequest> void put(Collection<SpendRequest<R>> requests) {
    answers.putRequests(
        requests,
        """
        INSERT INTO recovers (core, lead_serial, request)
        SELECT * FROM unnest(:cores::bytea[], :leads::bytea[], :requests::bytea[])
        ON CONFLICT DO NOTHING
        """);
  }

  @Override
  public Set<TxCore> putAnswers(Map<TxCore, PartialSignature> signed) {
    return answers.put(
        signed,
        """
        INSERT INTO recover_answers (core, lead_serial, share_epoch, reply, signed_at)
        SELECT core, recovers.lead_serial, answer.epoch, answer.reply, :at
        FROM unnest(:cores::bytea[], :replies::bytea[], :epochs::integer[]) AS answer(core, reply, epoch)
        JOIN recovers USING (core)
        ORDER BY core
        ON CONFLICT DO NOTHING
        RETURNING core
        """);
  }

  @Override
  public Optional<PartialSignature> answer(TxCore core, int wanted) {
    return jdbc.sql("SELECT reply FROM recover_answers WHERE core = :core AND share_epoch = :epoch")
        .param("core", core.bytes())
        .param("epoch", wanted)
        .query((rs, row) -> StoredAnswers.answer(rs.getBytes(1)))
        .optional();
  }

  /**
   * The recovers with these lead serial numbers, with their newest answers: for each the newest
   * ones first, a bounded number and bounded bytes of them.
   */
  Map<SerialNumber, List<CoreStore.Row>> byLeadSerial(Collection<SerialNumber> serials) {
    Map<SerialNumber, List<CoreStore.Row>> found = new HashMap<>();
    if (serials.isEmpty()) {
      return found;
    }
    jdbc.sql(
            """
            SELECT core, lead_serial, request,
              (SELECT reply FROM recover_answers a WHERE a.core = shown.core ORDER BY share_epoch DESC LIMIT 1)
            FROM (
              SELECT newest.*, sum(octet_length(request)) OVER (ORDER BY rank, lead_serial) AS bytes FROM (
                SELECT recovers.*, row_number() OVER (PARTITION BY lead_serial ORDER BY reserved_at DESC, core) AS rank
                FROM recovers WHERE lead_serial = ANY (:serials::bytea[])) AS newest
              WHERE rank <= :most) AS shown
            WHERE bytes <= :bytes ORDER BY rank
            """)
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .param("most", MAX_SHOWN)
        .param("bytes", MAX_SHOWN_BYTES)
        .query(rs -> {
          SerialNumber lead = SerialNumber.of(rs.getBytes(2));
          byte @Nullable [] reply = rs.getBytes(4);
          found
              .computeIfAbsent(lead, any -> new ArrayList<>())
              .add(
                  new CoreStore.Row(
                      TxCore.of(rs.getBytes(1)),
                      Family.RECOVER,
                      ByteString.copyFrom(rs.getBytes(3)),
                      reply == null ? null : ByteString.copyFrom(reply)));
        });
    return found;
  }
}
