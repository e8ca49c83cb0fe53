package io.solidus.loadtest.chaos.load;

import com.google.protobuf.ByteString;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The wrong answers that a fault gives in the place of an authority. The checks do not take them
 * for answers of the authority, and a wallet must not take one for a signature.
 */
public final class Lies {

  private static final String MARK = "a lie of the fault suite";

  private final Set<ByteString> signatures = ConcurrentHashMap.newKeySet();
  private final AtomicLong told = new AtomicLong();

  /** Remembers a wrong signature as a lie. */
  public SubmitReply signature(PartialSignature wrong) {
    signatures.add(wrong.toByteString());
    told.incrementAndGet();
    return SubmitReply.newBuilder().setSigned(wrong).build();
  }

  /** A final refusal that has no cause. */
  public SubmitReply refusal() {
    told.incrementAndGet();
    return SubmitReply.newBuilder()
        .setRejected(
            Rejection.newBuilder().setCode(RejectionCode.SERIAL_CONFLICT.code()).setDetail(MARK))
        .build();
  }

  boolean isLie(SubmitReply reply) {
    return reply.hasSigned()
        ? signatures.contains(reply.getSigned().toByteString())
        : reply.getRejected().getDetail().equals(MARK);
  }

  /** The number of wrong answers so far. */
  public long told() {
    return told.get();
  }
}
