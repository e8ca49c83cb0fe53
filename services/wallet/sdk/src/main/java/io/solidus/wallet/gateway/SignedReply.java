package io.solidus.wallet.gateway;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import java.util.List;

/**
 * What a gateway brings back for a core. Nothing in it is believed before it is checked.
 *
 * @param combined one point per output, or empty
 */
public record SignedReply(List<PartialSignature> partials, List<G1Point> combined) {
  public SignedReply {
    partials = List.copyOf(partials);
    combined = List.copyOf(combined);
  }
}
