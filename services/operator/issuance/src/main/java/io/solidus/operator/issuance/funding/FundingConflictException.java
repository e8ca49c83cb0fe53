package io.solidus.operator.issuance.funding;

/** A funding with this id already exists, or its access token can no longer be replaced. */
final class FundingConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FundingConflictException(String message) {
    super(message);
  }
}
