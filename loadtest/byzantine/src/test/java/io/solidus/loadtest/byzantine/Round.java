package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.protocol.TransferRequest;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Some transfers of correct wallets at the same time, while some authorities attack; and everything
 * that has to come of it.
 */
final class Round {
  /** What the gateway has not heard, or not in time, when the wallets are content. */
  private static final Set<Attack> SILENT = EnumSet.of(Attack.WITHHOLDS, Attack.DRIPS, Attack.CUTS);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Rig rig;
  private final Map<Integer, Attack> attacks;
  private final Map<Integer, Map<String, Double>> culpritsBefore;
  private final Map<Integer, Map<String, Double>> answersBefore;
  private final long againBefore;

  private Round(Rig rig, Map<Integer, Attack> attacks) {
    this.rig = rig;
    this.attacks = attacks;
    this.culpritsBefore = rig.culprits();
    this.answersBefore = rig.answers();
    this.againBefore = rig.wallet.again.get();
  }

  /**
   * Every transfer finishes; those whose answers prove it are named, nobody else is, and nobody for
   * what he has not done.
   *
   * @return the transfers, finished
   */
  static List<TransferRequest> run(Rig rig, Map<Integer, Attack> attacks, int transfers) {
    List<TransferRequest> requests = Stream.generate(rig.world::transfer).limit(transfers).toList();
    Round round = new Round(rig, attacks);
    try {
      attacks.forEach(rig::attack);
      round.pay(requests);
      round.awaitAnswers(requests.size() + rig.wallet.again.get() - round.againBefore);
      attacks.forEach((authority, attack) -> round.awaitNamed(authority, attack, requests.size()));
      round.assertNobodyElseNamed();
    } finally {
      rig.peace();
    }
    assertThat(rig.doubleSpends.reported()).isEmpty();
    return requests;
  }

  private void pay(List<TransferRequest> requests) {
    try (ExecutorService wallets = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> payments =
          requests.stream().<Future<?>>map(r -> wallets.submit(() -> rig.wallet.pay(r))).toList();
      for (Future<?> payment : payments) {
        payment.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(attacks + ": a correct wallet's transfer has failed", e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** So that nothing of this round is taken for the next one's. */
  private void awaitAnswers(long requests) {
    for (int authority = 1; authority <= rig.authorities.size(); authority++) {
      int index = authority;
      if (!SILENT.contains(attacks.get(index))) {
        eventually(() ->
            assertThat(sum(delta(rig.answers(), answersBefore, index)))
                .as("answers of %d in %s", index, attacks)
                .isGreaterThanOrEqualTo(requests));
      }
    }
  }

  private void awaitNamed(int authority, Attack attack, int transfers) {
    if (attack.alwaysProves()) {
      int atLeast = attack == Attack.TWO_MAPS ? 1 : transfers;
      eventually(() ->
          assertThat(sum(delta(rig.culprits(), culpritsBefore, authority)))
              .as("%d is named in %s", authority, attacks)
              .isGreaterThanOrEqualTo(atLeast));
    }
  }

  private void assertNobodyElseNamed() {
    Map<Integer, Map<String, Double>> now = rig.culprits();
    for (int authority = 1; authority <= rig.authorities.size(); authority++) {
      Set<String> allowed = new HashSet<>(rig.mayFollow(authority));
      allowed.addAll(attacks.containsKey(authority) ? attacks.get(authority).proves() : Set.of());
      assertThat(delta(now, culpritsBefore, authority).keySet())
          .as("reasons for naming %d in %s", authority, attacks)
          .isSubsetOf(allowed);
    }
  }

  private static Map<String, Double> delta(
      Map<Integer, Map<String, Double>> now,
      Map<Integer, Map<String, Double>> before,
      int authority) {
    Map<String, Double> delta = new TreeMap<>(now.getOrDefault(authority, Map.of()));
    before
        .getOrDefault(authority, Map.of())
        .forEach((label, count) -> delta.merge(label, -count, Double::sum));
    delta.values().removeIf(count -> count == 0);
    return delta;
  }

  private static double sum(Map<String, Double> counts) {
    return counts.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  static void eventually(Runnable assertion) {
    Eventually.holds(PATIENCE, assertion);
  }
}
