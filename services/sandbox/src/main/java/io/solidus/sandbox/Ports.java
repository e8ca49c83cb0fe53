package io.solidus.sandbox;

/**
 * Where the sandbox listens, always on the loopback interface.
 *
 * @param grpcBase authority i takes grpcBase + 10 (i - 1) and the nine ports after it; the prover takes grpcBase + 990
 */
public record Ports(
    int gateway, int registration, int sanctions, int issuance, int control, int grpcBase, int postgres, int kafka) {
  private static final int PER_AUTHORITY = 10;
  private static final int SIGNER = 8;
  private static final int ISSUER = 9;

  public static Ports standard() {
    return new Ports(8080, 8081, 8082, 8083, 8089, 9100, 15432, 19092);
  }

  /** All ports moved by the same amount, so that two sandboxes can run side by side. */
  public static Ports shifted(int by) {
    Ports standard = standard();
    return new Ports(
        standard.gateway + by,
        standard.registration + by,
        standard.sanctions + by,
        standard.issuance + by,
        standard.control + by,
        standard.grpcBase + by,
        standard.postgres + by,
        standard.kafka + by);
  }

  public int shard(int authority, int shard) {
    if (shard >= SIGNER) {
      throw new IllegalArgumentException("the sandbox has room for " + SIGNER + " shards of an authority");
    }
    return grpcBase + PER_AUTHORITY * (authority - 1) + shard;
  }

  public int signer(int authority) {
    return grpcBase + PER_AUTHORITY * (authority - 1) + SIGNER;
  }

  public int issuer(int authority) {
    return grpcBase + PER_AUTHORITY * (authority - 1) + ISSUER;
  }

  public int prover() {
    return grpcBase + 990;
  }
}
