package io.solidus.loadtest.forge;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.util.Arrays;

/**
 * A transfer of a series.
 *
 * @param core its identity
 * @param bytes the request in its canonical protobuf form; not copied, for speed: treat it as
 *     unchangeable
 */
public record ForgedTransfer(TxCore core, byte[] bytes) {

  /** What a gateway or a load generator sends. */
  public io.solidus.wire.v1.TransferRequest wire() {
    try {
      return io.solidus.wire.v1.TransferRequest.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new ForgeException("the series holds a record that is no request", e);
    }
  }

  /** What a validator makes of it, strictly decoded. */
  public TransferRequest request() {
    return Codecs.transferRequest(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForgedTransfer that
        && core.equals(that.core)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return core.hashCode();
  }

  @Override
  public String toString() {
    return "ForgedTransfer[" + core + "]";
  }
}
