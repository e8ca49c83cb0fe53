package io.solidus.wallet.session;

import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.CoinStateReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The verdict whether one of this wallet's compliance coins is spent, from the authorities' answers
 * for its serial number. Up to f of them lie.
 *
 * <p>A request counts if it is this wallet's own, whichever authority returned it, because only the
 * wallet can make it: the wallet recomputes it from its memo. Other requests do not count.
 * "Unspent" needs 2f+1 reports: f+1 correct authorities hold the request of a signed transfer, so
 * any 2f+1 authorities include one that returns it.
 *
 * @param own transfers of this wallet from the coin, in the order to try them; at most one unless
 *     the wallet made two
 * @param unspent whether 2f+1 authorities report the coin as unspent; it is unspent if also {@code
 *     own} is empty
 * @param disbelieved indexes of the authorities that returned a foreign request
 */
@Spec("W-08")
record CoinSpendVerdict(List<Own> own, boolean unspent, SortedSet<Integer> disbelieved) {
  CoinSpendVerdict {
    own = List.copyOf(own);
    disbelieved = Collections.unmodifiableSortedSet(new TreeSet<>(disbelieved));
  }

  /**
   * A transfer of this wallet.
   *
   * @param made by its memo; a later transfer from the coin has a greater one
   * @param requests of this core, which differ in their evidence; the requests that most
   *     authorities returned come first
   * @param holders indexes of the authorities that returned one of the requests
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
   * @throws WalletException {@code gateway-misbehaved} when an authority has two answers or does
   *     not exist
   */
  static CoinSpendVerdict of(
      CoinStateReply state, Committee committee, Function<TransferRequest, OptionalLong> made) {
    requireOneAnswerEach(state, committee);
    SortedSet<Integer> disbelieved = new TreeSet<>();
    Map<TxCore, Own> own = new LinkedHashMap<>();
    for (CoinStateReply.Shown shown : mostShownFirst(state.shown())) {
      OptionalLong order = shown.request().map(made).orElse(OptionalLong.empty());
      if (order.isPresent()) {
        Own one = own(committee.network(), order.getAsLong(), shown);
        own.merge(one.core(), one, CoinSpendVerdict::merge);
      } else {
        disbelieved.addAll(shown.authorities());
      }
    }
    return new CoinSpendVerdict(
        own.values().stream().sorted(likeliest(committee)).toList(),
        state.unspent().size() >= committee.quorum(),
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
          "too few authorities answered whether a compliance coin of this wallet is spent");
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

  private static List<CoinStateReply.Shown> mostShownFirst(List<CoinStateReply.Shown> shown) {
    return shown.stream()
        .sorted(Comparator.comparingInt((CoinStateReply.Shown one) -> -one.authorities().size()))
        .toList();
  }

  private static Own own(NetworkId network, long made, CoinStateReply.Shown shown) {
    TransferRequest request = shown.request().orElseThrow();
    return new Own(
        request.statement().core(network),
        made,
        List.of(request),
        new TreeSet<>(shown.authorities()));
  }

  private static Own merge(Own one, Own other) {
    List<TransferRequest> requests = new ArrayList<>(one.requests());
    requests.addAll(other.requests());
    SortedSet<Integer> holders = new TreeSet<>(one.holders());
    holders.addAll(other.holders());
    return new Own(one.core(), one.made(), requests, holders);
  }

  private static void requireOneAnswerEach(CoinStateReply state, Committee committee) {
    List<Integer> authorities = new ArrayList<>(state.unspent());
    state.shown().forEach(shown -> authorities.addAll(shown.authorities()));
    Set<Integer> seen = new HashSet<>();
    boolean invalid = state.shown().stream().anyMatch(shown -> shown.authorities().isEmpty());
    for (int authority : authorities) {
      invalid |= authority < 1 || authority > committee.n() || !seen.add(authority);
    }
    if (invalid) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED,
          "the gateway reports two answers of one authority about a coin, or an authority that does"
              + " not exist");
    }
  }
}
