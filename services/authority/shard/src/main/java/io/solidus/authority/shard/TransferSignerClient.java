package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfer;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Calls the signer for transfers. Its check is the shard's check, its signature the shard's answer.
 * The requests are sent once, for the check. For signing their cores are enough, as long as the
 * signer remembers them.
 */
class TransferSignerClient implements Signer<Transfer, PartialSignature> {

  private static final int MAX_CALL = 256;

  /** Below the 1 MB that a server accepts, with room for the enclosing message. */
  private static final int MAX_CALL_BYTES = 900_000;

  private static final int CORE_BYTES = 40;

  private final SignerStub signer;

  TransferSignerClient(SignerStub signer) {
    this.signer = signer;
  }

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<Transfer>> requests) {
    return inParts(requests, TransferSignerClient::size, this::checkTogether);
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<SpendRequest<Transfer>> requests) {
    List<SignOutcome> first = inParts(requests, s -> CORE_BYTES, part -> signTogether(part, false));
    List<SpendRequest<Transfer>> forgotten = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).getForgotten()) {
        forgotten.add(requests.get(i));
      }
    }
    var second =
        inParts(forgotten, TransferSignerClient::size, part -> signTogether(part, true)).iterator();
    return first.stream()
        .map(outcome -> signature(outcome.getForgotten() ? second.next() : outcome))
        .toList();
  }

  private List<Outcome<Ok>> checkTogether(List<SpendRequest<Transfer>> requests) {
    CheckTransfersRequest.Builder call = CheckTransfersRequest.newBuilder();
    requests.forEach(request -> call.addRequests(request.content().toCheck()));
    CheckTransfersReply reply = signer.call().checkTransfers(call.build());
    requireNot(reply.hasRejected(), reply.getRejected());
    List<CheckOutcome> outcomes = reply.getChecks().getOutcomesList();
    requireSize(requests, outcomes);
    List<Outcome<Ok>> verdicts = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      verdicts.add(verdict(requests.get(i).core(), outcomes.get(i)));
    }
    return verdicts;
  }

  private List<SignOutcome> signTogether(
      List<SpendRequest<Transfer>> requests, boolean withRequests) {
    SignTransfersRequest.Builder call = SignTransfersRequest.newBuilder();
    for (SpendRequest<Transfer> request : requests) {
      SignTransfer.Builder transfer =
          SignTransfer.newBuilder().setCore(ByteString.copyFrom(request.core().bytes()));
      if (withRequests) {
        transfer.setRequest(request.content().message());
      }
      call.addTransfers(transfer);
    }
    SignTransfersReply reply = signer.call().signTransfers(call.build());
    requireNot(reply.hasRejected(), reply.getRejected());
    List<SignOutcome> outcomes = reply.getSignatures().getOutcomesList();
    requireSize(requests, outcomes);
    return outcomes;
  }

  private static Outcome<Ok> verdict(TxCore core, CheckOutcome outcome) {
    return switch (outcome.getOutcomeCase()) {
      case CORE ->
          outcome.getCore().equals(ByteString.copyFrom(core.bytes()))
              ? Outcome.done(Ok.OK)
              : Outcome.failed(defect("the signer checked another core"));
      case REJECTED -> Outcome.failed(Rejections.toException(outcome.getRejected()));
      case OUTCOME_NOT_SET -> Outcome.failed(defect("a check without an outcome"));
    };
  }

  private static Outcome<PartialSignature> signature(SignOutcome outcome) {
    return switch (outcome.getOutcomeCase()) {
      case SIGNED -> Outcome.done(outcome.getSigned());
      case REJECTED -> Outcome.failed(Rejections.toException(outcome.getRejected()));
      case FORGOTTEN ->
          Outcome.failed(GrpcReplies.unavailable("the signer forgot a request that was just sent"));
      case OUTCOME_NOT_SET -> Outcome.failed(defect("a signature without an outcome"));
    };
  }

  /** Makes as few calls as the limits allow, one after the other. */
  private static <O> List<O> inParts(
      List<SpendRequest<Transfer>> requests,
      ToIntFunction<SpendRequest<Transfer>> size,
      Function<List<SpendRequest<Transfer>>, List<O>> send) {
    List<O> outcomes = new ArrayList<>();
    int from = 0;
    while (from < requests.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += size.applyAsInt(requests.get(to++));
      } while (to < requests.size()
          && to - from < MAX_CALL
          && bytes + size.applyAsInt(requests.get(to)) <= MAX_CALL_BYTES);
      outcomes.addAll(send.apply(requests.subList(from, to)));
      from = to;
    }
    return outcomes;
  }

  private static int size(SpendRequest<Transfer> request) {
    return request.content().message().getSerializedSize() + CORE_BYTES;
  }

  private static void requireNot(boolean rejected, io.solidus.wire.v1.Rejection rejection) {
    if (rejected) {
      throw Rejections.toException(rejection);
    }
  }

  private static void requireSize(List<?> asked, List<?> answered) {
    if (asked.size() != answered.size()) {
      throw defect("the signer did not answer each transfer");
    }
  }

  private static ProtocolException defect(String detail) {
    return new ProtocolException(RejectionCode.INTERNAL, detail);
  }
}
