package io.solidus.edge.gateway.committee;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * What a quorum answered.
 *
 * @param partials checked, 2f+1 or more
 * @param combined one blinded signature point per output
 * @param faulty authorities whose answer did not verify
 */
public record Certificate(
    TxCore core, List<PartialSignature> partials, List<G1Point> combined, List<Integer> faulty) {
  public Certificate {
    partials = List.copyOf(partials);
    combined = List.copyOf(combined);
    faulty = List.copyOf(faulty);
  }
}
