package io.solidus.authority.shard.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A batch during whose run a range moves. */
class RetryOnShardMoveTest {

  private static final ShardMap FIRST = ShardMap.equal(1, 1, 2);
  private static final ShardMap SECOND = FIRST.split(0, FIRST.ranges().get(0).middle());

  /** Requests whose lead serial numbers shard 0 keeps, gives away and keeps. */
  private static final List<SpendRequest<String>> BATCH =
      List.of(
          spend(1, FieldElement.ofLong(5)),
          spend(2, SECOND.ranges().get(2).lo()),
          spend(3, FieldElement.ofLong(6)));

  private ShardMap known = FIRST;
  private final List<List<SpendRequest<String>>> runs = new ArrayList<>();
  private final Map<Integer, Outcome<String>> outcomes = new HashMap<>();

  @Test
  @Spec("V-18")
  void repeatsRequestsOfTheRangeItStillOwnsByTheNewestMap() {
    run(() -> known = SECOND, SECOND.version());
    assertThat(runs).containsExactly(BATCH, List.of(BATCH.get(0), BATCH.get(2)));
    assertThat(outcomes.get(0)).isEqualTo(Outcome.done("1"));
    assertThat(isMoved(Objects.requireNonNull(outcomes.get(1)))).isTrue();
    assertThat(outcomes.get(2)).isEqualTo(Outcome.done("3"));
  }

  @Test
  void aSecondMoveIsReportedToTheClient() {
    run(() -> known = SECOND, Long.MAX_VALUE);
    assertThat(runs).hasSize(2);
    assertThat(outcomes.values()).hasSize(3).allMatch(RetryOnShardMoveTest::isMoved);
  }

  @Test
  void withoutANewerMapNothingIsRepeated() {
    run(() -> {}, Long.MAX_VALUE);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(RetryOnShardMoveTest::isMoved);
  }

  @Test
  void anUnavailableDatabaseLeavesTheRejection() {
    run(
        () -> {
          throw new IllegalStateException("unavailable");
        },
        Long.MAX_VALUE);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(RetryOnShardMoveTest::isMoved);
  }

  @Test
  void otherOutcomesAreAnsweredAtOnce() {
    run(
        () -> {
          throw new AssertionError("the map is not needed");
        },
        1);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(outcome -> outcome instanceof Outcome.Done);
  }

  /**
   * Runs the batch.
   *
   * @param succeedsFrom the first map version with which the work succeeds
   */
  private void run(Runnable refresh, long succeedsFrom) {
    new RetryOnShardMove<String, String>(
            () -> new ShardMapView(known, 0),
            refresh,
            (requests, answers) -> {
              runs.add(List.copyOf(requests));
              for (int i = 0; i < requests.size(); i++) {
                answers.answer(
                    i,
                    known.version() >= succeedsFrom
                        ? Outcome.done(requests.get(i).content())
                        : Outcome.failed(moved()));
              }
            })
        .run(BATCH, outcomes::put);
  }

  private static boolean isMoved(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException rejection
        && rejection.code() == RejectionCode.SHARD_MOVED;
  }

  private static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "for the test");
  }

  private static SpendRequest<String> spend(int number, FieldElement lead) {
    byte[] core = new byte[32];
    core[0] = (byte) number;
    return new SpendRequest<>(
        TxCore.of(core), List.of(new SerialNumber(lead)), Integer.toString(number));
  }
}
