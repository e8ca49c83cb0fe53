package io.solidus.wallet.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Period;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wallet.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A transfer is given up when authorities refuse all evidence that was ever made for it, and not
 * only the evidence that the file holds.
 */
@Spec("W-09")
class ProvedUnderTest {
  private final WalletState none = WalletState.empty(Samples.profile());

  private static TransferRequest request(int period, long policy, long checkpoint) {
    TransferRequest like = Samples.transferRequest();
    TransferStatement s = like.statement();
    Evidence e = like.evidence();
    return new TransferRequest(
        new TransferStatement(
            s.family(), s.serials(), s.outputs(), new Period(period), s.withdrawn(), s.context()),
        new Evidence(
            policy, checkpoint, e.circuitVersion(), e.rk(), e.shows(), e.proof(), e.rkSignature()),
        like.attachments(),
        List.of());
  }

  private static WalletState sent(WalletState before, TransferRequest request) {
    return before.change(edit -> edit.send(request));
  }

  /** Attack: an authority shows older evidence of the core, which replaces that in the file. */
  @Test
  void olderEvidenceOfACoreHidesNoNewerOne() {
    WalletState renewed = sent(sent(none, request(1, 3, 7)), request(1, 4, 6));
    assertThat(renewed.requireProvedUnder()).isEqualTo(new ProvedUnder(4, 7));
    WalletState shown = sent(renewed, request(1, 2, 5));
    assertThat(shown.pending()).isEqualTo(request(1, 2, 5));
    assertThat(shown.requireProvedUnder()).isEqualTo(new ProvedUnder(4, 7));
  }

  @Test
  void anotherCoreStartsAnew() {
    WalletState other = sent(sent(none, request(1, 9, 9)), request(2, 3, 4));
    assertThat(other.requireProvedUnder()).isEqualTo(new ProvedUnder(3, 4));
    WalletState later = other.change(edit -> edit.pending = null);
    assertThat(sent(later, request(3, 1, 2)).requireProvedUnder()).isEqualTo(new ProvedUnder(1, 2));
  }

  @Test
  void aFileOfBeforeHasTheEvidenceOfItsRequest() {
    WalletState old = none.change(edit -> edit.pending = request(1, 5, 6));
    assertThat(old.requireProvedUnder()).isEqualTo(new ProvedUnder(5, 6));
    assertThat(sent(old, request(1, 4, 7)).requireProvedUnder()).isEqualTo(new ProvedUnder(5, 7));
  }

  /**
   * Attack: an authority shows the core with versions that never come, so floors never pass them.
   */
  @Test
  void inventedVersionsAreNotAboveWhatTheWalletHasSeen() {
    ProvedUnder invented = new ProvedUnder(Long.MAX_VALUE, 3);
    assertThat(invented.notAbove(mark(8), mark(9))).isEqualTo(new ProvedUnder(8, 3));
    assertThat(invented.notAbove(mark(8), mark(2))).isEqualTo(new ProvedUnder(8, 2));
    assertThat(invented.notAbove(null, null)).isEqualTo(invented);
  }

  private static RuleMark mark(long version) {
    return new RuleMark(version, Digest32.sha256());
  }
}
