package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
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
import java.util.stream.IntStream;
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

  /** Attack: a certificate of a hundred invented votes. */
  @Test
  void junkVotesAreNotVerifiedToTheLast() {
    LargeCommittee hundred = new LargeCommittee();
    PartialSignature[] junk = new PartialSignature[100];
    for (int i = 0; i < 100; i++) {
      junk[i] = hundred.vote(i + 1, core(transfer(5, 6)));
    }
    assertThat(hundred.finishes(sample, junk)).isFalse();
    assertThat(hundred.rule.verified()).as("verified votes").isEqualTo(3);
  }

  /** Attack: f authorities vote for whatever somebody wants. */
  @Test
  void theVotesOfFAuthoritiesCostAWeakQuorumAndTwo() {
    LargeCommittee hundred = new LargeCommittee();
    PartialSignature[] votes = new PartialSignature[100];
    for (int i = 0; i < 100; i++) {
      votes[i] = hundred.vote(i + 1, i < 33 ? core(sample) : core(transfer(5, 6)));
    }
    assertThat(hundred.finishes(sample, votes)).isFalse();
    assertThat(hundred.rule.verified()).isEqualTo(36);
  }

  @Test
  void twoWrongVotesOfAHundredDoNotSpoilACertificate() {
    LargeCommittee hundred = new LargeCommittee();
    PartialSignature[] votes = new PartialSignature[36];
    for (int i = 0; i < votes.length; i++) {
      votes[i] = hundred.vote(i + 1, i < 2 ? core(transfer(5, 6)) : core(sample));
    }
    assertThat(hundred.finishes(sample, votes)).isTrue();
    assertThat(hundred.rule.verified()).isEqualTo(36);
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

  /** A hundred authorities of which only the note keys matter. */
  private static final class LargeCommittee {
    private final List<Ed25519PrivateKey> keys =
        IntStream.rangeClosed(1, 100)
            .mapToObj(
                i -> Ed25519PrivateKey.fromSeed(Digest32.sha256(new byte[] {(byte) i}).bytes()))
            .toList();
    private final FinishRule rule;

    LargeCommittee() {
      Committee four = KEYS.committee();
      CommitteeMember one = four.members().getFirst();
      List<CommitteeMember> members =
          IntStream.rangeClosed(1, 100)
              .mapToObj(i ->
                  new CommitteeMember(
                      i, one.x(), one.y(), one.gamma(), keys.get(i - 1).publicKey()))
              .toList();
      rule =
          new FinishRule(
              new Committee(four.network(), 0, 33, four.x(), four.y(), four.y1(), members),
              (core, serials) -> false);
    }

    PartialSignature vote(int authority, TxCore core) {
      List<G1Point> points = List.of(Points.offCurve(), Points.offCurve());
      return PartialSignature.voted(authority, 0, core, points, keys.get(authority - 1));
    }

    boolean finishes(TransferRequest request, PartialSignature... certificate) {
      return rule.finishes(core(request), Altered.certificate(request, certificate), Instant.now());
    }
  }
}
