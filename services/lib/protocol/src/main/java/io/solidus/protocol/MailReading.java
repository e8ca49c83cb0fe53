package io.solidus.protocol;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a replica says when it reads the mailbox's tables: who it is, when, and what it asks for. It
 * signs that with its key for lists, so that a gateway gives it places that no stranger can take.
 *
 * @param authority 1 to N
 * @param time Unix time in seconds
 * @param target path and query of the request
 */
@Spec("F-56")
public record MailReading(int authority, long time, String target) {
  /** Name of the header of HTTP that carries {@link #header}. */
  public static final String HEADER = "Solidus-Replica";

  /** How far the clocks of a replica and a gateway may be apart, in seconds. */
  private static final long MAX_APART = 120;

  private static final int MAX_TARGET = 256;
  private static final String KIND = "mail-reading";
  private static final Pattern FORM =
      Pattern.compile("([1-9][0-9]{0,2}) ([1-9][0-9]{0,11}) ([A-Za-z0-9_-]{86})");

  public MailReading {
    if (authority < 1 || authority > Committee.MAX_MEMBERS || time < 1) {
      throw ProtocolException.malformed("a replica's reading is out of range");
    }
    if (target.length() > MAX_TARGET || target.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw ProtocolException.malformed("a replica's reading is of no path");
    }
  }

  /**
   * A reading and a signature that nobody has verified.
   *
   * @param signature 64 bytes
   */
  public record Claim(MailReading reading, byte[] signature) {
    public Claim {
      signature = Bytes.fixed(signature, Ed25519PublicKey.SIGNATURE_BYTES, "a signature");
    }

    @Override
    public byte[] signature() {
      return signature.clone();
    }

    /** Whether this key signed it, for this network, about now. */
    public boolean isBy(NoteKey key, NetworkId network, long nowSeconds) {
      return Math.abs(nowSeconds - reading.time()) <= MAX_APART
          && key.publicKey().verify(Bytes.utf8(reading.toNoteText(network)), signature);
    }
  }

  private String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("authority", authority)
        .line("time", time)
        .line("target", target)
        .text();
  }

  /** The value of the header. */
  public String header(NetworkId network, NoteSigner signer) {
    byte[] signature = signer.sign(toNoteText(network)).signature();
    return authority
        + " "
        + time
        + " "
        + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
  }

  /**
   * Reads the header of a request. No signature is verified.
   *
   * @param target of the request that carries it
   * @throws ProtocolException malformed-request
   */
  public static Claim parse(String header, String target) {
    Matcher parts = FORM.matcher(header);
    if (!parts.matches()) {
      throw ProtocolException.malformed("a replica's reading has another form");
    }
    try {
      return new Claim(
          new MailReading(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)), target),
          Base64.getUrlDecoder().decode(parts.group(3)));
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("a replica's signature is not base64url");
    }
  }
}
