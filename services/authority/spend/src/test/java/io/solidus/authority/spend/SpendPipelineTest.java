package io.solidus.authority.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each spend of a batch ends as it would alone. Even serial numbers are this shard's, odd ones the
 * sibling's.
 */
class SpendPipelineTest {

  private final MemoryPorts ports = new MemoryPorts();
  private Failpoints failpoints = step -> {};

  @Test
  void everyGoodSpendIsSignedTogetherWithTheOthers() {
    List<Outcome<String>> outcomes =
        run(spend(1, "good", 2, 4), spend(2, "good", 6, 7), spend(3, "good", 8));
    assertThat(outcomes).containsExactly(signature(1), signature(2), signature(3));
    assertThat(ports.checked).as("one check for the batch").containsExactly(3);
    assertThat(ports.siblings).containsOnlyKeys(serial(7));
  }

  @Test
  void aBadOneSpoilsNoOther() {
    List<Outcome<String>> outcomes =
        run(
            spend(1, "good", 2),
            spend(2, "bad", 4),
            spend(3, "late", 6),
            spend(4, "good", 8),
            spend(5, "good", 9),
            spend(6, "unsignable", 10));
    assertThat(outcomes.get(0)).isEqualTo(signature(1));
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(code(outcomes.get(2))).isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(outcomes.get(3)).isEqualTo(signature(4));
    assertThat(code(outcomes.get(4)))
        .as("a lead of the sibling's range")
        .isEqualTo(RejectionCode.SHARD_MOVED);
    assertThat(code(outcomes.get(5))).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(ports.own)
        .as("what was refused holds nothing")
        .containsOnlyKeys(serial(2), serial(8), serial(10));
  }

  @Test
  void theSameCoreWithABadAndAGoodProofIsJudgedTwice() {
    List<Outcome<String>> outcomes =
        run(spend(1, "bad", 2), spend(1, "good", 2), spend(1, "bad", 2));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(outcomes.get(1)).isEqualTo(signature(1));
    assertThat(outcomes.get(2)).as("answered before").isEqualTo(signature(1));
  }

  @Test
  @Spec("V-02")
  void theSameCoreAgainGetsTheSameAnswerFromOneSignature() {
    List<Outcome<String>> outcomes = run(spend(1, "good", 2), spend(1, "good", 2));
    assertThat(outcomes).containsExactly(signature(1), signature(1));
    assertThat(ports.checked).containsExactly(1);
    assertThat(run(spend(1, "bad", 2)))
        .as("whatever the evidence is by then")
        .containsExactly(signature(1));
  }

  @Test
  void ofTwoCoresOfOneSerialNumberInOneBatchTheFirstGoodOneWins() {
    List<Outcome<String>> outcomes =
        run(spend(1, "bad", 2), spend(2, "good", 4, 2), spend(3, "good", 2, 6));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
    assertThat(code(outcomes.get(2))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(ports.own).doesNotContainKey(serial(6));
    assertThat(ports.signed).containsExactly(core(2));
  }

  @Test
  void aCoreWhoseRivalFailsAfterAllGetsItsTurn() {
    ports.faster.put(serial(4), core(99));
    List<Outcome<String>> outcomes = run(spend(1, "good", 2, 4), spend(2, "good", 2));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
  }

  @Test
  @Spec("V-04")
  void aConflictAtTheSiblingUsesUpNothingHere() {
    ports.siblings.put(serial(7), core(99));
    List<Outcome<String>> outcomes = run(spend(1, "good", 2, 7), spend(2, "good", 4));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
    assertThat(ports.own).containsOnlyKeys(serial(4));
  }

  @Test
  void aSiblingThatIsAwayFailsOnlyWhoNeedsIt() {
    ports.siblingAway = true;
    List<Outcome<String>> outcomes = run(spend(1, "good", 2, 7), spend(2, "good", 4));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
  }

  @Test
  void afterACrashAtAnyStepTheSameCoreEndsInTheSameAnswer() {
    Spend<String> spend = spend(1, "good", 2, 7);
    for (Failpoints.Step step : Failpoints.Step.values()) {
      failpoints =
          reached -> {
            if (reached == step) {
              throw new Crash();
            }
          };
      assertThatThrownBy(() -> run(spend, spend(2, "good", 4)))
          .as(step.name())
          .isInstanceOf(Crash.class);
      ports.answers
          .clear(); // so that every step is reached; a real shard would answer from here on
    }
    failpoints = step -> {};
    assertThat(run(spend)).containsExactly(signature(1));
  }

  @Test
  void outcomesLeaveBeforeRivalsHaveRunAgain() {
    List<Integer> order = new ArrayList<>();
    pipeline()
        .run(
            List.of(spend(1, "good", 2), spend(2, "good", 2), spend(3, "good", 4)),
            (index, outcome) -> order.add(index));
    assertThat(order).containsExactly(0, 2, 1);
  }

  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  @SafeVarargs
  private List<Outcome<String>> run(Spend<String>... spends) {
    return pipeline().run(List.of(spends));
  }

  private SpendPipeline<String, String> pipeline() {
    Ranges ranges =
        new Ranges() {
          @Override
          public int self() {
            return 0;
          }

          @Override
          public int ownerOf(SerialNumber serial) {
            return serial.value().toBigInteger().testBit(0) ? 1 : 0;
          }
        };
    return new SpendPipeline<>(() -> ranges, ports, ports, ports, ports, failpoints);
  }

  private static Spend<String> spend(int core, String evidence, int... serials) {
    List<SerialNumber> numbers = new ArrayList<>();
    for (int serial : serials) {
      numbers.add(serial(serial));
    }
    return new Spend<>(core(core), numbers, evidence);
  }

  private static SerialNumber serial(int number) {
    return new SerialNumber(FieldElement.ofLong(number));
  }

  private static TxCore core(int number) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) number}));
  }

  private static Outcome<String> signature(int core) {
    return Outcome.done("signature of " + core(core));
  }

  private static RejectionCode code(Outcome<String> outcome) {
    return ((ProtocolException) ((Outcome.Failed<String>) outcome).reason()).code();
  }
}
