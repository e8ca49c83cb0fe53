package io.solidus.loadtest.forge;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;

/**
 * A transfer in the form of the gateway's REST API, ready to be sent.
 *
 * @param core hexadecimal, 64 characters: the Idempotency-Key, and part of the certificate's path
 * @param lead the lead serial number, base64url, 43 characters
 * @param body of POST /v1/transfers
 */
public record RestTransfer(String core, String lead, String body) {
  private static final int CORE_CHARS = 2 * Digest32.BYTES;
  private static final int LEAD_CHARS = (FieldElement.BYTES * 4 + 2) / 3;
  private static final int BODY_AT = CORE_CHARS + LEAD_CHARS + 2;

  public static RestTransfer of(NetworkId network, TransferRequest request) {
    return new RestTransfer(
        request.statement().core(network).hex(),
        Base64Url.encode(request.statement().leadSerial().bytes()),
        WireJson.write(TransferRequestJson.of(request)));
  }

  /** The core, a space, the lead, a space, the body. Generators cut it at fixed positions. */
  public String line() {
    return core + ' ' + lead + ' ' + body;
  }

  /**
   * Parses a line of a pool.
   *
   * @throws ForgeException when the line is malformed
   */
  public static RestTransfer parse(String line) {
    if (line.length() <= BODY_AT
        || line.charAt(CORE_CHARS) != ' '
        || line.charAt(BODY_AT - 1) != ' '
        || line.charAt(BODY_AT) != '{') {
      throw new ForgeException("a malformed line of a pool");
    }
    return new RestTransfer(
        line.substring(0, CORE_CHARS),
        line.substring(CORE_CHARS + 1, BODY_AT - 1),
        line.substring(BODY_AT));
  }

  @Override
  public String toString() {
    return "RestTransfer[" + core + "]";
  }
}
