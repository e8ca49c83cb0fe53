package io.solidus.loadtest.forge;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;

/**
 * A transfer of a series.
 *
 * @param core its identity
 * @param bytes the request in its canonical protobuf form
 */
public record ForgedTransfer(TxCore core, ByteString bytes) {

  /** The protobuf message that a gateway or a load generator sends. */
  public io.solidus.wire.v1.TransferRequest wire() {
    try {
      return io.solidus.wire.v1.TransferRequest.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new ForgeException("the series has a malformed record", e);
    }
  }

  /** The request as a validator decodes it. */
  public TransferRequest request() {
    return Codecs.transferRequest(bytes.toByteArray());
  }

  @Override
  public String toString() {
    return "ForgedTransfer[" + core + "]";
  }
}
