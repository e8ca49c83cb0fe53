package io.solidus.wire.ohttp;

import java.util.regex.Pattern;

/**
 * A header of a binary message.
 *
 * @param name in lower case
 * @param value printable ASCII without white space at its ends
 */
public record BinaryField(String name, String value) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final Pattern VALUE = Pattern.compile("([!-~]([ -~]*[!-~])?)?");
  private static final int MAX_VALUE = 8192;

  public BinaryField {
    if (!NAME.matcher(name).matches()
        || value.length() > MAX_VALUE
        || !VALUE.matcher(value).matches()) {
      throw new BinaryHttpException("a header cannot be used");
    }
  }
}
