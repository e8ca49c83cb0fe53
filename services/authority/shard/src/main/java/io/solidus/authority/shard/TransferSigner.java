package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.Spend;
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
 * The signer's word on transfers: its check is the shard's check, its signature the shard's answer.
 * The requests travel once, with the check; for signing their cores are enough as long as the
 * signer remembers them.
 */
class TransferSigner implements Signer<Transfer, PartialSignature> {

  private static final int MAX_CALL = 256;

  /** Below the 1 MB that a server takes in, with room for what wraps the requests. */
  private static final int MAX_CALL_BYTES = 900_000;

  private static final int CORE_BYTES = 40;

  private final SignerCalls signer;

  TransferSigner(SignerCalls signer) {
    this.signer = signer;
  }

  @Override
  public List<Outcome<Done>> check(List<Spend<Transfer>> spends) {
    return inCalls(spends, TransferSigner::size, this::checkTogether);
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<Spend<Transfer>> spends) {
    List<SignOutcome> first = inCalls(spends, s -> CORE_BYTES, part -> signTogether(part, false));
    List<Spend<Transfer>> forgotten = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).getForgotten()) {
        forgotten.add(spends.get(i));
      }
    }
    var second =
        inCalls(forgotten, TransferSigner::size, part -> signTogether(part, true)).iterator();
    return first.stream()
        .map(outcome -> signature(outcome.getForgotten() ? second.next() : outcome))
        .toList();
  }

  private List<Outcome<Done>> checkTogether(List<Spend<Transfer>> spends) {
    CheckTransfersRequest.Builder request = CheckTransfersRequest.newBuilder();
    spends.forEach(spend -> request.addRequests(spend.request().toCheck()));
    CheckTransfersReply reply = signer.call().checkTransfers(request.build());
    requireNot(reply.hasRejected(), reply.getRejected());
    List<CheckOutcome> outcomes = reply.getChecks().getOutcomesList();
    requireSize(spends, outcomes);
    List<Outcome<Done>> verdicts = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      verdicts.add(verdict(spends.get(i).core(), outcomes.get(i)));
    }
    return verdicts;
  }

  private List<SignOutcome> signTogether(List<Spend<Transfer>> spends, boolean withRequests) {
    SignTransfersRequest.Builder request = SignTransfersRequest.newBuilder();
    for (Spend<Transfer> spend : spends) {
      SignTransfer.Builder transfer =
          SignTransfer.newBuilder().setCore(ByteString.copyFrom(spend.core().bytes()));
      if (withRequests) {
        transfer.setRequest(spend.request().message());
      }
      request.addTransfers(transfer);
    }
    SignTransfersReply reply = signer.call().signTransfers(request.build());
    requireNot(reply.hasRejected(), reply.getRejected());
    List<SignOutcome> outcomes = reply.getSignatures().getOutcomesList();
    requireSize(spends, outcomes);
    return outcomes;
  }

  private static Outcome<Done> verdict(TxCore core, CheckOutcome outcome) {
    return switch (outcome.getOutcomeCase()) {
      case CORE ->
          outcome.getCore().equals(ByteString.copyFrom(core.bytes()))
              ? Outcome.done(Done.DONE)
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
          Outcome.failed(GrpcReplies.unavailable("the signer forgot what it had just been sent"));
      case OUTCOME_NOT_SET -> Outcome.failed(defect("a signature without an outcome"));
    };
  }

  /** As few calls as the limits allow, one after the other. */
  private static <O> List<O> inCalls(
      List<Spend<Transfer>> spends,
      ToIntFunction<Spend<Transfer>> size,
      Function<List<Spend<Transfer>>, List<O>> call) {
    List<O> outcomes = new ArrayList<>();
    int from = 0;
    while (from < spends.size()) {
      int to = from;
      long bytes = 0;
      do {
        bytes += size.applyAsInt(spends.get(to++));
      } while (to < spends.size()
          && to - from < MAX_CALL
          && bytes + size.applyAsInt(spends.get(to)) <= MAX_CALL_BYTES);
      outcomes.addAll(call.apply(spends.subList(from, to)));
      from = to;
    }
    return outcomes;
  }

  private static int size(Spend<Transfer> spend) {
    return spend.request().message().getSerializedSize() + CORE_BYTES;
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
