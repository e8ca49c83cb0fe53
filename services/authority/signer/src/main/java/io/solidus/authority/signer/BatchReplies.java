package io.solidus.authority.signer;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Outcome;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Answer;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersReply;
import io.solidus.wire.v1.Checks;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SignOutcome;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.Signatures;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the outcomes of a batch to reply messages. */
final class BatchReplies {

  private static final Logger log = LoggerFactory.getLogger(BatchReplies.class);

  private BatchReplies() {}

  static CheckTransfersReply checks(List<Outcome<TxCore>> outcomes) {
    Checks.Builder checks = Checks.newBuilder();
    for (Outcome<TxCore> outcome : outcomes) {
      CheckOutcome.Builder item = checks.addOutcomesBuilder();
      switch (outcome) {
        case Outcome.Done<TxCore> done -> item.setCore(ByteString.copyFrom(done.value().bytes()));
        case Outcome.Failed<TxCore> failed -> item.setRejected(rejection(failed.reason()));
      }
    }
    return CheckTransfersReply.newBuilder().setChecks(checks).build();
  }

  /**
   * Converts signatures; an empty outcome means that the request is no longer in the signer's
   * cache.
   */
  static SignTransfersReply signatures(List<Outcome<Optional<Answer>>> outcomes) {
    Signatures.Builder signatures = Signatures.newBuilder();
    for (Outcome<Optional<Answer>> outcome : outcomes) {
      SignOutcome.Builder item = signatures.addOutcomesBuilder();
      switch (outcome) {
        case Outcome.Done<Optional<Answer>> done ->
            done.value()
                .ifPresentOrElse(
                    answer -> item.setSigned(Codecs.toWire(answer)), () -> item.setForgotten(true));
        case Outcome.Failed<Optional<Answer>> failed ->
            item.setRejected(rejection(failed.reason()));
      }
    }
    return SignTransfersReply.newBuilder().setSignatures(signatures).build();
  }

  /** The rejection of a failure; a defect is reported without internal details. */
  private static Rejection rejection(RuntimeException reason) {
    return GrpcReplies.rejection(reason)
        .map(Rejections::toMessage)
        .orElseGet(() -> {
          log.error("unforeseen failure of one item of a batch: {}", reason.getClass().getName());
          return Rejections.toMessage(
              new ProtocolException(RejectionCode.INTERNAL, "a defect of this signer"));
        });
  }
}
