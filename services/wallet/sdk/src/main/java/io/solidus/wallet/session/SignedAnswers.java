package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoinStateReply;
import io.solidus.wire.Codecs;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What authorities signed about one serial number for one nonce of this wallet. An authority whose
 * answer the gateway left out or altered is in neither map.
 *
 * @param free by index, the authorities for which no core holds it, with their floors
 * @param held by index, the authorities for which a core holds it
 * @param shown all requests that the gateway showed, whoever stored them
 * @param recovers likewise those with this lead
 */
record SignedAnswers(
    SerialNumber serial,
    SortedMap<Integer, StateFloors> free,
    SortedMap<Integer, Held> held,
    List<TransferRequest> shown,
    List<RecoverRequest> recovers) {

  /**
   * An authority's word that a core holds the serial number.
   *
   * @param request the stored request; empty when the authority shows none, or the gateway did not
   *     show the one that the authority signed
   */
  record Held(TxCore core, StateFloors floors, Optional<TransferRequest> request) {}

  SignedAnswers {
    free = Collections.unmodifiableSortedMap(new TreeMap<>(free));
    held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
    shown = List.copyOf(shown);
    recovers = List.copyOf(recovers);
  }

  /**
   * With what authorities signed earlier that do not answer now: one that holds a core holds it for
   * good.
   */
  SignedAnswers behind(SignedAnswers before) {
    SortedMap<Integer, Held> all = new TreeMap<>(before.held());
    all.keySet().removeAll(free.keySet());
    all.putAll(held);
    return new SignedAnswers(serial, free, all, shown, recovers);
  }

  /**
   * Sorts the answers for one serial number.
   *
   * @param signed with verified signatures, all for one nonce
   * @throws WalletException {@code gateway-misbehaved} when an authority has two answers
   */
  static SignedAnswers of(CoinStateReply.Coin coin, List<SignedStates> signed) {
    Map<Digest32, TransferRequest> requests = new HashMap<>();
    coin.shown().forEach(request -> requests.put(Codecs.digest(request), request));
    SortedMap<Integer, StateFloors> free = new TreeMap<>();
    SortedMap<Integer, Held> held = new TreeMap<>();
    for (SignedStates answer : signed) {
      for (SerialStates.State state : answer.states().states()) {
        if (!state.serial().equals(coin.serial())) {
          continue;
        }
        int authority = answer.authority();
        if (free.containsKey(authority) || held.containsKey(authority)) {
          throw new WalletException(
              WalletError.GATEWAY_MISBEHAVED,
              "the gateway reports two answers of one authority about a coin");
        }
        StateFloors floors = answer.states().floors();
        state
            .core()
            .ifPresentOrElse(
                core ->
                    held.put(authority, new Held(core, floors, state.request().map(requests::get))),
                () -> free.put(authority, floors));
      }
    }
    return new SignedAnswers(coin.serial(), free, held, coin.shown(), coin.recovers());
  }
}
