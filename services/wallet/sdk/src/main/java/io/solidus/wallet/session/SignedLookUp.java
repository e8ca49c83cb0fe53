package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SignedStates;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoinStateReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks authorities for serial numbers through the gateway, each time with a nonce that is drawn
 * now: an answer for it was signed after this question.
 */
final class SignedLookUp {
  /** An answer holds a request for each serial number and authority, each up to 56 kB. */
  private static final int MAX_REQUESTS = 100;

  private final WalletSession session;

  SignedLookUp(WalletSession session) {
    this.session = session;
  }

  /**
   * What authorities sign about the serial numbers, in this order. Asks more than once when there
   * are many, with a nonce for each question.
   *
   * @param serials distinct
   * @throws WalletException {@code gateway-misbehaved} when an authority has two answers
   */
  List<SignedAnswers> ask(List<SerialNumber> serials) {
    int most = Math.max(1, MAX_REQUESTS / session.platform().committee().n());
    List<SignedAnswers> answers = new ArrayList<>();
    for (int from = 0; from < serials.size(); from += most) {
      answers.addAll(once(serials.subList(from, Math.min(serials.size(), from + most))));
    }
    return answers;
  }

  private List<SignedAnswers> once(List<SerialNumber> serials) {
    Committee committee = session.platform().committee();
    byte[] drawn = new byte[Digest32.BYTES];
    session.random().nextBytes(drawn);
    Digest32 nonce = Digest32.of(drawn);
    CoinStateReply reply = session.gateway().coinStates(serials, nonce);
    Instant now = session.options().clock().instant();
    List<SignedStates> signed =
        reply.signed().stream().filter(one -> one.isSigned(committee, nonce, now)).toList();
    return reply.coins().stream().map(coin -> SignedAnswers.of(coin, signed)).toList();
  }
}
