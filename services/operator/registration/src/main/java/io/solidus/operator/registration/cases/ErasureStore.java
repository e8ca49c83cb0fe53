package io.solidus.operator.registration.cases;

import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.wire.Codecs;
import java.security.SecureRandom;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Erases cases. Callers own the transactions and lock the case. */
final class ErasureStore {
  private static final String ERASURE = "system:erasure";

  private static final String NOT_ERASED =
      " AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = c.id)";

  /**
   * Of a case {@code c}: whether its person has a registration at its bank that is not closed, or a
   * case there that nobody has decided. What she is at other banks says nothing of this one.
   */
  private static final String OPEN =
      "EXISTS (SELECT 1 FROM kyc_case h WHERE h.person_id = c.person_id AND h.bank = c.bank AND h.status <> 'refused'"
          + StandingStore.NOT_CLOSED.replace("c.id", "h.id")
          + ")";

  /** Of a case {@code c}: when the last registration of its person at its bank was closed. */
  private static final String CLOSED_AT =
      "(SELECT max(x.decided_at) FROM kyc_case r JOIN standing_step x ON x.case_id = r.id"
          + " WHERE r.person_id = c.person_id AND r.bank = c.bank AND x.kind = 'close' AND x.verdict = 'accepted')";

  private final JdbcClient jdbc;
  private final DataKeys keys;
  private final SecureRandom random = new SecureRandom();

  ErasureStore(JdbcClient jdbc, DataKeys keys) {
    this.jdbc = jdbc;
    this.keys = keys;
  }

  /** Why a case is erased. */
  enum Rule {
    REFUSED("refused"),
    CLOSED("closed"),
    REQUEST("request");

    private final String id;

    Rule(String id) {
      this.id = id;
    }

    String id() {
      return id;
    }
  }

  /**
   * Since when a case is only kept because it must be.
   *
   * @param customer whether its person was registered at its bank, with this case or another
   * @param since the newest of refusal and closing; null while she is registered there or has a
   *     case there that nobody has decided
   */
  record Ended(boolean customer, @Nullable Instant since) {}

  Ended ended(UUID id) {
    return jdbc.sql(
            "SELECT "
                + OPEN
                + ", c.decided_at, "
                + CLOSED_AT
                + ", EXISTS (SELECT 1 FROM kyc_case r WHERE r.person_id = c.person_id AND r.bank = c.bank AND r.status = 'approved')"
                + " FROM kyc_case c WHERE c.id = ?")
        .param(id)
        .query((row, n) -> {
          Instant decidedAt = instant(row.getTimestamp(2));
          Instant closedAt = instant(row.getTimestamp(3));
          boolean customer = row.getBoolean(4);
          if (row.getBoolean(1) || decidedAt == null) {
            return new Ended(customer, null);
          }
          return new Ended(
              customer, closedAt != null && closedAt.isAfter(decidedAt) ? closedAt : decidedAt);
        })
        .single();
  }

  /**
   * Refused cases whose refusal is older than a time, of who was never registered at their bank and
   * has no case there that nobody has decided.
   */
  List<UUID> refusedBefore(Instant time, int limit) {
    return jdbc.sql(
            "SELECT c.id FROM kyc_case c WHERE c.status = 'refused' AND c.decided_at <= ?"
                + " AND NOT EXISTS (SELECT 1 FROM kyc_case h WHERE h.person_id = c.person_id AND h.bank = c.bank AND h.status <> 'refused')"
                + NOT_ERASED
                + " ORDER BY c.decided_at LIMIT ?")
        .params(time(time), limit)
        .query(UUID.class)
        .list();
  }

  /** Decided cases of persons whose registration at the same bank was closed before a time. */
  List<UUID> closedBefore(Instant time, int limit) {
    return jdbc.sql(
            "SELECT DISTINCT c.id FROM standing_step s JOIN kyc_case o ON o.id = s.case_id"
                + " JOIN kyc_case c ON c.person_id = o.person_id AND c.bank = o.bank"
                + " WHERE s.kind = 'close' AND s.verdict = 'accepted' AND s.decided_at <= :time AND c.decided_at <= :time AND "
                + CLOSED_AT
                + " <= :time AND (c.status = 'refused' OR c.id = o.id) AND NOT "
                + OPEN
                + NOT_ERASED
                + " LIMIT :limit")
        .param("time", time(time))
        .param("limit", limit)
        .query(UUID.class)
        .list();
  }

  /** The cases of a case's person at its bank that are not erased, the earliest first. */
  List<UUID> related(UUID id) {
    return jdbc.sql(
            "SELECT c.id FROM kyc_case c JOIN kyc_case mine ON mine.person_id = c.person_id AND mine.bank = c.bank"
                + " WHERE mine.id = ?"
                + NOT_ERASED
                + " ORDER BY c.created_at, c.id")
        .param(id)
        .query(UUID.class)
        .list();
  }

