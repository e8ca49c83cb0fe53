package io.solidus.protocol;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The name of a network. Its digest enters every hash and signature, so nothing that is valid in
 * one network is valid in another.
 *
 * @param value 3 to 32 characters of {@code [a-z0-9-]}
 */
@Spec("E-07")
public record NetworkId(String value) {
  private static final Pattern SHAPE = Pattern.compile("[a-z0-9-]{3,32}");

  public NetworkId {
    if (!SHAPE.matcher(value).matches()) {
      throw ProtocolException.malformed("a network id has 3 to 32 characters of a-z, 0-9 and -");
    }
  }

  /** SHA-256("solidus/network/v1\0" || id). */
  public Digest32 digest() {
    return new Digest32(new Transcript("solidus/network/v1\0").bytes(Bytes.utf8(value)).sha256());
  }

  /** The first 16 bytes of the digest: the network's part of the hash's initial state. */
  public byte[] tag() {
    return Arrays.copyOf(digest().bytes(), 16);
  }

  @Override
  public String toString() {
    return value;
  }
}
