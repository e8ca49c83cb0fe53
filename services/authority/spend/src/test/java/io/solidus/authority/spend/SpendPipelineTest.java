package io.solidus.authority.spend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Each request of a batch gets the outcome it would get alone. Even serial numbers are in the range
 * of this shard, odd ones in that of the sibling.
 */
@Timeout(
    value = 60,
    threadMode = ThreadMode.SEPARATE_THREAD) // a request without an outcome runs for ever
class SpendPipelineTest {

  private final MemoryPorts ports = new MemoryPorts();
  private Failpoints failpoints = step -> {};
  private TestMap map = new TestMap(1, false);

  @Test
  void signsAllGoodRequestsOfABatchTogether() {
    List<Outcome<String>> outcomes =
        run(List.of(spend(1, "good", 2, 4), spend(2, "good", 6, 7), spend(3, "good", 8)));
    assertThat(outcomes).containsExactly(signature(1), signature(2), signature(3));
    assertThat(ports.checked).as("one check for the batch").containsExactly(3);
    assertThat(ports.siblings).containsOnlyKeys(serial(7));
  }

  @Test
  void aBadRequestFailsNoOther() {
    List<Outcome<String>> outcomes =
        run(
            List.of(
                spend(1, "good", 2),
                spend(2, "bad", 4),
                spend(3, "late", 6),
                spend(4, "good", 8),
                spend(5, "good", 9),
                spend(6, "unsignable", 10)));
    assertThat(outcomes.get(0)).isEqualTo(signature(1));
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(code(outcomes.get(2))).isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(outcomes.get(3)).isEqualTo(signature(4));
    assertThat(code(outcomes.get(4)))
        .as("a lead of the sibling's range")
        .isEqualTo(RejectionCode.SHARD_MOVED);
    assertThat(code(outcomes.get(5))).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(ports.own)
        .as("a rejected request holds nothing")
        .containsOnlyKeys(serial(2), serial(8), serial(10));
  }

  /**
   * Attack: a refresh of the shares. An answer of the epoch before is signed anew although its
   * policy is out of its window; a core that only resembles it is not.
   */
  @Test
  @Spec("V-21")
  void aCoreSignedInAFormerEpochIsSignedAnewWithoutWindows() {
    ports.own.put(serial(2), core(1));
    ports.former.add(core(1));
    assertThat(run(List.of(spend(1, "late", 2)))).containsExactly(signature(1));
    assertThat(ports.checked).as("its proof is checked").containsExactly(1);
    assertThat(run(List.of(spend(1, "late", 2)))).containsExactly(signature(1));
    assertThat(ports.checked).as("answered again").containsExactly(1);
    assertThat(code(run(List.of(spend(2, "late", 4))).getFirst()))
        .isEqualTo(RejectionCode.STALE_POLICY);
    ports.former.add(core(3));
    assertThat(code(run(List.of(spend(3, "late", 2))).getFirst()))
        .as("another core holds its serial number")
        .isEqualTo(RejectionCode.SERIAL_CONFLICT);
    ports.own.put(serial(6), core(4));
    ports.own.put(serial(8), core(5));
    ports.former.add(core(4));
    List<Outcome<String>> forbidden =
        run(List.of(spend(4, "forbidden", 6), spend(5, "forbidden", 8)));
    assertThat(forbidden.getFirst()).as("no rule of now counts").isEqualTo(signature(4));
    assertThat(code(forbidden.getLast())).isEqualTo(RejectionCode.STALE_POLICY);
  }

  @Test
  @Spec("V-23")
  void aCoreThatHoldsItsLeadPassesTheWindows() {
    ports.own.put(serial(2), core(1));
    ports.own.put(serial(4), core(9));
    ports.own.put(serial(8), core(3));
    List<Outcome<String>> outcomes =
        run(
            List.of(
                spend(1, "late", 2, 6),
                spend(2, "late", 4),
                spend(3, "late", 10, 8),
                spend(4, "late", 12)));
    assertThat(outcomes.get(0)).as("reserved before the switch").isEqualTo(signature(1));
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(code(outcomes.get(2)))
        .as("another serial number than the lead shows nothing")
        .isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(code(outcomes.get(3))).isEqualTo(RejectionCode.STALE_POLICY);
  }

