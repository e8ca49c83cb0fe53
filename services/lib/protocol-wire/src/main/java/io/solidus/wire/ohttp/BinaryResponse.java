package io.solidus.wire.ohttp;

import java.util.List;

/**
 * An answer as a binary message of known length (RFC 9292).
 *
 * @param status 200 to 599
 * @param content empty for none
 */
public record BinaryResponse(int status, List<BinaryField> fields, byte[] content) {
  private static final int FRAMING = 1;
  private static final int LOWEST = 200;
  private static final int HIGHEST = 599;

  public BinaryResponse {
    fields = List.copyOf(fields);
    content = content.clone();
    if (status < LOWEST || status > HIGHEST) {
      throw new BinaryHttpException("the status of an answer is not final");
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
        .number(status)
        .fields(fields)
        .bytes(content)
        .number(0) // no trailers
        .padded();
  }

  /**
   * Reads a message of known length; informational answers and trailers are refused.
   *
   * @throws BinaryHttpException for anything else
   */
  public static BinaryResponse decode(byte[] message) {
    BinaryReader in = new BinaryReader(message);
    in.requireFraming(FRAMING);
    long status = in.number();
    if (status > HIGHEST) {
      throw new BinaryHttpException("the status of an answer is not final");
    }
    BinaryResponse answer = new BinaryResponse((int) status, in.fields(), in.section());
    in.end();
    return answer;
  }
}