  /** All cases of a case's person at its bank, the earliest first. */
  List<UUID> all(UUID id) {
    return jdbc.sql(
            "SELECT c.id FROM kyc_case c JOIN kyc_case mine ON mine.person_id = c.person_id AND mine.bank = c.bank"
                + " WHERE mine.id = ? ORDER BY c.created_at, c.id")
        .param(id)
        .query(UUID.class)
        .list();
  }

  @Nullable Instant erasedAt(UUID id) {
    return jdbc.sql("SELECT at FROM erasure WHERE case_id = ?")
        .param(id)
        .query((row, n) -> row.getTimestamp(1).toInstant())
        .optional()
        .orElse(null);
  }

  /**
   * Destroys the key of a case, and puts noise in the place of keyed hashes. Who was registered, at
   * whichever bank, keeps those of her documents, of her birth date and of her names with it:
   * without them she could register twice. Of others the address goes too.
   *
   * @return false when the case is erased already
   */
  boolean erase(UUID id, Rule rule, Instant now) {
    boolean registered = isRegistered(id);
    int first =
        jdbc.sql("INSERT INTO erasure (case_id, at, rule) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
            .params(id, time(now), rule.id())
            .update();
    if (first == 0) {
      return false;
    }
    keys.destroy(id);
    endProposals(id, now);
    jdbc.sql(
            "UPDATE newest_screening SET open_matches = 0, unconfirmed = 0 WHERE case_id = ?"
                + " AND (open_matches > 0 OR unconfirmed > 0)")
        .param(id)
        .update();
    jdbc.sql("DELETE FROM case_claim WHERE case_id = ?").param(id).update();
    jdbc.sql("UPDATE kyc_case SET request_key = ?, request_digest = ? WHERE id = ?")
        .params(noise(), noise(), id)
        .update();
    jdbc.sql("SELECT sequence FROM match_disposition WHERE case_id = ?")
        .param(id)
        .query(Long.class)
        .list()
        .forEach(sequence ->
            jdbc.sql("UPDATE match_disposition SET subject = ? WHERE sequence = ?")
                .params(noise(), sequence)
                .update());
    jdbc.sql(
            "UPDATE person_change SET birth_key = ?, document_key = ? WHERE case_id = ? AND verdict <> 'accepted'")
        .params(noise(), noise(), id)
        .update();
    if (!registered) {
      forget(id);
    }
    return true;
  }

  /** Whether a case's person was ever registered; no approval of her passes until the end. */
  private boolean isRegistered(UUID id) {
    UUID person =
        jdbc.sql(
                "SELECT p.id FROM kyc_case c JOIN person p ON p.id = c.person_id WHERE c.id = ? FOR NO KEY UPDATE OF p")
            .param(id)
            .query(UUID.class)
            .single();
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM kyc_case WHERE person_id = ? AND status = 'approved')")
        .param(person)
        .query(Boolean.class)
        .single();
  }

  private void endProposals(UUID id, Instant now) {
    jdbc.sql(
            "UPDATE standing_step SET verdict = 'expired', decided_by = ?, decided_at = ? WHERE case_id = ? AND verdict IS NULL")
        .params(ERASURE, time(now), id)
        .update();
    jdbc.sql(
            "UPDATE person_change SET verdict = 'refused', decided_by = ?, decided_at = ? WHERE case_id = ? AND verdict IS NULL")
        .params(ERASURE, time(now), id)
        .update();
  }

  /** By what somebody could be recognised who was never registered. */
  private void forget(UUID id) {
    byte[] address = noise();
    address[0] = 0; // below the modulus
    jdbc.sql("UPDATE kyc_case SET birth_key = ?, apk = ?, core = ?, request = ? WHERE id = ?")
        .params(noise(), address, noise(), request(address), id)
        .update();
    jdbc.sql("DELETE FROM birth_name_key WHERE case_id = ?").param(id).update();
    // 0.1.0 gave one to everybody who applied
    jdbc.sql(
            "UPDATE person SET tag = NULL WHERE id = (SELECT person_id FROM kyc_case WHERE id = ?)")
        .param(id)
        .update();
    jdbc.sql(
            """
            DELETE FROM person_document d USING kyc_case mine WHERE mine.id = ? AND d.person_id = mine.person_id
                AND NOT EXISTS (SELECT 1 FROM kyc_case c WHERE c.person_id = mine.person_id
                    AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = c.id))
            """)
        .param(id)
        .update();
  }

  /** A request in which nothing is left. */
  private static byte[] request(byte[] address) {
    return Codecs.toBytes(
        new RegisterRequest(
            new RegisterStatement(
                Apk.of(address),
                new BlindedCoin(
                    FieldElement.ZERO, new G1Point(Arrays.copyOf(address, G1Point.BYTES)))),
            1,
            new KeyPoint(Arrays.copyOf(address, KeyPoint.BYTES)),
            new byte[Family.REGISTER.proofBytes()],
            new byte[ProofBytes.RK_SIGNATURE]));
  }

  private byte[] noise() {
    byte[] noise = new byte[32];
    random.nextBytes(noise);
    return noise;
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