  @Test
  void aBrokenCopyOfACoreDoesNotRejectTheOriginal() {
    List<Outcome<String>> outcomes =
        run(List.of(spend(1, "bad", 2), spend(1, "good", 2), spend(1, "bad", 2)));
    assertThat(outcomes)
        .as("an answer is valid for whoever sends the core")
        .containsExactly(signature(1), signature(1), signature(1));
  }

  @Test
  void evidenceIsRejectedForItsOwnFault() {
    List<Outcome<String>> outcomes =
        run(
            List.of(
                spend(1, "bad", 2), spend(1, "late", 2), spend(1, "bad 2", 2), spend(2, "bad", 4)));
    assertThat(outcomes.stream().map(SpendPipelineTest::code))
        .containsExactly(
            RejectionCode.PROOF_INVALID,
            RejectionCode.STALE_POLICY,
            RejectionCode.PROOF_INVALID,
            RejectionCode.PROOF_INVALID);
  }

  /** Attack: one core in a whole batch, each time with other evidence. */
  @Test
  void oneCoreSentManyTimesTakesOneRound() {
    List<SpendRequest<String>> flood = new ArrayList<>();
    for (int i = 0; i < 255; i++) {
      flood.add(spend(1, "bad " + i, 2));
    }
    flood.add(spend(2, "good", 4));
    List<Outcome<String>> outcomes = run(flood);
    assertThat(outcomes.getLast()).isEqualTo(signature(2));
    assertThat(outcomes.subList(0, 255))
        .allSatisfy(outcome -> assertThat(code(outcome)).isEqualTo(RejectionCode.PROOF_INVALID));
    assertThat(ports.checked).as("calls of the signer").containsExactly(256);
    assertThat(ports.lookUps).as("look-ups").isEqualTo(1);
  }

  /** Attack: the same message many times. */
  @Test
  void copiesOfOneMessageAreCheckedOnce() {
    List<Outcome<String>> outcomes = run(Collections.nCopies(256, spend(1, "bad", 2)));
    assertThat(outcomes)
        .allSatisfy(outcome -> assertThat(code(outcome)).isEqualTo(RejectionCode.PROOF_INVALID));
    assertThat(ports.checked).containsExactly(1);
  }

