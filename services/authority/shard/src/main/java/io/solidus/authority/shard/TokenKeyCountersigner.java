package io.solidus.authority.shard;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TokenKeyList;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;

/**
 * Countersigns the registration service's keys of tokens: one key for a day, whoever asks. A key of
 * its own would mark a wallet. A wallet takes a key with the signatures of a quorum, and two
 * quorums share an honest authority, so there is one key for all.
 */
@Spec("A-10")
class TokenKeyCountersigner {
  /** Clocks of a registration service and an authority may be on two sides of midnight. */
  private static final int DAYS_BACK = 2;

  /** More than the service publishes ahead. */
  private static final int DAYS_AHEAD = 7;

  /** The newest note, the one before, and one for the change of days. */
  private static final int NOTES = 4;

  private final AuthorityDatabase database;
  private final NetworkId network;
  private final NoteKeys registration;
  private final NoteSigner signer;
  private final Clock clock;
  private final LruMap<String, String> countersigned = new LruMap<>(NOTES);

  /**
   * Makes it.
   *
   * @param registration whose notes are countersigned
   */
  TokenKeyCountersigner(
      AuthorityDatabase database,
      NetworkId network,
      NoteKeys registration,
      NoteSigner signer,
      Clock clock) {
    this.database = database;
    this.network = network;
    this.registration = registration;
    this.signer = signer;
    this.clock = clock;
  }

  /**
   * The note's text with this authority's signature alone.
   *
   * @throws ProtocolException malformed-request, signature-invalid for a note that the registration
   *     service did not sign, or idempotency-mismatch when another key of one of its days was
   *     countersigned
   */
  String countersign(String note) {
    SignedNote signed = registration.require(SignedNote.parse(note), clock.instant());
    return countersigned
        .find(signed.text())
        .orElseGet(() -> {
          TokenKeyList list = TokenKeyList.parse(network, signed.text());
          database.transaction().executeWithoutResult(status -> requireTheKeys(list));
          String own = new SignedNote(signed.text(), List.of(signer.sign(signed.text()))).encode();
          countersigned.remember(signed.text(), own);
          return own;
        });
  }

  private void requireTheKeys(TokenKeyList list) {
    long today = TokenKeyList.today(clock);
    if (list.firstDay() < today - DAYS_BACK || list.lastDay() > today + DAYS_AHEAD) {
      throw ProtocolException.malformed("the keys of tokens are of other days than these");
    }
    int unused =
        database
            .jdbc()
            .sql("DELETE FROM authority.token_keys WHERE day < ?")
            .param(today - DAYS_BACK)
            .update();
    for (int i = 0; i < list.keys().size(); i++) {
      requireTheKey(list.firstDay() + i, shown(list, list.keys().get(i)));
    }
  }

  private void requireTheKey(long day, byte[] shown) {
    int unused =
        database
            .jdbc()
            .sql("INSERT INTO authority.token_keys (day, key) VALUES (?, ?) ON CONFLICT DO NOTHING")
            .params(day, shown)
            .update();
    byte[] first =
        database
            .jdbc()
            .sql("SELECT key FROM authority.token_keys WHERE day = ?")
            .param(day)
            .query((row, n) -> row.getBytes(1))
            .single();
    if (!Arrays.equals(first, shown)) {
      throw new ProtocolException(
          RejectionCode.IDEMPOTENCY_MISMATCH, "another key of a day was countersigned before");
    }
  }

  /**
   * A token names its key and, in its challenge, the issuer. It does not say how many a wallet got,
   * so the batch may change from one note to the next.
   */
  private static byte[] shown(TokenKeyList list, String key) {
    return Digest32.sha256((list.issuer() + "\n" + key).getBytes(StandardCharsets.US_ASCII))
        .bytes();
  }
}
