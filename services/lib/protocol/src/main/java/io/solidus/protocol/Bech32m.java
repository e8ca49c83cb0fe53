package io.solidus.protocol;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * Bech32m (BIP-350) without its limit of 90 characters, as other long addresses use it, up to 1023.
 * The checksum still finds errors; only the guarantee to find any four of them ends at that length.
 */
@Spec("F-11")
public final class Bech32m {
  private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final int CONSTANT = 0x2bc830a3;
  private static final int[] GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };
  private static final int CHECKSUM = 6;
  private static final int MAX_CHARS = 1023;

  /** A decoded string: its human-readable part in lower case and its data as 5-bit groups. */
  public record Decoded(String hrp, byte[] groups) {
    /** Returns the data as bytes; refuses padding of more than 4 bits or other than zeros. */
    public byte[] toBytes() {
      return regroup(groups, 5, 8, false);
    }
  }

  private Bech32m() {}

  /**
   * Encodes bytes with their checksum.
   *
   * @param hrp human-readable part, lower case
   */
  public static String encode(String hrp, byte[] data) {
    byte[] groups = regroup(data, 8, 5, true);
    byte[] all = Arrays.copyOf(groups, groups.length + CHECKSUM);
    int checksum = polymod(expand(hrp, all)) ^ CONSTANT;
    for (int i = 0; i < CHECKSUM; i++) {
      all[groups.length + i] = (byte) ((checksum >>> (5 * (CHECKSUM - 1 - i))) & 31);
    }
    StringBuilder out = new StringBuilder(hrp).append('1');
    for (byte group : all) {
      out.append(ALPHABET.charAt(group));
    }
    return out.toString();
  }

  /**
   * Decodes a string and verifies its checksum.
   *
   * @throws ProtocolException malformed-request for mixed case, a foreign character or a wrong
   *     checksum
   */
  public static Decoded decode(String text) {
    // checked before the case is changed: the lower case of some non-ASCII letters is ASCII
    if (text.length() > MAX_CHARS || text.chars().anyMatch(c -> c < 33 || c > 126)) {
      throw malformed();
    }
    String lower = text.toLowerCase(Locale.ROOT);
    int separator = lower.lastIndexOf('1');
    boolean mixed = !text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT));
    if (mixed || separator < 1 || separator + 1 + CHECKSUM > lower.length()) {
      throw malformed();
    }
    String hrp = lower.substring(0, separator);
    byte[] groups = new byte[lower.length() - separator - 1];
    for (int i = 0; i < groups.length; i++) {
      int value = ALPHABET.indexOf(lower.charAt(separator + 1 + i));
      if (value < 0) {
        throw malformed();
      }
      groups[i] = (byte) value;
    }
    if (polymod(expand(hrp, groups)) != CONSTANT) {
      throw malformed();
    }
    return new Decoded(hrp, Arrays.copyOf(groups, groups.length - CHECKSUM));
  }

  private static byte[] expand(String hrp, byte[] groups) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    hrp.chars().forEach(c -> out.write(c >>> 5));
    out.write(0);
    hrp.chars().forEach(c -> out.write(c & 31));
    out.writeBytes(groups);
    return out.toByteArray();
  }

  private static int polymod(byte[] values) {
    int checksum = 1;
    for (byte value : values) {
      int top = checksum >>> 25;
      checksum = ((checksum & 0x1ffffff) << 5) ^ value;
      for (int i = 0; i < GENERATOR.length; i++) {
        if (((top >>> i) & 1) == 1) {
          checksum ^= GENERATOR[i];
        }
      }
    }
    return checksum;
  }

  private static byte[] regroup(byte[] in, int fromBits, int toBits, boolean pad) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int accumulator = 0;
    int bits = 0;
    for (byte value : in) {
      accumulator = ((accumulator << fromBits) | (value & ((1 << fromBits) - 1))) & 0xfff;
      bits += fromBits;
      while (bits >= toBits) {
        bits -= toBits;
        out.write((accumulator >>> bits) & ((1 << toBits) - 1));
      }
    }
    int rest = accumulator & ((1 << bits) - 1);
    if (pad && bits > 0) {
      out.write(rest << (toBits - bits));
    } else if (!pad && (bits >= fromBits || rest != 0)) {
      throw malformed();
    }
    return out.toByteArray();
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed("not a valid Bech32m string");
  }
}
