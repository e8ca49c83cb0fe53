package io.solidus.wire.ohttp;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A request as a binary message of known length (RFC 9292). The scheme is https.
 *
 * @param authority host and port, as in the address
 * @param path with the query, begins with a slash
 * @param content empty for none
 */
public record BinaryRequest(
    String method, String authority, String path, List<BinaryField> fields, byte[] content) {
  private static final int FRAMING = 0;
  private static final String SCHEME = "https";
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,16}");
  private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9.:\\[\\]_-]{0,270}");
  private static final Pattern PATH = Pattern.compile("/[!-~&&[^#\\\\]]{0,4095}");

  public BinaryRequest {
    fields = List.copyOf(fields);
    content = content.clone();
    if (!METHOD.matcher(method).matches()
        || !AUTHORITY.matcher(authority).matches()
        || !PATH.matcher(path).matches()) {
      throw new BinaryHttpException("a request's method, authority or path cannot be used");
    }
  }

  @Override
  public byte[] content() {
    return content.clone();
  }

  /**
   * The message, followed by zeros up to the length of its class.
   *
   * @throws BinaryHttpException when it is longer than the longest class
   */
  public byte[] encode() {
    return new BinaryWriter()
        .number(FRAMING)
        .text(method)
        .text(SCHEME)
        .text(authority)
        .text(path)
        .fields(fields)
        .bytes(content)
        .number(0) // no trailers
        .padded();
  }

  /**
   * Reads a message of known length; a scheme other than https and trailers are refused.
   *
   * @throws BinaryHttpException for anything else
   */
  public static BinaryRequest decode(byte[] message) {
    BinaryReader in = new BinaryReader(message);
    in.requireFraming(FRAMING);
    String method = in.text();
    if (!in.text().equals(SCHEME)) {
      throw new BinaryHttpException("the scheme of a request is not https");
    }
    BinaryRequest request =
        new BinaryRequest(method, in.text(), in.text(), in.fields(), in.section());
    in.end();
    return request;
  }
}
