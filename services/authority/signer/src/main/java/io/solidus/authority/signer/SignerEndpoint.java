package io.solidus.authority.signer;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckMintRequest;
import io.solidus.wire.v1.CheckRecoverRequest;
import io.solidus.wire.v1.CheckReply;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.Checked;
import io.solidus.wire.v1.SignMintRequest;
import io.solidus.wire.v1.SignRecoverRequest;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The gRPC service of the signer. Every Sign call checks again. The results of Check calls are
 * cached, so the second check is cheap.
 */
public class SignerEndpoint extends SignerServiceGrpc.SignerServiceImplBase {

  private final SignerNetwork network;
  private final TransferBatchService transfers;
  private final MintChecker mints;
  private final RecoverChecker recovers;
  private final RegistrationChecker registrations;
  private final SigningService signing;
  private final SignLogSupervisor signLog;
  private final SignerMetrics metrics;

  SignerEndpoint(
      SignerNetwork network,
      TransferBatchService transfers,
      MintChecker mints,
      RecoverChecker recovers,
      RegistrationChecker registrations,
      SigningService signing,
      SignLogSupervisor signLog,
      SignerMetrics metrics) {
    this.network = network;
    this.transfers = transfers;
    this.mints = mints;
    this.recovers = recovers;
    this.registrations = registrations;
    this.signing = signing;
    this.signLog = signLog;
    this.metrics = metrics;
  }

  @Override
  public void checkTransfers(
      CheckTransfersRequest request, StreamObserver<CheckTransfersReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> {
          List<Outcome<TxCore>> outcomes =
              metrics.timedCheck("transfers", () -> transfers.check(request.getRequestsList()));
          metrics.checked(outcomes);
          return BatchReplies.checks(outcomes);
        },
        rejection -> CheckTransfersReply.newBuilder().setRejected(rejection).build());
  }

  @Override
  public void signTransfers(
      SignTransfersRequest request, StreamObserver<SignTransfersReply> observer) {
    GrpcReplies.answer(
        observer,
        () -> {
          List<Outcome<Optional<Answer>>> outcomes =
              metrics.timedSign("transfers", () -> transfers.sign(request.getTransfersList()));
          metrics.signed(outcomes);
          return BatchReplies.signatures(outcomes);
        },
        rejection -> SignTransfersReply.newBuilder().setRejected(rejection).build());
  }

  @Override
  public void checkMint(CheckMintRequest request, StreamObserver<CheckReply> observer) {
    check("mint", observer, () -> mints.require(Codecs.toDomain(request.getRequest())));
  }

  @Override
  public void signMint(SignMintRequest request, StreamObserver<SubmitReply> observer) {
    sign(
        "mint",
        observer,
        () -> {
          MintRequest mint = Codecs.toDomain(request.getRequest());
          TxCore core = mints.require(mint);
          MintStatement s = mint.statement();
          return new SigningRequest(
              Family.MINT, core, List.of(s.serial(network.id())), Outputs.of(network.id(), s));
        });
  }

  @Override
  public void checkRecover(CheckRecoverRequest request, StreamObserver<CheckReply> observer) {
    check(
        "recover", observer, () -> recovers.require(Codecs.toDomain(request.getRequest())).core());
  }

  @Override
  public void signRecover(SignRecoverRequest request, StreamObserver<SubmitReply> observer) {
    sign("recover", observer, () -> recovers.require(Codecs.toDomain(request.getRequest())));
  }

  @Override
  public void signRegistration(
      SignRegistrationRequest request, StreamObserver<SubmitReply> observer) {
    sign(
        "registration",
        observer,
        () -> {
          RegisterRequest registration = Codecs.toDomain(request.getRequest());
          Attestation attestation =
              registrations.require(registration, request.getAttestationNote());
          return new SigningRequest(
              Family.REGISTER,
              attestation.registerCore(),
              RegistrationSerials.of(network.id(), attestation),
              Outputs.of(network.id(), registration.statement()));
        });
  }

  private void check(String kind, StreamObserver<CheckReply> observer, Supplier<TxCore> work) {
    GrpcReplies.answer(
        observer,
        () -> {
          // a shard must not reserve what this signer cannot sign
          signLog.requireReady();
          TxCore core = metrics.timedCheck(kind, work);
          return CheckReply.newBuilder()
              .setChecked(Checked.newBuilder().setCore(ByteString.copyFrom(core.bytes())))
              .build();
        },
        GrpcReplies::rejectedCheck);
  }

  private void sign(
      String kind, StreamObserver<SubmitReply> observer, Supplier<SigningRequest> checked) {
    GrpcReplies.answer(
        observer,
        () -> {
          Answer answer = metrics.timedSign(kind, () -> signing.sign(checked.get()));
          return SubmitReply.newBuilder().setSigned(Codecs.toWire(answer)).build();
        },
        GrpcReplies::rejectedSubmit);
  }
}
