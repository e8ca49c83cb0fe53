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
 * Some concurrent transfers of correct wallets while some authorities attack, with all assertions
 * on the outcome.
 */
final class Round {
  /** Attacks whose answers may be missing when the wallets are done. */
  private static final Set<Attack> SILENT = EnumSet.of(Attack.WITHHOLDS, Attack.DRIPS, Attack.CUTS);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final GatewayRig rig;
  private final Map<Integer, Attack> attacks;
  private final Map<Integer, Map<String, Double>> reportsBefore;
  private final Map<Integer, Map<String, Double>> answersBefore;
  private final long againBefore;

  private Round(GatewayRig rig, Map<Integer, Attack> attacks) {
    this.rig = rig;
    this.attacks = attacks;
    this.reportsBefore = rig.reports();
    this.answersBefore = rig.answers();
    this.againBefore = rig.wallet.again.get();
  }

  /**
   * Runs a round: every transfer finishes, authorities whose answers prove an attack are reported,
   * and no authority is reported without such an answer.
   *
   * @return the finished transfers
   */
  static List<TransferRequest> run(GatewayRig rig, Map<Integer, Attack> attacks, int transfers) {
    List<TransferRequest> requests =
        Stream.generate(rig.network::transfer).limit(transfers).toList();
    Round round = new Round(rig, attacks);
    try {
      attacks.forEach(rig::attack);
      round.pay(requests);
      round.awaitAnswers(requests.size() + rig.wallet.again.get() - round.againBefore);
      attacks.forEach(
          (authority, attack) -> round.awaitReports(authority, attack, requests.size()));
      round.assertNoOtherReports();
    } finally {
      rig.endAttacks();
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
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for all answers of this round, so that the next round does not count them. */
  private void awaitAnswers(long requests) {
    for (int authority = 1; authority <= rig.authorities.size(); authority++) {
      int index = authority;
      if (!SILENT.contains(attacks.get(index))) {
        eventually(() ->
            assertThat(sum(delta(rig.answers(), answersBefore, index)))
                .as("answers of %d in %s", index, attacks)
                .isGreaterThanOrEqualTo((double) requests));
      }
    }
  }

  private void awaitReports(int authority, Attack attack, int transfers) {
    if (attack.alwaysProves()) {
      int atLeast = attack == Attack.TWO_MAPS ? 1 : transfers;
      eventually(() ->
          assertThat(sum(delta(rig.reports(), reportsBefore, authority)))
              .as("%d is named in %s", authority, attacks)
              .isGreaterThanOrEqualTo(atLeast));
    }
  }

  private void assertNoOtherReports() {
    Map<Integer, Map<String, Double>> now = rig.reports();
    for (int authority = 1; authority <= rig.authorities.size(); authority++) {
      Set<String> allowed = new HashSet<>(rig.lateReasons(authority));
      allowed.addAll(attacks.containsKey(authority) ? attacks.get(authority).proves() : Set.of());
      assertThat(delta(now, reportsBefore, authority).keySet())
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
    Eventually.holds(LIMIT, assertion);
  }
}
