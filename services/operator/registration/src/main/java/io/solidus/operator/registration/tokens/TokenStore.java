package io.solidus.operator.registration.tokens;

import io.solidus.operator.registration.person.PersonVault;
import io.solidus.protocol.Digest32;
import io.solidus.wire.token.TokenIssuer;
import io.solidus.wire.token.TokenKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The keys of days, and which case got which batch. */
final class TokenStore {
  private static final String COLUMN = "token-key";

  private final JdbcClient jdbc;
  private final PersonVault vault;

  TokenStore(JdbcClient jdbc, PersonVault vault) {
    this.jdbc = jdbc;
    this.vault = vault;
  }

  /** A day's public key. */
  record Day(long day, TokenKey key) {}

  /** The public keys from a day on, in the order of days. */
  List<Day> from(long day) {
    return jdbc.sql("SELECT day, spki FROM token_key WHERE day >= ? ORDER BY day")
        .param(day)
        .query((row, n) -> new Day(row.getLong(1), TokenKey.of(row.getBytes(2))))
        .list();
  }

  /** The private key of a day; empty when there is none, or none any more. */
  Optional<TokenIssuer> issuer(long day) {
    return jdbc.sql("SELECT sealed_key FROM token_key WHERE day = ? AND sealed_key IS NOT NULL")
        .param(day)
        .query((row, n) -> row.getBytes(1))
        .optional()
        .map(sealed -> open(day, sealed));
  }

  private TokenIssuer open(long day, byte[] sealed) {
    byte[] pkcs8 = vault.open(place(day), COLUMN, sealed);
    try {
      return TokenIssuer.of(pkcs8);
    } finally {
      Arrays.fill(pkcs8, (byte) 0);
    }
  }

  /** Adds the key of a day, unless another replica was first. */
  void add(long day, TokenIssuer issuer) {
    byte[] pkcs8 = issuer.pkcs8();
    try {
      int unused =
          jdbc.sql(
                  "INSERT INTO token_key (day, spki, sealed_key) VALUES (?, ?, ?)"
                      + " ON CONFLICT DO NOTHING")
              .params(day, issuer.publicKey().spki(), vault.seal(place(day), COLUMN, pkcs8))
              .update();
    } finally {
      Arrays.fill(pkcs8, (byte) 0);
    }
  }

  /**
   * Destroys what only served days that are over: private keys, and which case got a batch. Public
   * keys stay for the day on which tokens still count.
   */
  void endBefore(long today) {
    int unused =
        jdbc.sql("UPDATE token_key SET sealed_key = NULL WHERE day < ? AND sealed_key IS NOT NULL")
            .param(today)
            .update();
    unused = jdbc.sql("DELETE FROM token_key WHERE day < ?").param(today - 1).update();
    unused = jdbc.sql("DELETE FROM token_batch WHERE day < ?").param(today).update();
  }

  /**
   * Remembers the batch of a case and day.
   *
   * @return whether it is the first one, or the same again
   */
  boolean isTheBatch(UUID caseId, long day, Digest32 digest) {
    int unused =
        jdbc.sql(
                "INSERT INTO token_batch (case_id, day, digest) VALUES (?, ?, ?)"
                    + " ON CONFLICT DO NOTHING")
            .params(caseId, day, digest.bytes())
            .update();
    return Arrays.equals(
        digest.bytes(),
        jdbc.sql("SELECT digest FROM token_batch WHERE case_id = ? AND day = ?")
            .params(caseId, day)
            .query((row, n) -> row.getBytes(1))
            .single());
  }

  /** The vault binds a value to a case; a day has a place of its own. */
  private static UUID place(long day) {
    return new UUID(0, day);
  }
}
