package io.solidus.wallet.model;

import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.TransferRequest;
import java.util.List;

/** A finished withdrawal whose payout has not been requested from the issuer yet. */
public record PendingRedemption(
    int transfer, TransferRequest request, List<PartialSignature> partials) {
  public PendingRedemption {
    partials = List.copyOf(partials);
  }
}
