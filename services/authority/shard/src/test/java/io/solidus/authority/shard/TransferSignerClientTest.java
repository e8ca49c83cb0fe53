package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a signer must say before a shard reserves and answers. */
class TransferSignerClientTest {

  private final NetworkId network = new NetworkId("signer-client");
  private final RandomTransfers transfers = new RandomTransfers(network);
  private final List<SpendRequest<Transfer>> requests = List.of(request(), request());
  private final List<CheckOutcome> checks = new ArrayList<>();
  private final List<SignOutcome> signatures = new ArrayList<>();
  private LoopbackServer server;
  private TransferSignerClient client;

  @BeforeEach
  void start() throws IOException {
    server = new LoopbackServer(new Scripted());
    client =
        new TransferSignerClient(
            new SignerStub(
                SignerServiceGrpc.newBlockingStub(server.channel), Duration.ofSeconds(10)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRequestPassesWhenTheSignerCheckedItsCore() {
    checks.addAll(List.of(checked(0), checked(1)));
    assertThat(client.check(requests)).allMatch(Outcome.Done.class::isInstance);
  }

  @Test
  void aCheckOfAnotherCoreIsNone() {
    checks.addAll(List.of(checked(0), checked(0)));
    List<Outcome<Ok>> verdicts = client.check(requests);
    assertThat(verdicts.get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(code(verdicts.get(1))).isEqualTo(RejectionCode.INTERNAL);
  }

  @Test
  void aRefusalAndAMissingOutcomeAreNoCheck() {
    checks.add(CheckOutcome.newBuilder().setRejected(rejection()).build());
    checks.add(CheckOutcome.getDefaultInstance());
    List<Outcome<Ok>> verdicts = client.check(requests);
    assertThat(code(verdicts.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(code(verdicts.get(1))).isEqualTo(RejectionCode.INTERNAL);
  }

  /** Otherwise a surplus outcome would move each verdict to another request. */
  @Test
  void aCallWithAnotherNumberOfOutcomesIsNone() {
    checks.addAll(List.of(checked(0), checked(1), checked(1)));
    assertThatThrownBy(() -> client.check(requests)).hasMessageContaining("did not answer each");
    signatures.addAll(
        List.of(
            SignOutcome.getDefaultInstance(),
            SignOutcome.getDefaultInstance(),
            SignOutcome.getDefaultInstance()));
    assertThatThrownBy(() -> client.sign(requests)).hasMessageContaining("did not answer each");
  }

  @Test
  void aRefusalAndAMissingOutcomeAreNoSignature() {
    signatures.add(SignOutcome.newBuilder().setRejected(rejection()).build());
    signatures.add(SignOutcome.getDefaultInstance());
    var outcomes = client.sign(requests);
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(code(outcomes.get(1))).isEqualTo(RejectionCode.INTERNAL);
  }

  private CheckOutcome checked(int request) {
    return CheckOutcome.newBuilder()
        .setCore(ByteString.copyFrom(requests.get(request).core().bytes()))
        .build();
  }

  private static io.solidus.wire.v1.Rejection rejection() {
    return Rejections.toMessage(new ProtocolException(RejectionCode.PROOF_INVALID, "for the test"));
  }

  private static RejectionCode code(Outcome<?> outcome) {
    return catchThrowableOfType(ProtocolException.class, outcome::get).code();
  }

  private SpendRequest<Transfer> request() {
    TransferRequest request = transfers.next();
    return new SpendRequest<>(
        request.statement().core(network),
        request.statement().serials(),
        Transfer.of(request, Codecs.toWire(request)));
  }

  private final class Scripted extends SignerServiceGrpc.SignerServiceImplBase {
    @Override
    public void checkTransfers(
        CheckTransfersRequest request, StreamObserver<CheckTransfersReply> observer) {
      CheckTransfersReply.Builder reply = CheckTransfersReply.newBuilder();
      reply.getChecksBuilder().addAllOutcomes(checks);
      observer.onNext(reply.build());
      observer.onCompleted();
    }

    @Override
    public void signTransfers(
        SignTransfersRequest request, StreamObserver<SignTransfersReply> observer) {
      SignTransfersReply.Builder reply = SignTransfersReply.newBuilder();
      reply.getSignaturesBuilder().addAllOutcomes(signatures);
      observer.onNext(reply.build());
      observer.onCompleted();
    }
  }
}
