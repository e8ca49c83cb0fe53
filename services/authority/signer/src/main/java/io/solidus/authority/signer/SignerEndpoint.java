package io.solidus.authority.signer;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.signer.Signing.Order;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckMintRequest;
import io.solidus.wire.v1.CheckReply;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.Checked;
import io.solidus.wire.v1.SignMintRequest;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The signer's service. Every Sign call checks again; what Check verified a moment ago is
 * remembered, so that costs nothing.
 */
public class SignerEndpoint extends SignerServiceGrpc.SignerServiceImplBase {

  private final SignerNetwork network;
  private final TransferBatches batches;
  private final MintCheck mints;
  private final RegistrationCheck registrations;
  private final Signing signing;
  private final LogHolder signLog;
  private final SignerMetrics metrics;

  SignerEndpoint(
      SignerNetwork network,
      TransferBatches batches,
      MintCheck mints,
      RegistrationCheck registrations,
      Signing signing,
      LogHolder signLog,
      SignerMetrics metrics) {
    this.network = network;
    this.batches = batches;
    this.mints = mints;
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
              metrics.timed("check", "transfers", () -> batches.check(request.getRequestsList()));
          metrics.items("checked", outcomes);
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
          List<Outcome<Optional<PartialSignature>>> outcomes =
              metrics.timed("sign", "transfers", () -> batches.sign(request.getTransfersList()));
          metrics.items("signed", outcomes);
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
          return new Order(
              Family.MINT,
              core,
              List.of(s.serial(network.id())),
              s.inputDigest(network.id()),
              List.of(s.coin()));
        });
  }

  @Override
  public void signRegistration(
      SignRegistrationRequest request, StreamObserver<SubmitReply> observer) {
    sign(
        "registration",
        observer,
        () -> {
          RegisterRequest registration = Codecs.toDomain(request.getRequest());
          TxCore core = registrations.require(registration, request.getAttestationNote());
          RegisterStatement s = registration.statement();
          return new Order(
              Family.REGISTER, core, List.of(), s.inputDigest(network.id()), List.of(s.coin()));
        });
  }

  private void check(String kind, StreamObserver<CheckReply> observer, Supplier<TxCore> work) {
    GrpcReplies.answer(
        observer,
        () -> {
          // a shard must not reserve what this signer could not sign anyway
          signLog.requireReady();
          TxCore core = metrics.timed("check", kind, work);
          return CheckReply.newBuilder()
              .setChecked(Checked.newBuilder().setCore(ByteString.copyFrom(core.bytes())))
              .build();
        },
        GrpcReplies::rejectedCheck);
  }

  private void sign(String kind, StreamObserver<SubmitReply> observer, Supplier<Order> checked) {
    GrpcReplies.answer(
        observer,
        () -> {
          PartialSignature partial = metrics.timed("sign", kind, () -> signing.sign(checked.get()));
          return SubmitReply.newBuilder().setSigned(Codecs.toWire(partial)).build();
        },
        GrpcReplies::rejectedSubmit);
  }
}
