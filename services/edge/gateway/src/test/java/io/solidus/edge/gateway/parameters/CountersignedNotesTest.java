package io.solidus.edge.gateway.parameters;

import static io.solidus.edge.gateway.TestNotes.ISSUER;
import static io.solidus.edge.gateway.TestNotes.authorityKeys;
import static io.solidus.edge.gateway.TestNotes.checkpointText;
import static io.solidus.edge.gateway.TestNotes.countersigned;
import static io.solidus.edge.gateway.TestNotes.policyText;
import static io.solidus.edge.gateway.TestNotes.withCheckpoint;
import static io.solidus.edge.gateway.TestNotes.withPolicy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.AuthorityFanOut;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Policy and checkpoint, with one authority lying about each of them. */
@Tag("process")
class CountersignedNotesTest {
  private GatewayFixture gateway;

  @BeforeEach
  void reset() {
    gateway = GatewayFixture.shared();
  }

  @Test
  void servesTheNewestCountersignedVersionWhateverALiarClaims() {
    String old = policyText(3);
    String current = policyText(4);
    gateway.setStatus(1, withPolicy(countersigned(1, old), 9999)); // a lie about an old text
    gateway.setStatus(2, withPolicy(countersigned(2, old), 3)); // honest, a little behind
    gateway.setStatus(3, withPolicy(countersigned(3, current), 4));
    gateway.setStatus(4, withPolicy(countersigned(4, current), 4));
    policySatisfies(note -> assertThat(note.text()).isEqualTo(current));
  }

  @Test
  void doesNotServeThePolicyOfOneLiar() {
    String forged = policyText(9);
    String current = policyText(4);
    gateway.setStatus(1, withPolicy(countersigned(1, forged), 9));
    gateway.setStatus(2, withPolicy(countersigned(2, current), 4));
    gateway.setStatus(3, withPolicy(countersigned(3, current), 4));
    policySatisfies(note -> assertThat(note.text()).isEqualTo(current));
  }

  /**
   * An invalid line under the name of another authority or of the issuer would make every wallet
   * refuse the note.
   */
  @Test
  void dropsInvalidLinesOfOneAuthority() {
    String text = policyText(4);
    NoteSignature foreign = TestCommittee.regulated().countersigner(2).sign("something else\n");
    NoteSignature notTheIssuers = ISSUER.sign("something else\n");
    gateway.setStatus(1, withPolicy(countersigned(1, text).with(foreign).with(notTheIssuers), 4));
    gateway.setStatus(2, withPolicy(countersigned(2, text), 4));
    gateway.setStatus(3, withPolicy(countersigned(3, text), 4));
    policySatisfies(note -> {
      assertThat(note.verifiedBy(authorityKeys())).hasSize(3);
      assertThat(note.verifiedBy(List.of(ISSUER.publicKey()))).hasSize(1);
    });
  }

  @Test
  void doesNotCountAnAuthorityThatReturnsAnothersCountersignature() {
    String text = policyText(4);
    gateway.setStatus(1, withPolicy(countersigned(2, text), 4));
    gateway.setStatus(2, withPolicy(countersigned(2, text), 4));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(notes()::policy)
        .satisfies(e -> assertThat(e.code()).isEqualTo(RejectionCode.UNAVAILABLE));
  }

  @Test
  void silentAuthorityDoesNotDelayTheOthers() {
    String text = checkpointText(5);
    for (int i = 1; i <= 3; i++) {
      gateway.setStatus(i, withCheckpoint(countersigned(i, text), 5));
    }
    gateway.silence(4);
    SignedNote note = SignedNote.parse(notes().checkpoint());
    assertThat(SanctionCheckpoint.parse(TestCommittee.NETWORK, note.text()).version()).isEqualTo(5);
    assertThat(note.verifiedBy(authorityKeys())).hasSize(3);
  }

  /**
   * Repeats the question, because a stalled machine can miss the answer of the fourth authority.
   */
  private void policySatisfies(Consumer<SignedNote> requirements) {
    Eventually.holds(() -> requirements.accept(SignedNote.parse(notes().policy())));
  }

  /** A new instance, so that nothing is cached. */
  private CountersignedNotes notes() {
    return new CountersignedNotes(
        gateway.bean(AuthorityClient.class),
        gateway.bean(AuthorityFanOut.class),
        gateway.bean(Committee.class),
        gateway.bean(NetworkId.class));
  }
}
