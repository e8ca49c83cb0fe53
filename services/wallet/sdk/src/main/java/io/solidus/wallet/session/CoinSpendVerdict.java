package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The verdict whether one of this wallet's compliance coins is spent, from what the authorities
 * signed about its serial number. Up to f of them lie.
 *
 * <p>A request counts if it is this wallet's own, whoever showed it, because only the wallet can
 * make it: the wallet recomputes it from its memo. Other requests do not count. That the coin is
 * free counts only with signatures for this wallet's nonce, of 2f+1 authorities: f+1 correct
 * authorities hold a signed transfer, so any 2f+1 authorities include one that does not say free.
 *
 * @param own transfers of this wallet from the coin, in the order to try them; at most one unless
 *     the wallet made two
 * @param free by index, the authorities that signed that no core holds the coin, with their floors
 * @param unspent whether 2f+1 authorities signed that; the coin is unspent if also {@code own} is
 *     empty
 * @param disbelieved indexes of the authorities that signed a request which is not this wallet's,
 *     or of another core than they say
 */
@Spec("W-08")
record CoinSpendVerdict(
    List<Own> own,
    SortedMap<Integer, StateFloors> free,
    boolean unspent,
    SortedSet<Integer> disbelieved) {
  CoinSpendVerdict {
    own = List.copyOf(own);
    free = Collections.unmodifiableSortedMap(new TreeMap<>(free));
    disbelieved = Collections.unmodifiableSortedSet(new TreeSet<>(disbelieved));
  }

  /**
   * A transfer of this wallet.
   *
   * @param made by its memo; a later transfer from the coin has a greater one
   * @param requests of this core, which differ in their evidence; those that most authorities
   *     signed come first
   * @param holders indexes of the authorities that signed that they hold this core
   */
  record Own(TxCore core, long made, List<TransferRequest> requests, SortedSet<Integer> holders) {
    Own {
      requests = List.copyOf(requests);
      holders = Collections.unmodifiableSortedSet(new TreeSet<>(holders));
    }
  }

  /**
   * Evaluates the answers.
   *
   * @param made gives the order by the memo of a request that is this wallet's own and spends the
   *     coin; otherwise empty
   */
  static CoinSpendVerdict of(
      SignedAnswers answers, Committee committee, Function<TransferRequest, OptionalLong> made) {
    NetworkId network = committee.network();
    Map<TransferRequest, OptionalLong> orders = new LinkedHashMap<>();
    mostSignedFirst(answers).forEach(request -> orders.put(request, made.apply(request)));
    Map<TxCore, Own> own = new LinkedHashMap<>();
    orders.forEach((request, order) ->
        order.ifPresent(at -> {
          TxCore core = request.statement().core(network);
          own.merge(
              core,
              new Own(core, at, List.of(request), holders(answers, core)),
              CoinSpendVerdict::merge);
        }));
    SortedSet<Integer> disbelieved = new TreeSet<>();
    answers
        .held()
        .forEach((authority, held) ->
            held.request()
                .filter(request ->
                    orders.getOrDefault(request, OptionalLong.empty()).isEmpty()
                        || !request.statement().core(network).equals(held.core()))
                .ifPresent(request -> disbelieved.add(authority)));
    return new CoinSpendVerdict(
        own.values().stream().sorted(likeliest(committee)).toList(),
        answers.free(),
        answers.free().size() >= committee.quorum(),
        disbelieved);
  }

  /**
   * This verdict.
   *
   * @throws ProtocolException no-quorum when there is neither a transfer of this wallet nor 2f+1
   *     reports of an unspent coin
   */
  CoinSpendVerdict requireDecided() {
    if (own.isEmpty() && !unspent) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM,
          "too few authorities signed whether a compliance coin of this wallet is spent");
    }
    return this;
  }

  /**
   * The order to try the transfers. A transfer that f+1 authorities hold comes first, because a
   * correct authority holds it. Otherwise the last one comes first, because it was made when 2f+1
   * authorities reported the coin as unspent. At most one of them is ever signed.
   */
  private static Comparator<Own> likeliest(Committee committee) {
    return Comparator.comparing((Own own) -> own.holders().size() < committee.weakQuorum())
        .thenComparing(Comparator.comparingLong(Own::made).reversed())
        .thenComparing(own -> own.core().hex());
  }

  private static List<TransferRequest> mostSignedFirst(SignedAnswers answers) {
    Map<TransferRequest, Integer> signed = new HashMap<>();
    answers
        .held()
        .values()
        .forEach(
            held -> held.request().ifPresent(request -> signed.merge(request, 1, Integer::sum)));
    return answers.shown().stream()
        .sorted(Comparator.comparingInt((TransferRequest one) -> -signed.getOrDefault(one, 0)))
        .toList();
  }

  private static SortedSet<Integer> holders(SignedAnswers answers, TxCore core) {
    SortedSet<Integer> holders = new TreeSet<>();
    answers
        .held()
        .forEach((authority, held) -> {
          if (held.core().equals(core)) {
            holders.add(authority);
          }
        });
    return holders;
  }

  private static Own merge(Own one, Own other) {
    List<TransferRequest> requests = new ArrayList<>(one.requests());
    requests.addAll(other.requests());
    return new Own(one.core(), one.made(), requests, one.holders());
  }
}
