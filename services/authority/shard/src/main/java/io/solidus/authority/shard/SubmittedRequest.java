package io.solidus.authority.shard;

import com.google.protobuf.MessageLite;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.TransferRequest;
import org.jspecify.annotations.Nullable;

/** A decoded request with the message it came in, which is stored and forwarded unchanged. */
sealed interface SubmittedRequest {

  Family family();

  MessageLite message();

  /**
   * A transfer of any family.
   *
   * @param message without the hint of the gateway
   * @param doubtful the hint of the gateway that the proof may be wrong
   */
  record Transfer(
      TransferRequest request, io.solidus.wire.v1.TransferRequest message, boolean doubtful)
      implements SubmittedRequest {

    static Transfer of(TransferRequest request, io.solidus.wire.v1.TransferRequest message) {
      boolean doubtful = message.getDoubtful();
      return new Transfer(
          request, doubtful ? message.toBuilder().clearDoubtful().build() : message, doubtful);
    }

    /** The message with the hint, for the signer. */
    io.solidus.wire.v1.TransferRequest toCheck() {
      return doubtful ? message.toBuilder().setDoubtful(true).build() : message;
    }

    @Override
    public Family family() {
      return request.statement().family();
    }

    /** Copies of one message are one request. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Transfer that
          && doubtful == that.doubtful
          && message.equals(that.message);
    }

    @Override
    public int hashCode() {
      return message.hashCode();
    }
  }

  /** A mint. */
  record Mint(MintRequest request, io.solidus.wire.v1.MintRequest message)
      implements SubmittedRequest {
    @Override
    public Family family() {
      return Family.MINT;
    }
  }

  /** A recover. */
  record Recover(RecoverRequest request, io.solidus.wire.v1.RecoverRequest message)
      implements SubmittedRequest {
    @Override
    public Family family() {
      return Family.RECOVER;
    }

    /** Copies of one message are one request. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Recover that && message.equals(that.message);
    }

    @Override
    public int hashCode() {
      return message.hashCode();
    }
  }
}
