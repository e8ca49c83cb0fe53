package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.PersonVault;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The keys of cases, each sealed under the master key. Who destroys a key erases the case in every
 * table. No key outlives a call, so that an erasure counts for every replica at once.
 */
final class DataKeys {
  /**
   * The key of a case {@code kyc_case}, for a query of many cases; see {@link #of(UUID, byte[])}.
   */
  static final String OF_CASE =
      "(SELECT k.sealed_key FROM data_key k WHERE k.case_id = kyc_case.id)";

  private final JdbcClient jdbc;
  private final PersonVault vault;

  DataKeys(JdbcClient jdbc, PersonVault vault) {
    this.jdbc = jdbc;
    this.vault = vault;
  }

  /** A key that is not in the database yet. */
  record Fresh(SecretKey key, byte[] sealed, byte[] master) {}

  /** Finds the key of a case when it is needed: values under the master key need none. */
  record Lookup(DataKeys keys, UUID caseId, byte @Nullable [] found) {

    /**
     * The key; empty when the case is erased.
     *
     * @throws IllegalStateException when the key is lost although nobody erased the case
     */
    Optional<SecretKey> get() {
      byte[] sealed = found == null ? keys.find(caseId).orElse(null) : found;
      if (sealed != null) {
        return Optional.of(keys.vault.openDataKey(caseId, sealed));
      }
      if (!keys.isErased(caseId)) {
        throw new IllegalStateException("the key of a case is lost");
      }
      return Optional.empty();
    }
  }

  Lookup of(UUID caseId) {
    return new Lookup(this, caseId, null);
  }

  /**
   * @param found the sealed key, when the caller has read it already
   */
  Lookup of(UUID caseId, byte @Nullable [] found) {
    return new Lookup(this, caseId, found);
  }

  Fresh fresh(UUID caseId) {
    byte[] sealed = vault.newDataKey(caseId);
    return new Fresh(vault.openDataKey(caseId, sealed), sealed, vault.masterId());
  }

  /**
   * The key of a case; one from before there were keys gets it in the caller's transaction.
   *
   * @throws CaseConflictException when the case is erased
   * @throws IllegalStateException when the key is lost
   */
  SecretKey forSealing(UUID caseId) {
    Optional<byte[]> found = find(caseId);
    if (found.isEmpty()) {
      if (isErased(caseId)) {
        throw new CaseConflictException(CaseConflictException.Kind.ERASED);
      }
      jdbc.sql(
              "INSERT INTO data_key (case_id, sealed_key, master)"
                  + " SELECT case_id, ?, ? FROM case_to_seal WHERE case_id = ? ON CONFLICT DO NOTHING")
          .params(vault.newDataKey(caseId), vault.masterId(), caseId)
          .update();
      found = find(caseId);
    }
    return vault.openDataKey(
        caseId, found.orElseThrow(() -> new IllegalStateException("the key of a case is lost")));
  }

  private Optional<byte[]> find(UUID caseId) {
    return jdbc.sql("SELECT sealed_key FROM data_key WHERE case_id = ?")
        .param(caseId)
        .query(byte[].class)
        .optional();
  }

  boolean isErased(UUID caseId) {
    return jdbc.sql("SELECT EXISTS (SELECT 1 FROM erasure WHERE case_id = ?)")
        .param(caseId)
        .query(Boolean.class)
        .single();
  }

  /** Destroys the key of an erased case, in the caller's transaction. */
  void destroy(UUID caseId) {
    jdbc.sql("DELETE FROM data_key WHERE case_id = ?").param(caseId).update();
  }

  /** Seals some keys that are under a former master key again; returns how many. */
  int sealAgain(int limit) {
    record Row(UUID id, byte[] sealed) {}
    byte[] master = vault.masterId();
    return jdbc
        .sql(
            "SELECT case_id, sealed_key FROM data_key WHERE master < :master OR master > :master"
                + " LIMIT :limit FOR UPDATE SKIP LOCKED")
        .param("master", master)
        .param("limit", limit)
        .query((row, n) -> new Row(row.getObject(1, UUID.class), row.getBytes(2)))
        .list()
        .stream()
        .mapToInt(former ->
            jdbc.sql("UPDATE data_key SET sealed_key = ?, master = ? WHERE case_id = ?")
                .params(vault.sealAgain(former.id(), former.sealed()), master, former.id())
                .update())
        .sum();
  }

  /** How many keys are under a former master key. */
  long countFormer() {
    return jdbc.sql("SELECT count(*) FROM data_key WHERE master < :master OR master > :master")
        .param("master", vault.masterId())
        .query(Long.class)
        .single();
  }
}
