package io.solidus.wallet.gateway;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import java.util.List;

/**
 * The gateway's reply for a core, not yet verified.
 *
 * @param partials as sent by the authorities
 * @param combined one combined point per output, or empty
 */
public record SignedReply(List<PartialSignature> partials, List<G1Point> combined) {
  public SignedReply {
    partials = List.copyOf(partials);
    combined = List.copyOf(combined);
  }
}
