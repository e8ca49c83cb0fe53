package io.solidus.edge.gateway.committee;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * The verified partial signatures of a quorum and their combination.
 *
 * @param partials verified, 2f+1 or more
 * @param combined one blinded signature point per output
 * @param faulty indexes of the authorities whose answer did not verify
 */
public record Certificate(
    TxCore core, List<PartialSignature> partials, List<G1Point> combined, List<Integer> faulty) {
  public Certificate {
    partials = List.copyOf(partials);
    combined = List.copyOf(combined);
    faulty = List.copyOf(faulty);
  }
}
