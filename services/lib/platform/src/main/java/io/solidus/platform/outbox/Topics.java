package io.solidus.platform.outbox;

/** The Kafka topics. Each has one partition, so its records are ordered. */
public final class Topics {
  public static final String KYC_ATTESTATIONS = "kyc.attestations";
  public static final String POLICY = "policy";
  public static final String SANCTIONS_CHECKPOINTS = "sanctions.checkpoints";
  public static final String SPENT = "spent";

  private Topics() {}
}
