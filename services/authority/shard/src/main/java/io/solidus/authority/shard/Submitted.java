package io.solidus.authority.shard;

import com.google.protobuf.MessageLite;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TransferRequest;

/**
 * A decoded request together with the message it came in, which is stored and handed on as it is.
 */
sealed interface Submitted {

  Family family();

  MessageLite message();

  /**
   * A transfer of either family.
   *
   * @param message without the gateway's hint
   * @param doubtful the gateway's hint
   */
  record Transfer(
      TransferRequest request, io.solidus.wire.v1.TransferRequest message, boolean doubtful)
      implements Submitted {

    static Transfer of(TransferRequest request, io.solidus.wire.v1.TransferRequest message) {
      boolean doubtful = message.getDoubtful();
      return new Transfer(
          request, doubtful ? message.toBuilder().clearDoubtful().build() : message, doubtful);
    }

    /** The message with the hint. */
    io.solidus.wire.v1.TransferRequest toCheck() {
      return doubtful ? message.toBuilder().setDoubtful(true).build() : message;
    }

    @Override
    public Family family() {
      return request.statement().family();
    }
  }

  /** A mint. */
  record Mint(MintRequest request, io.solidus.wire.v1.MintRequest message) implements Submitted {
    @Override
    public Family family() {
      return Family.MINT;
    }
  }
}
