package io.solidus.loadtest.byzantine;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.SerialState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A faulty authority's answer to a look-up, and the reason for which the gateway may then report
 * it, if any.
 */
enum LookUpLie {
  /**
   * A stranger's valid transfer, as if it had spent this coin. It is well formed, so only the
   * coin's owner can detect it.
   */
  STRANGERS_REQUEST {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return holding(truth, withLead(stranger, SerialNumber.of(truth.getSerial().toByteArray())));
    }
  },
  /** The owner's transfer with a proof that does not verify. */
  SPOILT_EVIDENCE {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return truth.hasRequest()
          ? holding(truth, withOtherEvidence(Codecs.toDomain(truth.getRequest()), stranger))
          : truth;
    }
  },
  /** The owner's memo with another payout instruction. */
  OTHER_PAYOUT {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return truth.hasRequest()
          ? holding(truth, withOtherPayout(Codecs.toDomain(truth.getRequest())))
          : truth;
    }
  },
  SAYS_UNSPENT {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return SerialState.newBuilder()
          .setSerial(truth.getSerial())
          .setStatus(SerialState.Status.STATUS_UNSPENT)
          .build();
    }
  },
  SAYS_SPENT {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return holding(truth, stranger).toBuilder().clearRequest().build();
    }
  },
  /** A stored request with the core of another. */
  WRONG_CORE("malformed-state") {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return STRANGERS_REQUEST.state(truth, stranger).toBuilder()
          .setCore(ByteString.copyFrom(new byte[32]))
          .build();
    }
  },
  /** A stranger's transfer with its own serial numbers. */
  OTHER_SERIAL("malformed-state") {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      return holding(truth, stranger);
    }
  },
  SILENT {
    @Override
    SerialState state(SerialState truth, TransferRequest stranger) {
      throw new IllegalStateException("never answers");
    }
  };

  private final String reason;

  LookUpLie() {
    this("");
  }

  LookUpLie(String reason) {
    this.reason = reason;
  }

  Set<String> proves() {
    return reason.isEmpty() ? Set.of() : Set.of(reason);
  }

  /** Whether the wallet can tell its user which authority lied. */
  boolean isSeenByItsOwner() {
    return this == STRANGERS_REQUEST || this == OTHER_PAYOUT;
  }

  /** Makes an authority lie from now on. */
  void by(AuthorityServer liar, TransferRequest stranger) {
    if (this == SILENT) {
      liar.attack(Attack.WITHHOLDS);
    } else {
      liar.lookUps = all(state -> state(state, stranger));
    }
  }

  abstract SerialState state(SerialState truth, TransferRequest stranger);

  private static UnaryOperator<LookUpSerialsReply> all(UnaryOperator<SerialState> change) {
    return reply ->
        LookUpSerialsReply.newBuilder()
            .addAllStates(reply.getStatesList().stream().map(change).toList())
            .build();
  }

  private static SerialState holding(SerialState truth, TransferRequest request) {
    return SerialState.newBuilder()
        .setSerial(truth.getSerial())
        .setStatus(SerialState.Status.STATUS_SIGNED)
        .setCore(ByteString.copyFrom(request.statement().core(ForgedNetwork.NETWORK).bytes()))
        .setRequest(Codecs.toWire(request))
        .build();
  }

  private static TransferRequest withLead(TransferRequest request, SerialNumber lead) {
    TransferStatement s = request.statement();
    List<SerialNumber> serials = new ArrayList<>(s.serials());
    serials.set(0, lead);
    return new TransferRequest(
        new TransferStatement(
            s.family(), serials, s.outputs(), s.period(), s.withdrawn(), s.context()),
        request.evidence(),
        request.attachments(),
        request.certificate());
  }

  private static TransferRequest withOtherEvidence(
      TransferRequest request, TransferRequest stranger) {
    Evidence e = request.evidence();
    return new TransferRequest(
        request.statement(),
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            stranger.evidence().proof(),
            e.rkSignature()),
        request.attachments(),
        request.certificate());
  }

  private static TransferRequest withOtherPayout(TransferRequest request) {
    byte[] payout = new byte[Attachments.PAYOUT_BYTES];
    Arrays.fill(payout, (byte) 7);
    Attachments attachments = new Attachments(payout, request.attachments().memoBlock());
    TransferStatement s = request.statement();
    return new TransferRequest(
        new TransferStatement(
            s.family(),
            s.serials(),
            s.outputs(),
            s.period(),
            s.withdrawn(),
            attachments.context(ForgedNetwork.NETWORK)),
        request.evidence(),
        attachments,
        request.certificate());
  }
}
