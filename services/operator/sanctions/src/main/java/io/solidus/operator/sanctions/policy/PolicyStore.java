package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.PublishedNotes;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of published policies. */
@Repository
class PolicyStore {
  private final JdbcClient jdbc;
  private final NetworkId network;
  private final PublishedNotes notes;

  PolicyStore(
      JdbcClient jdbc, NetworkId network, @Qualifier("publishedPolicies") PublishedNotes notes) {
    this.jdbc = jdbc;
    this.network = network;
    this.notes = notes;
  }

  Optional<PublishedPolicy> newest() {
    return jdbc.sql("SELECT note FROM policy ORDER BY version DESC LIMIT 1")
        .query(this::read)
        .optional();
  }

  Optional<PublishedPolicy> inForce(Instant at) {
    return jdbc.sql(
            "SELECT note FROM policy WHERE effective_at_millis <= ? ORDER BY version DESC LIMIT 1")
        .param(at.toEpochMilli())
        .query(this::read)
        .optional();
  }

  Optional<PublishedPolicy> find(long version) {
    return jdbc.sql("SELECT note FROM policy WHERE version = ?")
        .param(version)
        .query(this::read)
        .optional();
  }

  /** Policies before a version, the newest first. */
  List<PublishedPolicy> page(long before, int limit) {
    return jdbc.sql("SELECT note FROM policy WHERE version < ? ORDER BY version DESC LIMIT ?")
        .params(before, limit)
        .query(this::read)
        .list();
  }

  /** Blocks other publishers until the transaction ends. Readers do not wait. */
  void lock() {
    jdbc.sql("LOCK TABLE policy IN SHARE ROW EXCLUSIVE MODE").update();
  }

  void insert(PublishedPolicy published, UUID proposal, Instant at) {
    Policy policy = published.policy();
    jdbc.sql(
            "INSERT INTO policy (version, note, period, effective_at_millis, proposal, published_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")
        .params(
            policy.version(),
            published.note(),
            policy.period().yyyymm(),
            policy.effectiveAtMillis(),
            proposal,
            OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
        .update();
  }

  private PublishedPolicy read(ResultSet row, int number) throws SQLException {
    String note = notes.of(row.getString(1));
    return new PublishedPolicy(Policy.parse(network, SignedNote.parse(note).text()), note);
  }
}
