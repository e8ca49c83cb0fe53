package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.PublishedNotes;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
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

  /** Whether the newest policy is a halt. */
  boolean halted() {
    return jdbc.sql(
            "SELECT p.kind = 'policy-halt' FROM policy JOIN proposal p ON p.id = policy.proposal"
                + " ORDER BY version DESC LIMIT 1")
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  /** The policy that would be in force without halts. */
  Optional<PublishedPolicy> inForceWithoutHalts(Instant at) {
    return jdbc.sql(
            "SELECT note FROM policy JOIN proposal p ON p.id = policy.proposal"
                + " WHERE effective_at_millis <= ? AND p.kind <> 'policy-halt'"
                + " ORDER BY version DESC LIMIT 1")
        .param(at.toEpochMilli())
        .query(this::read)
        .optional();
  }

  /**
   * The latest period of a policy that is in force at some time before another takes effect; 0 when
   * there is none. A policy that a newer one replaces before it takes effect is never in force.
   */
  int latestPeriodBefore(long effectiveAtMillis, Instant now) {
    return jdbc.sql(
            "SELECT coalesce(max(period), 0) FROM policy former"
                + " WHERE (effective_at_millis < :next OR effective_at_millis <= :now)"
                + " AND NOT EXISTS (SELECT FROM policy newer WHERE newer.version > former.version"
                + " AND newer.effective_at_millis <= former.effective_at_millis)")
        .param("next", effectiveAtMillis)
        .param("now", now.toEpochMilli())
        .query(Integer.class)
        .single();
  }

  static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such policy");
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
