package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.OutputToBlind;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Spec("V-11")
class FinishRuleTest {
  private static final TestCommittee KEYS = TestCommittee.regulated();

  private final Generators random = new Generators(11);
  private final Set<TxCore> signedHere = new HashSet<>();
  private final FinishRule rule =
      new FinishRule(KEYS.committee(), (core, serials) -> signedHere.contains(core));
  private final TransferRequest sample =
      random.transferRequest(TestCommittee.NETWORK, Family.TRANSFER);
  private final List<FieldElement> messages = List.of(random.fieldElement(), random.fieldElement());
  private final List<FieldElement> secrets = List.of(random.fieldElement(), random.fieldElement());

  /** A transfer whose outputs differ from those of the others here in their blindings only. */
  private TransferRequest transfer(int firstBlinding, int secondBlinding) {
    TransferStatement s = sample.statement();
    Outputs outputs =
        KEYS.suite()
            .blind(
                s.inputDigest(TestCommittee.NETWORK),
                s.period(),
                List.of(
                    new OutputToBlind(
                        messages.get(0), secrets.get(0), TestRandom.scalar(firstBlinding)),
                    new OutputToBlind(
                        messages.get(1), secrets.get(1), TestRandom.scalar(secondBlinding))));
    TransferStatement statement =
        new TransferStatement(
            s.family(), s.serials(), outputs.coins(), s.period(), s.withdrawn(), s.context());
    return new TransferRequest(statement, sample.evidence(), sample.attachments(), List.of());
  }

  private static TxCore core(TransferRequest request) {
    return request.statement().core(TestCommittee.NETWORK);
  }

  private boolean finishes(TransferRequest request, PartialSignature... certificate) {
    return rule.finishes(
        core(request),
        new TransferRequest(
            request.statement(), request.evidence(), request.attachments(), List.of(certificate)),
        Instant.now());
  }

  @Test
  void theVotesOfAWeakQuorumFinishACore() {
    TransferRequest request = transfer(5, 6);
    PartialSignature one = KEYS.partial(1, request.statement());
    PartialSignature two = KEYS.partial(2, request.statement());
    assertThat(finishes(request, one, two)).isTrue();
    assertThat(finishes(request, one)).isFalse();
    assertThat(finishes(request)).isFalse();
    assertThat(
            finishes(
                request, one, new PartialSignature(2, two.shareEpoch(), two.points(), one.vote())))
        .isFalse();
  }

  /**
   * Attack: partial signatures on one core are moved to a core in other blinding. The points are
   * valid there, but no authority accepted that core in time.
   */
  @Test
  void partialSignaturesMovedToAnotherBlindingDoNotFinish() {
    TransferRequest inTime = transfer(5, 6);
    TransferRequest late = transfer(5, 2);
    Outputs from = Outputs.of(TestCommittee.NETWORK, inTime.statement());
    Outputs to = Outputs.of(TestCommittee.NETWORK, late.statement());
    PartialSignature[] moved = new PartialSignature[3];
    for (int authority = 1; authority <= moved.length; authority++) {
      PartialSignature original = KEYS.partial(authority, inTime.statement());
      moved[authority - 1] = KEYS.moved(original, from, 1, TestRandom.scalar(4));
      assertThat(KEYS.suite().checkPoints(KEYS.committee(), to, moved[authority - 1]))
          .as("the moved points of authority %s verify", authority)
          .isTrue();
    }
    assertThat(core(late)).isNotEqualTo(core(inTime));
    assertThat(finishes(late, moved)).isFalse();
  }

  /** What this signer signed in a former epoch was accepted in time; another core was not. */
  @Test
  void aCoreThatThisSignerSignedIsFinished() {
    TransferRequest request = transfer(5, 6);
    signedHere.add(core(request));
    assertThat(finishes(request)).isTrue();
    assertThat(finishes(request, KEYS.partial(1, request.statement()))).isTrue();
    assertThat(finishes(transfer(5, 2))).isFalse();
  }

  /** Attack: junk certificates, so that each costs a look-up in the signer's table. */
  @Test
  void aCertificateWithoutVotesCostsNoLookUp() {
    TransferRequest request = transfer(5, 6);
    FinishRule noLookUp =
        new FinishRule(
            KEYS.committee(),
            (core, serials) -> {
              throw new AssertionError("looked up");
            });
    PartialSignature junk = KEYS.partial(1, transfer(7, 8).statement());
    assertThat(
            noLookUp.finishes(
                core(request),
                new TransferRequest(
                    request.statement(),
                    request.evidence(),
                    request.attachments(),
                    List.of(junk, KEYS.partial(2, transfer(7, 9).statement()))),
                Instant.now()))
        .isFalse();
  }
}
