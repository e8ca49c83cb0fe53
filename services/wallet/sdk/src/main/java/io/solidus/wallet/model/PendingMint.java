package io.solidus.wallet.model;

import io.solidus.protocol.MintRequest;

/** A mint under way: proved and asked for; approvals are added when they are there. */
public record PendingMint(String fundingId, String accessToken, int ordinal, MintRequest request) {
  @Override
  public String toString() {
    return "PendingMint[fundingId=" + fundingId + ", ordinal=" + ordinal + "]";
  }
}
