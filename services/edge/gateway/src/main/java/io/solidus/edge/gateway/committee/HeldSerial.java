package io.solidus.edge.gateway.committee;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.StoredRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A serial number that an authority refused because another core holds it there. The authority may
 * lie; the request, if it sent one, is of this core.
 *
 * @param transfer the core's request, when it is a transfer that the authority returned
 * @param recover likewise for a recover
 */
public record HeldSerial(
    SerialNumber serial,
    TxCore core,
    @Nullable TransferRequest transfer,
    @Nullable RecoverRequest recover) {

  /** Reads what a refusal shows; empty when it shows nothing, or nothing that can be true. */
  static Optional<HeldSerial> of(NetworkId network, Rejection rejection) {
    if (rejection.getHeldSerial().isEmpty()) {
      return Optional.empty();
    }
    try {
      StoredRequest holder = rejection.getHolder();
      HeldSerial held =
          new HeldSerial(
              SerialNumber.of(rejection.getHeldSerial().toByteArray()),
              TxCore.of(holder.getCore().toByteArray()),
              holder.hasTransfer() ? Codecs.toDomain(holder.getTransfer()) : null,
              holder.hasRecover() ? Codecs.toDomain(holder.getRecover()) : null);
      return Optional.of(held).filter(each -> each.isOfItsCore(network));
    } catch (ProtocolException e) {
      return Optional.empty();
    }
  }

  private boolean isOfItsCore(NetworkId network) {
    return (transfer == null || transfer.statement().core(network).equals(core))
        && (recover == null || recover.resolve(network).core().equals(core));
  }
}
