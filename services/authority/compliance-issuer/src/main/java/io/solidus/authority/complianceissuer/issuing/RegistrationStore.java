package io.solidus.authority.complianceissuer.issuing;

import io.solidus.platform.database.DurableMark;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores reservations and answers. A database trigger refuses to change or remove either. */
final class RegistrationStore {
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  RegistrationStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /**
   * Reserves person and address for the attested core for ever. The reservation is durable when
   * this method returns.
   *
   * @return false when person, address or core is already reserved in another combination
   */
  boolean reserve(Attestation attestation, RegisterRequest request, String note, Instant now) {
    byte[] core = attestation.registerCore().bytes();
    byte[] personTag = attestation.personTag().bytes();
    byte[] apk = attestation.apk().bytes();
    return Boolean.TRUE.equals(
        transaction.execute(status -> {
          int fresh =
              jdbc.sql(
                      "INSERT INTO registration (core, person_tag, apk, request, attestation, reserved_at)"
                          + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                  .params(
                      core,
                      personTag,
                      apk,
                      Codecs.toBytes(request),
                      note,
                      now.atOffset(ZoneOffset.UTC))
                  .update();
          if (fresh == 0) {
            DurableMark.leave(jdbc); // the row that is there may be on this server alone
          }
          return jdbc.sql(
                      "SELECT count(*) FROM registration WHERE core = ? AND person_tag = ? AND apk = ?")
                  .params(core, personTag, apk)
                  .query(Integer.class)
                  .single()
              == 1;
        }));
  }

  /** The answer given in this share epoch. */
  Optional<Answer> answer(TxCore core, int epoch) {
    return jdbc.sql("SELECT partial FROM answer WHERE core = ? AND share_epoch = ?")
        .params(core.bytes(), epoch)
        .query(byte[].class)
        .optional()
        .map(Codecs::answer);
  }

  /** Stores an answer. Returns the stored one when a concurrent call was first. */
  Answer keep(TxCore core, Answer answer, Instant now) {
    transaction.executeWithoutResult(status ->
        jdbc.sql(
                "INSERT INTO answer (core, share_epoch, partial, answered_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
            .params(
                core.bytes(),
                answer.present().shareEpoch(),
                Codecs.toBytes(answer),
                now.atOffset(ZoneOffset.UTC))
            .update());
    return answer(core, answer.present().shareEpoch()).orElseThrow();
  }
}
