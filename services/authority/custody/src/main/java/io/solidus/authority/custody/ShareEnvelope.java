package io.solidus.authority.custody;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A share file encrypted under a data key, with the data key encrypted under a token's key. The
 * file is one line of JSON with exactly one valid form. It contains no plain secret. The encryption
 * authenticates everything before the nonce.
 */
@Spec("K-06")
public final class ShareEnvelope {
  /** Longer files are not envelopes. */
  public static final int MAX_BYTES = 16_384;

  static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private static final String FORMAT = "solidus/share-envelope/v1";
  private static final byte[] MAGIC =
      ("{\"format\":\"" + FORMAT + '"').getBytes(StandardCharsets.US_ASCII);
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final Pattern SHAPE =
      Pattern.compile(
          "\\{\"format\":\""
              + FORMAT
              + "\",\"networkId\":\"(?<network>[a-z0-9-]{3,32})\",\"authority\":(?<authority>[1-9][0-9]{0,3}),"
              + "\"epoch\":(?<epoch>0|[1-9][0-9]{0,8}),\"manifestSha256\":\"(?<manifest>[0-9a-f]{64})\",\"wrap\":\"AES-GCM\","
              + "\"keyLabel\":\"(?<label>[A-Za-z0-9._:-]{1,64})\",\"wrappedKey\":\"(?<wrapped>[0-9a-f]{"
              + 2 * Token.WRAPPED_BYTES
              + "})\""
              + ",\"nonce\":\"(?<nonce>[0-9a-f]{24})\",\"sealed\":\"(?<sealed>(?:[0-9a-f]{2}){17,6000})\"\\}\n");

  private final Binding binding;
  private final String keyLabel;
  private final byte[] wrappedKey;
  private final byte[] nonce;
  private final byte[] sealed;

  private ShareEnvelope(
      Binding binding, String keyLabel, byte[] wrappedKey, byte[] nonce, byte[] sealed) {
    this.binding = binding;
    this.keyLabel = keyLabel;
    this.wrappedKey = wrappedKey;
    this.nonce = nonce;
    this.sealed = sealed;
  }

  /** Whether the file starts like an envelope. */
  public static boolean looksLikeOne(byte[] raw) {
    return raw.length >= MAGIC.length
        && Arrays.equals(raw, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Parses an envelope.
   *
   * @throws CustodyException ENVELOPE_MALFORMED
   */
  public static ShareEnvelope parse(byte[] raw) {
    Matcher matcher =
        raw.length > MAX_BYTES ? null : SHAPE.matcher(new String(raw, StandardCharsets.ISO_8859_1));
    if (matcher == null || !matcher.matches()) {
      throw new CustodyException(
          CustodyCode.ENVELOPE_MALFORMED, "the share file is not an envelope of format " + FORMAT);
    }
    try {
      return new ShareEnvelope(
          new Binding(
              new NetworkId(matcher.group("network")),
              Integer.parseInt(matcher.group("authority")),
              Integer.parseInt(matcher.group("epoch")),
              Digest32.fromHex(matcher.group("manifest"))),
          matcher.group("label"),
          hex(matcher.group("wrapped")),
          hex(matcher.group("nonce")),
          hex(matcher.group("sealed")));
    } catch (ProtocolException e) {
      throw new CustodyException(
          CustodyCode.ENVELOPE_MALFORMED, "the envelope does not name a network", e);
    }
  }

  /**
   * Encrypts a share file under a fresh data key, and the data key under the token's key.
   *
   * @param share the file; neither stored nor cleared
   */
  public static ShareEnvelope seal(Token token, Binding binding, byte[] share) {
    byte[] dataKey = new byte[Token.DATA_KEY_BYTES];
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(dataKey);
    RANDOM.nextBytes(nonce);
    try {
      byte[] wrapped = token.wrap(dataKey);
      ShareEnvelope header =
          new ShareEnvelope(binding, token.keyLabel(), wrapped, nonce, new byte[0]);
      byte[] sealed = header.crypt(Cipher.ENCRYPT_MODE, dataKey, share);
      return new ShareEnvelope(binding, token.keyLabel(), wrapped, nonce, sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is part of every JDK", e);
    } finally {
      Arrays.fill(dataKey, (byte) 0);
    }
  }

  /**
   * Decrypts the share file, which the caller clears. The binding is plain text and is compared
   * first; decryption authenticates it.
   *
   * @throws CustodyException one of the OTHER codes, KEY_WRONG or ENVELOPE_TAMPERED
   */
  @Spec("K-07")
  public byte[] open(Token token, Binding wanted) {
    wanted.require(binding);
    byte[] dataKey = token.unwrap(wrappedKey);
    try {
      return crypt(Cipher.DECRYPT_MODE, dataKey, sealed);
    } catch (GeneralSecurityException e) {
      throw new CustodyException(
          CustodyCode.ENVELOPE_TAMPERED, "the envelope changed after it was sealed", e);
    } finally {
      Arrays.fill(dataKey, (byte) 0);
    }
  }

  /** The file's bytes. */
  public byte[] encode() {
    HexFormat hex = HexFormat.of();
    return (header()
            + ",\"nonce\":\""
            + hex.formatHex(nonce)
            + "\",\"sealed\":\""
            + hex.formatHex(sealed)
            + "\"}\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  public Binding binding() {
    return binding;
  }

  public String keyLabel() {
    return keyLabel;
  }

  private byte[] crypt(int mode, byte[] dataKey, byte[] text) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(dataKey, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(header().getBytes(StandardCharsets.US_ASCII));
    return cipher.doFinal(text);
  }

  private String header() {
    HexFormat hex = HexFormat.of();
    return "{\"format\":\""
        + FORMAT
        + "\",\"networkId\":\""
        + binding.network().value()
        + "\",\"authority\":"
        + binding.authority()
        + ",\"epoch\":"
        + binding.epoch()
        + ",\"manifestSha256\":\""
        + binding.manifest().hex()
        + "\",\"wrap\":\"AES-GCM\",\"keyLabel\":\""
        + keyLabel
        + "\",\"wrappedKey\":\""
        + hex.formatHex(wrappedKey)
        + '"';
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
