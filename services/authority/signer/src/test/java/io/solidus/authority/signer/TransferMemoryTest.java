package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.signer.Signing.Order;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import org.junit.jupiter.api.Test;

/**
 * What was refused, what was accepted, what there is to sign: remembered exactly and not for ever.
 */
class TransferMemoryTest {

  private static final NetworkId NETWORK = new NetworkId("memory-test");

  private final TransferMemory memory = new TransferMemory(new VerdictCache(2), 2);

  @Test
  void refusesTheSameEvidenceAgainAndNoOther() {
    memory.learn(key(1, 1), NativeErrorCode.PROOF_INVALID);
    assertThat(memory.refused(key(1, 1))).contains(NativeErrorCode.PROOF_INVALID);
    assertThat(memory.refused(key(1, 2))).isEmpty();
    assertThat(memory.refused(key(2, 1))).isEmpty();
    assertThat(memory.suspicious(core(1))).isTrue();
    assertThat(memory.suspicious(core(2))).isFalse();
  }

  @Test
  void goodEvidenceClearsTheCore() {
    memory.learn(key(1, 1), NativeErrorCode.SHOWN_SIGNATURE_INVALID);
    memory.learn(key(1, 2), NativeErrorCode.OK);
    assertThat(memory.suspicious(core(1))).isFalse();
    assertThat(memory.accepted(key(1, 2))).isTrue();
    assertThat(memory.accepted(key(1, 1))).isFalse();
  }

  @Test
  void aFailureOfTheVerifierIsNotTheRequests() {
    memory.learn(key(1, 1), NativeErrorCode.INTERNAL);
    memory.learn(key(1, 1), NativeErrorCode.UNKNOWN_HANDLE);
    memory.learn(key(1, 1), NativeErrorCode.DEADLINE_EXCEEDED);
    assertThat(memory.refused(key(1, 1))).isEmpty();
    assertThat(memory.suspicious(core(1))).isFalse();
    assertThat(memory.accepted(key(1, 1))).isFalse();
  }

  @Test
  void forgetsWhatWasUsedLongestAgo() {
    for (int i = 1; i <= 3; i++) {
      memory.learn(key(i, 1), NativeErrorCode.PROOF_INVALID);
    }
    assertThat(memory.refusals()).isEqualTo(2);
    assertThat(memory.refused(key(1, 1))).isEmpty();
    Order first = order();
    memory.keep(first);
    memory.keep(order());
    memory.keep(order());
    assertThat(memory.orders()).isEqualTo(2);
    assertThat(memory.order(first.core())).isEmpty();
  }

  private static Order order() {
    TransferStatement s = new RandomTransfers(NETWORK).next().statement();
    return new Order(s.family(), s.core(NETWORK), s.serials(), s.inputDigest(NETWORK), s.outputs());
  }

  private static VerdictCache.Key key(int core, int evidence) {
    return new VerdictCache.Key(core(core), Digest32.sha256(new byte[] {(byte) evidence}));
  }

  private static TxCore core(int n) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) n}));
  }
}
