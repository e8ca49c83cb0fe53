package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfer;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc.SignerServiceBlockingStub;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shard 1 is in foreign hands: it holds the internal token and writes what it likes into its own
 * schema. The signer signs one core for a serial number all the same.
 */
@Tag("process")
class HostileShardTest {

  private static final int HOSTILE = 1;

  private RegulatedNetwork network;
  private TransferRequest first;
  private TransferRequest second;

  @BeforeEach
  void start() {
    network = RegulatedNetwork.create().start();
    TestWallet wallet = network.walletOn(0);
    first = network.draft(wallet, 0).prove(network.rules());
    second = network.draft(wallet, 0).prove(network.rules());
  }

  @AfterEach
  void stop() {
    network.close();
  }

  @Test
  @Spec("V-20")
  void theSignerSignsNoSecondCoreOfACoin() {
    SubmitReply answer = Replies.signed(network.submit(first));
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(second));
    claim(HOSTILE, second);

    assertThat(sign(second).getRejected().getCode())
        .isEqualTo(RejectionCode.SERIAL_CONFLICT.code());

    network.authority.stopSigner();
    network.authority.startSigner();
    Await.until("the signer is ready", network.authority::signerReady);
    assertThat(sign(second).getRejected().getCode())
        .as("after a restart")
        .isEqualTo(RejectionCode.SERIAL_CONFLICT.code());
    assertThat(network.submit(first)).as("the first core goes on").isEqualTo(answer);
  }

  /** As a restored dump of one schema, or one that was dropped and made anew. */
  @Test
  @Spec("V-20")
  void theSignerSignsNoSecondCoreWhenAShardLostItsRows() {
    Replies.signed(network.submit(first));
    for (int shard = 0; shard <= HOSTILE; shard++) {
      forget(shard);
      claim(shard, second);
    }
    assertThat(sign(second).getRejected().getCode())
        .isEqualTo(RejectionCode.SERIAL_CONFLICT.code());
  }

  private void forget(int shard) {
    String schema = ShardSchema.name(shard);
    for (String sql :
        List.of(
            "ALTER TABLE %s.serials DISABLE TRIGGER ALL",
            "ALTER TABLE %s.cores DISABLE TRIGGER ALL",
            "DELETE FROM %s.cores",
            "DELETE FROM %s.serials")) {
      network.database.jdbc().sql(sql.formatted(schema)).update();
    }
  }

  /** Writes the serial numbers of a request into the schema of one shard, whoever owns them. */
  private void claim(int shard, TransferRequest request) {
    request.statement().serials().forEach(serial -> network.claim(shard, serial, core(request)));
  }

  private SignOutcome sign(TransferRequest request) {
    SignerServiceBlockingStub signer =
        network
            .authority
            .signer()
            .withInterceptors(
                InternalCalls.show(InternalToken.derive(network.keys.noteKeySeed(1))));
    Await.until(
        "the signer has the rules",
        () ->
            signer
                .checkTransfers(
                    CheckTransfersRequest.newBuilder().addRequests(Codecs.toWire(request)).build())
                .getChecks()
                .getOutcomes(0)
                .hasCore());
    return signer
        .signTransfers(
            SignTransfersRequest.newBuilder()
                .addTransfers(
                    SignTransfer.newBuilder()
                        .setCore(ByteString.copyFrom(core(request).bytes()))
                        .setRequest(Codecs.toWire(request)))
                .build())
        .getSignatures()
        .getOutcomes(0);
  }

  private TxCore core(TransferRequest request) {
    return request.statement().core(network.keys.network());
  }
}