  @Test
  @Spec("V-02")
  void theSameCoreTwiceGetsOneSignature() {
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2), spend(1, "good", 2)));
    assertThat(outcomes).containsExactly(signature(1), signature(1));
    assertThat(ports.checked).containsExactly(1);
    assertThat(run(List.of(spend(1, "bad", 2))))
        .as("whatever evidence it brings now")
        .containsExactly(signature(1));
  }

  @Test
  void ofTwoCoresThatWantOneSerialNumberTheFirstGoodOneWins() {
    List<Outcome<String>> outcomes =
        run(List.of(spend(1, "bad", 2), spend(2, "good", 4, 2), spend(3, "good", 2, 6)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
    assertThat(code(outcomes.get(2))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(ports.own).doesNotContainKey(serial(6));
    assertThat(ports.signed).containsExactly(core(2));
  }

  @Test
  void aDeferredCoreRunsWhenItsRivalHasFailed() {
    ports.faster.put(serial(4), core(99));
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2, 4), spend(2, "good", 2)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
  }

  @Test
  @Spec("V-04")
  void aConflictAtTheSiblingReservesNothingHere() {
    ports.siblings.put(serial(7), core(99));
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2, 7), spend(2, "good", 4)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
    assertThat(ports.own).containsOnlyKeys(serial(4));
  }

  /** Another shard was faster after the look-up; the signer in {@link MemoryPorts} would refuse. */
  @Test
  void aConflictWhenReservingAtTheSiblingEndsTheCore() {
    ports.fasterAtSibling.put(serial(3), core(9));
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2, 3), spend(2, "good", 4, 5)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
    assertThat(ports.signed).containsExactly(core(2));
  }

  @Test
  void aStoreThatIsAwayFailsTheBatchAndNothingIsReserved() {
    ports.storeUnavailable = true;
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2), spend(2, "good", 4)));
    assertThat(outcomes)
        .extracting(SpendPipelineTest::code)
        .containsOnly(RejectionCode.UNAVAILABLE);
    assertThat(ports.own).isEmpty();
    ports.storeUnavailable = false;
    assertThat(run(List.of(spend(1, "good", 2)))).containsExactly(signature(1));
  }

  @Test
  void anAnswerThatWasNotStoredDoesNotLeave() {
    ports.losesAnswers = true;
    Outcome<String> outcome = run(List.of(spend(1, "good", 2))).getFirst();
    assertThat(((Outcome.Failed<String>) outcome).reason())
        .hasMessageContaining("an answer is not stored");
  }

  /** Another batch stored an answer for the core meanwhile. Every request gets the stored bytes. */
  @Test
  void theStoredAnswerLeavesAndNotTheOneJustSigned() {
    failpoints =
        step -> {
          if (step == Failpoints.Step.SIGNED) {
            ports.answers.put(core(1), "the stored one");
          }
        };
    assertThat(run(List.of(spend(1, "good", 2)))).containsExactly(Outcome.done("the stored one"));
  }

  /** A signer that has forgotten a request checks its evidence again. */
  @Test
  void evidenceFoundWrongWhenSigningIsRejectedAndOtherEvidenceRunsAgain() {
    List<Outcome<String>> outcomes =
        run(List.of(spend(1, "forgotten", 2), spend(1, "good", 2), spend(2, "forgotten", 4)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(outcomes.get(1)).isEqualTo(signature(1));
    assertThat(code(outcomes.get(2))).isEqualTo(RejectionCode.PROOF_INVALID);
  }

  /** A signer that is away says nothing about the evidence: every copy may be sent again. */
  @Test
  void aSignerThatIsAwayRejectsNoEvidence() {
    List<Outcome<String>> outcomes =
        run(List.of(spend(1, "unsignable", 2), spend(1, "unsignable", 2), spend(1, "good", 2)));
    assertThat(outcomes)
        .extracting(SpendPipelineTest::code)
        .containsOnly(RejectionCode.UNAVAILABLE);
  }

  @Test
  void anUnavailableSiblingFailsOnlyRequestsThatNeedIt() {
    ports.siblingUnavailable = true;
    List<Outcome<String>> outcomes = run(List.of(spend(1, "good", 2, 7), spend(2, "good", 4)));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(outcomes.get(1)).isEqualTo(signature(2));
  }

  @Test
  void afterACrashAtAnyStepTheSameCoreGetsTheSameAnswer() {
    SpendRequest<String> request = spend(1, "good", 2, 7);
    for (Failpoints.Step step : Failpoints.Step.values()) {
      failpoints =
          reached -> {
            if (reached == step) {
              throw new Crash();
            }
          };
      assertThatThrownBy(() -> run(List.of(request, spend(2, "good", 4))))
          .as(step.name())
          .isInstanceOf(Crash.class);
      // a stored answer would end the next run before it reaches the later steps
      ports.answers.clear();
    }
    failpoints = step -> {};
    assertThat(run(List.of(request))).containsExactly(signature(1));
  }

  @Test
  void answersBeforeDeferredRequestsRunAgain() {
    List<Integer> order = new ArrayList<>();
    pipeline()
        .run(
            List.of(spend(1, "good", 2), spend(2, "good", 2), spend(3, "good", 4)),
            (index, outcome) -> order.add(index));
    assertThat(order).containsExactly(0, 2, 1);
  }

  /**
   * Attack: a split while a batch is under way. What the batch asks of siblings follows from the
   * map that it began with, so the calls carry that version, and a sibling with the newer one
   * refuses them.
   */
  @Test
  @Spec("V-18")
  void callsCarryTheMapVersionThatTheBatchGoesBy() {
    failpoints = step -> map = new TestMap(2, true);
    assertThat(run(List.of(spend(1, "good", 2, 7)))).containsExactly(signature(1));
    assertThat(ports.versions).as("look-up and reservation").containsExactly(1L, 1L);
    assertThat(ports.siblings).containsOnlyKeys(serial(7));
  }

  /** Serial numbers 4 and 7 are those of successors; core 1 holds the lead, core 2 its coin. */
  @Test
  @Spec("X-26")
  void aRecoverLeavesTheRowsOfTheCoresBelowIt() {
    ports.own.put(serial(2), core(1));
    ports.siblings.put(serial(9), core(2));
    assertThat(run(List.of(recover(3, Set.of(1, 2), 2, 4, 7, 9)))).containsExactly(signature(3));
    assertThat(ports.own).containsEntry(serial(2), core(1)).containsEntry(serial(4), core(3));
    assertThat(ports.siblings).containsEntry(serial(9), core(2)).containsEntry(serial(7), core(3));
    assertThat(run(List.of(spend(1, "good", 2))))
        .as("a core below it is still signed")
        .containsExactly(signature(1));
    assertThat(code(run(List.of(spend(4, "good", 4))).getFirst()))
        .isEqualTo(RejectionCode.SERIAL_CONFLICT);
  }

  /** Attack: a core that is not below the recover holds a serial number, here or at a sibling. */
  @Test
  @Spec({"X-26", "X-27"})
  void aRecoverIsRefusedWithWhatAnotherCoreHolds() {
    ports.own.put(serial(2), core(1));
    ports.own.put(serial(4), core(5));
    ports.siblings.put(serial(9), core(6));
    assertHeld(run(List.of(recover(3, Set.of(1), 2, 4))), 4, 5);
    assertHeld(run(List.of(recover(3, Set.of(1), 2, 6, 9))), 9, 6);
    assertHeld(run(List.of(spend(3, "good", 2))), 2, 1);
    assertThat(ports.own).as("nothing was reserved").hasSize(2);
  }

  /** Attack: what is free at the look-up is another core's at the reservation. */
  @Test
  @Spec("X-26")
  void aFasterCoreAtTheSiblingRefusesTheRecover() {
    ports.fasterAtSibling.put(serial(9), core(6));
    assertThat(code(run(List.of(recover(3, Set.of(1), 2, 9))).getFirst()))
        .isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(run(List.of(recover(4, Set.of(3, 6), 2, 9))))
        .as("a recover over both goes on")
        .containsExactly(signature(4));
  }

  /** Two recovers of one batch, one over the other, want the same rows: one after the other. */
  @Test
  @Spec("X-26")
  void aRecoverOverARecoverOfItsBatchRunsAfterIt() {
    assertThat(run(List.of(recover(3, Set.of(1), 2, 4), recover(4, Set.of(1, 3), 2, 4, 6))))
        .containsExactly(signature(3), signature(4));
    assertThat(ports.own).containsEntry(serial(4), core(3)).containsEntry(serial(6), core(4));
    ports.own.clear();
    ports.answers.clear();
    List<Outcome<String>> outcomes =
        run(List.of(recover(4, Set.of(1, 3), 2, 4, 6), recover(3, Set.of(1), 2, 4)));
    assertThat(outcomes.getFirst()).isEqualTo(signature(4));
    assertThat(code(outcomes.getLast())).isEqualTo(RejectionCode.SERIAL_CONFLICT);
  }

  private static void assertHeld(List<Outcome<String>> outcomes, int serial, int holder) {
    assertThat(((Outcome.Failed<String>) outcomes.getFirst()).reason())
        .isInstanceOfSatisfying(
            SerialHeldException.class,
            held -> {
              assertThat(held.serial()).isEqualTo(serial(serial));
              assertThat(held.holder()).isEqualTo(core(holder));
            });
  }

  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  private List<Outcome<String>> run(List<SpendRequest<String>> requests) {
    return pipeline().run(requests);
  }

  /**
   * One version of the map.
   *
   * @param swapped odd serial numbers are in the range of this shard, even ones in the sibling's
   */
  private record TestMap(long version, boolean swapped) implements Ranges {
    @Override
    public int self() {
      return 0;
    }

    @Override
    public int ownerOf(SerialNumber serial) {
      return serial.value().toBigInteger().testBit(0) ^ swapped ? 1 : 0;
    }
  }

  private SpendPipeline<String, String> pipeline() {
    return new SpendPipeline<>(
        () -> map, ports, ports, ports, ports, failpoints, PipelineObserver.NONE);
  }

  private static SpendRequest<String> spend(int core, String evidence, int... serials) {
    List<SerialNumber> numbers = new ArrayList<>();
    for (int serial : serials) {
      numbers.add(serial(serial));
    }
    return new SpendRequest<>(core(core), numbers, evidence);
  }

  private static SpendRequest<String> recover(int core, Set<Integer> below, int... serials) {
    SpendRequest<String> like = spend(core, "good", serials);
    return new SpendRequest<>(
        like.core(),
        like.serials(),
        below.stream().map(SpendPipelineTest::core).collect(Collectors.toSet()),
        like.content());
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
