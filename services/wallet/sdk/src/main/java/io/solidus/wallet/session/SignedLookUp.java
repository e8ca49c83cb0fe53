package io.solidus.wallet.session;

import io.solidus.protocol.SerialNumber;
import io.solidus.wallet.gateway.CoinStateReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks authorities for serial numbers. */
final class SignedLookUp {
  private final WalletSession session;

  SignedLookUp(WalletSession session) {
    this.session = session;
  }

  List<SignedAnswers> ask(List<SerialNumber> serials) {
    return session.gateway().coinStates(serials).stream().map(SignedLookUp::answers).toList();
  }

  private static SignedAnswers answers(CoinStateReply reply) {
    Map<Integer, SignedAnswers.Held> held = new HashMap<>();
    reply.holders().forEach((authority, core) -> held.put(authority, new SignedAnswers.Held(core)));
    return new SignedAnswers(
        reply.serial(),
        reply.unspent(),
        held,
        reply.shown().stream()
            .map(CoinStateReply.Shown::request)
            .flatMap(Optional::stream)
            .toList(),
        reply.recovers());
  }
}
