package io.solidus.operator.issuance.redemption;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The bank's end-to-end id of a payout: "SLD" and the first 128 bits of
 * SHA-256("solidus/end-to-end/v1" || network digest || lead serial) in hexadecimal, 35 characters
 * as ISO 20022 allows. It depends on nothing else, so each payout has exactly one.
 */
final class EndToEndId {
  private static final byte[] DOMAIN = "solidus/end-to-end/v1".getBytes(StandardCharsets.US_ASCII);
  static final String PREFIX = "SLD";
  private static final int BYTES = 16;

  private EndToEndId() {}

  static String of(NetworkId network, SerialNumber lead) {
    byte[] digest = Digest32.sha256(DOMAIN, network.digest().bytes(), lead.bytes()).bytes();
    return PREFIX + HexFormat.of().withUpperCase().formatHex(Arrays.copyOf(digest, BYTES));
  }
}
