package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The processes of an authority after a change of keys, on the database of before. */
@Tag("process")
class ChangedKeysTest {

  private RegulatedNetwork network;
  private TransferRequest request;

  @BeforeEach
  void start() {
    network = RegulatedNetwork.create().start();
    request = network.transfer(0, 1);
    Replies.signed(network.submit(request));
  }

  @AfterEach
  void close() {
    network.close();
  }

  private void stop() {
    for (int shard = 0; shard < TestAuthority.SHARDS; shard++) {
      network.authority.stopShard(shard);
    }
    network.authority.stopSigner();
  }

  /**
   * A recovery of a lost share comes with another note key, while all shard maps are signed with
   * the lost one. Without the former key in the manifest, or after its time, the authority would
   * never start again.
   */
  @Test
  @Spec("V-22")
  void anAuthorityLivesOnWithAnotherNoteKey() {
    stop();
    TestCommittee fresh = network.keys.refreshed(1);
    try (TestAuthority late =
        network.authority.with(fresh, Clock.offset(network.clock, Duration.ofDays(3)))) {
      assertThatThrownBy(() -> late.startShard(0))
          .hasStackTraceContaining("this authority has no shard map yet");
    }
    try (TestAuthority renewed = network.authority.with(fresh, network.clock)) {
      renewed.startAll();
      Await.until(
          "both shards accept",
          () -> renewed.status(0).getAccepting() && renewed.status(1).getAccepting());
      assertThat(
              ShardMap.signed(
                  fresh.network(),
                  1,
                  fresh.countersigner(1).publicKey(),
                  renewed.status(0).getShardMapNote()))
          .isEqualTo(ShardMap.equal(1, 2, 2));
      int shard = TestAuthority.ownerOf(request.statement().leadSerial());
      Await.until("the signer knows the rules", () -> renewed.signerKnows(1, 1));
      PartialSignature again =
          Codecs.toDomain(
              Replies.signed(renewed.validator(shard).submitTransfer(Codecs.toWire(request)))
                  .getSigned());
      assertThat(again.shareEpoch()).isEqualTo(1);
      assertThat(
              fresh
                  .committee()
                  .votesFor(
                      request.statement().core(fresh.network()),
                      List.of(again),
                      1,
                      network.clock.instant()))
          .as("voted with the new key")
          .hasSize(1);
    }
  }

  /** A signer that forgot the policies of before refuses every core that they admitted. */
  @Test
  @Spec("F-31")
  void aSignerForgetsNothingWhenTheIssuersChangeTheirKeys() {
    String policyKey = network.sanctions.policyKey();
    String sanctionKey = network.sanctions.sanctionKey();
    String other = key();
    network.authority.with("solidus.trust.policy", other);
    network.authority.with("solidus.trust.sanctions", other);
    network.authority.stopSigner();
    network.authority.startSigner();
    assertThat(network.authority.signerKnowsPolicy(1)).as("without the former keys").isFalse();

    Instant until = network.clock.instant().plus(Duration.ofHours(1));
    former(0, "policy", policyKey, until);
    former(1, "sanctions", sanctionKey, until);
    network.authority.stopSigner();
    network.authority.startSigner();
    assertThat(network.authority.signerKnowsPolicy(1)).isTrue();
    Await.until("checkpoint and heartbeat count", () -> network.authority.signerKnows(1, 1));
  }

  private void former(int number, String issuer, String key, Instant until) {
    String prefix = "solidus.trust.former[" + number + "].";
    network.authority.with(prefix + "issuer", issuer);
    network.authority.with(prefix + "key", key);
    network.authority.with(prefix + "until", until);
  }

  private static String key() {
    return NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32])
        .publicKey()
        .publicKey()
        .base64();
  }
}
