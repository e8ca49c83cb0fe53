package io.solidus.wallet.model;

import io.solidus.protocol.MintRequest;

/** A requested mint with its proof; approvals are added once they exist. */
public record PendingMint(String fundingId, String accessToken, int ordinal, MintRequest request) {
  @Override
  public String toString() {
    return "PendingMint[fundingId=" + fundingId + ", ordinal=" + ordinal + "]";
  }
}
