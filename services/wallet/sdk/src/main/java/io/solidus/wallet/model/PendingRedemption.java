package io.solidus.wallet.model;

import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import java.util.List;

/** A finished withdrawal whose evidence has still to reach the issuer. */
public record PendingRedemption(
    int transfer, TransferRequest request, List<PartialSignature> partials) {
  public PendingRedemption {
    partials = List.copyOf(partials);
  }
}
