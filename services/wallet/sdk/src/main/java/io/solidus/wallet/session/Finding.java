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
import io.solidus.wallet.gateway.CoinState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What became of one of this wallet's compliance coins, judged from what the authorities said of
 * its serial number. Up to f of them lie.
 *
 * <p>A request counts when it is this wallet's own, whoever showed it, because nobody else can make
 * one: it is recomputed from its memo. Anything else counts for nothing. "Unspent" needs 2f+1: of a
 * transfer that was signed f+1 correct authorities hold the request, so among any 2f+1 there is one
 * that shows it.
 *
 * @param own transfers of this wallet out of the coin, in the order to try them; none or one unless
 *     this wallet made two
 * @param unspent 2f+1 authorities say so; for the coin to be so, {@code own} must be empty besides
 * @param disbelieved authorities that showed a request that is not this wallet's
 */
@Spec("W-08")
record Finding(List<Own> own, boolean unspent, SortedSet<Integer> disbelieved) {
  Finding {
    own = List.copyOf(own);
    disbelieved = Collections.unmodifiableSortedSet(new TreeSet<>(disbelieved));
  }

  /**
   * A transfer of this wallet.
   *
   * @param counter of its memo: the greater, the later it was made
   * @param requests of this core, which differ in their evidence; those that most authorities
   *     showed first
   */
  record Own(TxCore core, int counter, List<TransferRequest> requests, SortedSet<Integer> holders) {
    Own {
      requests = List.copyOf(requests);
      holders = Collections.unmodifiableSortedSet(new TreeSet<>(holders));
    }
  }

  /**
   * Judges.
   *
   * @param counter of the memo of a request that is this wallet's own and spends the coin, else
   *     empty
   * @throws WalletException gateway-misbehaved when it lets an authority say two things, or one
   *     that does not exist
   */
  static Finding of(
      CoinState state, Committee committee, Function<TransferRequest, OptionalInt> counter) {
    requireOneWordEach(state, committee);
    SortedSet<Integer> disbelieved = new TreeSet<>();
    Map<TxCore, Own> own = new LinkedHashMap<>();
    for (CoinState.Shown shown : inOrder(state.shown())) {
      OptionalInt made = shown.request().map(counter).orElse(OptionalInt.empty());
      if (made.isPresent()) {
        Own one = own(committee.network(), made.getAsInt(), shown);
        own.merge(one.core(), one, Finding::together);
      } else {
        disbelieved.addAll(shown.authorities());
      }
    }
    return new Finding(
        own.values().stream().sorted(likeliest(committee)).toList(),
        state.unspent().size() >= committee.quorum(),
        disbelieved);
  }

  /**
   * @throws ProtocolException no-quorum when neither a transfer of this wallet was shown nor 2f+1
   *     say unspent
   */
  Finding requireDecided() {
    if (own.isEmpty() && !unspent) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM,
          "too few authorities tell whether a compliance coin of this wallet is spent");
    }
    return this;
  }

  /**
   * The order to try them in. What f+1 hold a correct authority holds; else the one made last,
   * since what came before it was given up when 2f+1 knew nothing of it. A wrong first try costs a
   * refusal, for at most one of them is ever signed.
   */
  private static Comparator<Own> likeliest(Committee committee) {
    return Comparator.comparing((Own own) -> own.holders().size() < committee.weakQuorum())
        .thenComparing(Comparator.comparingInt(Own::counter).reversed())
        .thenComparing(own -> own.core().hex());
  }

  private static List<CoinState.Shown> inOrder(List<CoinState.Shown> shown) {
    return shown.stream()
        .sorted(Comparator.comparingInt((CoinState.Shown one) -> -one.authorities().size()))
        .toList();
  }

  private static Own own(NetworkId network, int counter, CoinState.Shown shown) {
    TransferRequest request = shown.request().orElseThrow();
    return new Own(
        request.statement().core(network),
        counter,
        List.of(request),
        new TreeSet<>(shown.authorities()));
  }

  private static Own together(Own one, Own other) {
    List<TransferRequest> requests = new ArrayList<>(one.requests());
    requests.addAll(other.requests());
    SortedSet<Integer> holders = new TreeSet<>(one.holders());
    holders.addAll(other.holders());
    return new Own(one.core(), one.counter(), requests, holders);
  }

  private static void requireOneWordEach(CoinState state, Committee committee) {
    List<Integer> speakers = new ArrayList<>(state.unspent());
    state.shown().forEach(shown -> speakers.addAll(shown.authorities()));
    Set<Integer> heard = new HashSet<>();
    boolean strange = state.shown().stream().anyMatch(shown -> shown.authorities().isEmpty());
    for (int speaker : speakers) {
      strange |= speaker < 1 || speaker > committee.n() || !heard.add(speaker);
    }
    if (strange) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED,
          "the gateway lets an authority say two things about a coin, or one that does not exist");
    }
  }
}
