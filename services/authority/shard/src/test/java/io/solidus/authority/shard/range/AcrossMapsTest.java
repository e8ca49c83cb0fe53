package io.solidus.authority.shard.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A batch that meets a range on the move. */
class AcrossMapsTest {

  private static final ShardMap FIRST = ShardMap.equal(1, 1, 2);
  private static final ShardMap SECOND = FIRST.split(0, FIRST.ranges().get(0).middle());

  /** Led by what shard 0 keeps, by what it gives away, and by what it keeps again. */
  private static final List<Spend<String>> BATCH =
      List.of(
          spend(1, FieldElement.ofLong(5)),
          spend(2, SECOND.ranges().get(2).lo()),
          spend(3, FieldElement.ofLong(6)));

  private final AtomicReference<ShardMap> known = new AtomicReference<>(FIRST);
  private final List<List<Spend<String>>> runs = new ArrayList<>();
  private final Map<Integer, Outcome<String>> outcomes = new HashMap<>();

  @Test
  @Spec("V-18")
  void whatIsStillItsOwnRunsOnceMoreByTheNewestMap() {
    run(() -> known.set(SECOND), SECOND.version());
    assertThat(runs).containsExactly(BATCH, List.of(BATCH.get(0), BATCH.get(2)));
    assertThat(outcomes.get(0)).isEqualTo(Outcome.done("1"));
    assertThat(isMoved(outcomes.get(1))).isTrue();
    assertThat(outcomes.get(2)).isEqualTo(Outcome.done("3"));
  }

  @Test
  void aSecondMoveIsTheClientsToFollow() {
    run(() -> known.set(SECOND), Long.MAX_VALUE);
    assertThat(runs).hasSize(2);
    assertThat(outcomes.values()).hasSize(3).allMatch(AcrossMapsTest::isMoved);
  }

  @Test
  void withoutANewerMapNothingRunsAgain() {
    run(() -> {}, Long.MAX_VALUE);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(AcrossMapsTest::isMoved);
  }

  @Test
  void aDatabaseThatIsAwayLeavesTheRefusalAsItIs() {
    run(
        () -> {
          throw new IllegalStateException("away");
        },
        Long.MAX_VALUE);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(AcrossMapsTest::isMoved);
  }

  @Test
  void otherAnswersLeaveAtOnce() {
    run(
        () -> {
          throw new AssertionError("nobody has to look");
        },
        1);
    assertThat(runs).hasSize(1);
    assertThat(outcomes.values()).hasSize(3).allMatch(outcome -> outcome instanceof Outcome.Done);
  }

  /**
   * @param succeedsFrom the map version by which the work finds everything in its place
   */
  private void run(Runnable refresh, long succeedsFrom) {
    new AcrossMaps<String, String>(
            () -> new RangeView(known.get(), 0),
            refresh,
            (spends, answers) -> {
              runs.add(List.copyOf(spends));
              for (int i = 0; i < spends.size(); i++) {
                answers.answer(
                    i,
                    known.get().version() >= succeedsFrom
                        ? Outcome.done(spends.get(i).request())
                        : Outcome.failed(moved()));
              }
            })
        .run(BATCH, outcomes::put);
  }

  private static boolean isMoved(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.reason() instanceof ProtocolException refusal
        && refusal.code() == RejectionCode.SHARD_MOVED;
  }

  private static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "for the test");
  }

  private static Spend<String> spend(int number, FieldElement lead) {
    byte[] core = new byte[32];
    core[0] = (byte) number;
    return new Spend<>(TxCore.of(core), List.of(new SerialNumber(lead)), Integer.toString(number));
  }
}
