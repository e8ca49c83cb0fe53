package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import org.junit.jupiter.api.Test;

/** The cache remembers exactly the rejected, accepted and checked transfers, with bounded size. */
class TransferCacheTest {

  private static final NetworkId NETWORK = new NetworkId("memory-test");

  private final TransferCache cache = new TransferCache(new AcceptedEvidence(2), 2);

  @Test
  void rejectsTheSameEvidenceAgainAndNoOther() {
    cache.learn(key(1, 1), NativeErrorCode.PROOF_INVALID);
    assertThat(cache.rejected(key(1, 1))).contains(NativeErrorCode.PROOF_INVALID);
    assertThat(cache.rejected(key(1, 2))).isEmpty();
    assertThat(cache.rejected(key(2, 1))).isEmpty();
    assertThat(cache.suspicious(core(1))).isTrue();
    assertThat(cache.suspicious(core(2))).isFalse();
  }

  @Test
  void goodEvidenceClearsTheSuspicion() {
    cache.learn(key(1, 1), NativeErrorCode.SHOWN_SIGNATURE_INVALID);
    cache.learn(key(1, 2), NativeErrorCode.OK);
    assertThat(cache.suspicious(core(1))).isFalse();
    assertThat(cache.accepted(key(1, 2))).isTrue();
    assertThat(cache.accepted(key(1, 1))).isFalse();
  }

  @Test
  void aFailureOfTheVerifierIsNotRememberedForTheRequest() {
    cache.learn(key(1, 1), NativeErrorCode.INTERNAL);
    cache.learn(key(1, 1), NativeErrorCode.UNKNOWN_HANDLE);
    cache.learn(key(1, 1), NativeErrorCode.DEADLINE_EXCEEDED);
    assertThat(cache.rejected(key(1, 1))).isEmpty();
    assertThat(cache.suspicious(core(1))).isFalse();
    assertThat(cache.accepted(key(1, 1))).isFalse();
  }

  @Test
  void removesTheLeastRecentlyUsedEntry() {
    for (int i = 1; i <= 3; i++) {
      cache.learn(key(i, 1), NativeErrorCode.PROOF_INVALID);
    }
    assertThat(cache.rejectedCount()).isEqualTo(2);
    assertThat(cache.rejected(key(1, 1))).isEmpty();
    SigningRequest first = signing();
    cache.keep(first);
    cache.keep(signing());
    cache.keep(signing());
    assertThat(cache.checkedCount()).isEqualTo(2);
    assertThat(cache.signing(first.core())).isEmpty();
  }

  private static SigningRequest signing() {
    TransferStatement s = new RandomTransfers(NETWORK).next().statement();
    return new SigningRequest(s.family(), s.core(NETWORK), s.serials(), Outputs.of(NETWORK, s));
  }

  private static EvidenceKey key(int core, int evidence) {
    return new EvidenceKey(core(core), Digest32.sha256(new byte[] {(byte) evidence}));
  }

  private static TxCore core(int n) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) n}));
  }
}
