package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.PersonVault;
import java.sql.Types;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Seals anew what is not under the newest keys: cases from before each had a key, and keys under a
 * former master key. Each case is a transaction, so the work goes on where it was broken off.
 * Several replicas may do it at once.
 */
final class SealingService {
  private static final Logger log = LoggerFactory.getLogger(SealingService.class);
  private static final int KEYS = 500;
  private static final int CASES_OF_A_LINE = 10_000;

  private final JdbcClient jdbc;
  private final CaseCodec codec;
  private final DataKeys keys;
  private final TransactionTemplate transaction;

  SealingService(JdbcClient jdbc, CaseCodec codec, DataKeys keys, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.codec = codec;
    this.keys = keys;
    this.transaction = transaction;
  }

  /** Does all that there is to do. */
  void run() {
    long sealed = 0;
    while (!Thread.currentThread().isInterrupted() && sealNext()) {
      sealed++;
      if (sealed % CASES_OF_A_LINE == 0) {
        log.info("sealed {} cases under keys of their own; {} are left", sealed, countWaiting());
      }
    }
    if (sealed > 0) {
      log.info("sealed {} cases under keys of their own", sealed);
    }
    long renewed = 0;
    int batch;
    do {
      batch = sealKeys();
      renewed += batch;
    } while (batch > 0 && !Thread.currentThread().isInterrupted());
    if (renewed > 0) {
      log.info("sealed {} keys of cases under the newest master key", renewed);
    }
  }

  /** Cases that are sealed under a master key itself. */
  long countWaiting() {
    return jdbc.sql("SELECT count(*) FROM case_to_seal").query(Long.class).single();
  }

  private int sealKeys() {
    return Objects.requireNonNull(transaction.execute(status -> keys.sealAgain(KEYS)));
  }

  /** Seals one case that waits; false when there is none. */
  private boolean sealNext() {
    return Boolean.TRUE.equals(
        transaction.execute(status -> {
          List<UUID> next =
              jdbc.sql(
                      "SELECT c.id FROM case_to_seal s JOIN kyc_case c ON c.id = s.case_id"
                          + " LIMIT 1 FOR UPDATE OF c SKIP LOCKED")
                  .query(UUID.class)
                  .list();
          next.forEach(this::seal);
          return !next.isEmpty();
        }));
  }

  /** Seals a case anew in the caller's transaction, if it waits for that. */
  void seal(UUID id) {
    boolean waits =
        jdbc.sql("SELECT EXISTS (SELECT 1 FROM case_to_seal WHERE case_id = ?)")
            .param(id)
            .query(Boolean.class)
            .single();
    if (!waits) {
      return;
    }
    jdbc.sql("SELECT 1 FROM kyc_case WHERE id = ? FOR UPDATE")
        .param(id)
        .query(Integer.class)
        .single();
    keys.forSealing(id);
    sealCase(id);
    sealRows(id, "person_change", "sealed_person", CaseCodec.PERSON, false);
    sealRows(id, "person_change", "sealed_reason", CaseCodec.CHANGE, true);
    sealRows(id, "standing_step", "sealed_reason", CaseCodec.STEP, true);
    sealSequences(id);
    sealOpinions(id);
    jdbc.sql("DELETE FROM case_to_seal WHERE case_id = ?").param(id).update();
  }

  private void sealCase(UUID id) {
    record Row(byte[] person, byte @Nullable [] matches, byte @Nullable [] reason) {}
    Row row =
        jdbc.sql("SELECT sealed_person, sealed_matches, sealed_reason FROM kyc_case WHERE id = ?")
            .param(id)
            .query((found, n) -> new Row(found.getBytes(1), found.getBytes(2), found.getBytes(3)))
            .single();
    jdbc.sql(
            "UPDATE kyc_case SET sealed_person = :person, sealed_matches = :matches, sealed_reason = :reason WHERE id = :id")
        .param("person", codec.sealAnew(id, CaseCodec.PERSON, row.person()))
        .param("matches", sealAnew(id, CaseCodec.MATCHES, row.matches()), Types.BINARY)
        .param("reason", sealAnew(id, CaseCodec.REASON, row.reason()), Types.BINARY)
        .param("id", id)
        .update();
  }

  private byte @Nullable [] sealAnew(UUID id, String column, byte @Nullable [] sealed) {
    return sealed == null ? null : codec.sealAnew(id, column, sealed);
  }

  /** A column of rows whose id may be part of what is authenticated. */
  private void sealRows(UUID id, String table, String column, String label, boolean withId) {
    record Row(UUID id, byte[] sealed) {}
    jdbc
        .sql("SELECT id, " + column + " FROM " + table + " WHERE case_id = ?")
        .param(id)
        .query((found, n) -> new Row(found.getObject(1, UUID.class), found.getBytes(2)))
        .list()
        .stream()
        .filter(row -> PersonVault.isUnderMasterKey(row.sealed()))
        .forEach(row ->
            jdbc.sql("UPDATE " + table + " SET " + column + " = ? WHERE id = ?")
                .params(
                    codec.sealAnew(id, withId ? label + row.id() : label, row.sealed()), row.id())
                .update());
  }

  private void sealSequences(UUID id) {
    sealSequences(
        id,
        CaseCodec.MATCHES,
        "SELECT sequence, sealed_matches FROM screening WHERE case_id = ? AND sealed_matches IS NOT NULL",
        "UPDATE screening SET sealed_matches = ? WHERE sequence = ?");
    sealSequences(
        id,
        CaseCodec.DISPOSITION,
        "SELECT sequence, sealed_reason FROM match_disposition WHERE case_id = ?",
        "UPDATE match_disposition SET sealed_reason = ? WHERE sequence = ?");
    sealSequences(
        id,
        CaseCodec.DISPOSITION,
        "SELECT c.disposition, c.sealed_reason FROM disposition_confirmation c"
            + " JOIN match_disposition d ON d.sequence = c.disposition WHERE d.case_id = ?",
        "UPDATE disposition_confirmation SET sealed_reason = ? WHERE disposition = ?");
  }

  private void sealSequences(UUID id, String label, String select, String update) {
    record Row(long sequence, byte[] sealed) {}
    jdbc
        .sql(select)
        .param(id)
        .query((found, n) -> new Row(found.getLong(1), found.getBytes(2)))
        .list()
        .stream()
        .filter(row -> PersonVault.isUnderMasterKey(row.sealed()))
        .forEach(row ->
            jdbc.sql(update)
                .params(codec.sealAnew(id, label, row.sealed()), row.sequence())
                .update());
  }

  private void sealOpinions(UUID id) {
    record Row(UUID caseId, UUID otherId, long sequence, byte[] sealed) {}
    jdbc
        .sql(
            "SELECT case_id, other_id, sequence, sealed_reason FROM duplicate_opinion WHERE case_id = :id OR other_id = :id")
        .param("id", id)
        .query((found, n) ->
            new Row(
                found.getObject(1, UUID.class),
                found.getObject(2, UUID.class),
                found.getLong(3),
                found.getBytes(4)))
        .list()
        .stream()
        .filter(row -> PersonVault.isUnderMasterKey(row.sealed()))
        .forEach(row ->
            jdbc.sql("UPDATE duplicate_opinion SET sealed_reason = ? WHERE sequence = ?")
                .params(
                    codec.sealOpinionAnew(row.caseId(), row.otherId(), row.sealed()),
                    row.sequence())
                .update());
  }
}
