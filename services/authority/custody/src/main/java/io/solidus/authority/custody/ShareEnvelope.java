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
 * A share's file under a data key, and the data key under a token's key: one line of JSON, written
 * in the only way it can be. Nothing in it is a secret. Everything before the nonce is
 * authenticated with the share.
 */
@Spec("K-06")
public final class ShareEnvelope {
  /** Longer files are no envelopes and are not read. */
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

  /** Whether bytes want to be an envelope. */
  public static boolean looksLikeOne(byte[] raw) {
    return raw.length >= MAGIC.length
        && Arrays.equals(raw, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * @throws CustodyException ENVELOPE_MALFORMED
   */
  public static ShareEnvelope parse(byte[] raw) {
    Matcher m =
        raw.length > MAX_BYTES ? null : SHAPE.matcher(new String(raw, StandardCharsets.ISO_8859_1));
    if (m == null || !m.matches()) {
      throw new CustodyException(
          CustodyCode.ENVELOPE_MALFORMED, "the share's file is no envelope of the form " + FORMAT);
    }
    try {
      return new ShareEnvelope(
          new Binding(
              new NetworkId(m.group("network")),
              Integer.parseInt(m.group("authority")),
              Integer.parseInt(m.group("epoch")),
              Digest32.fromHex(m.group("manifest"))),
          m.group("label"),
          hex(m.group("wrapped")),
          hex(m.group("nonce")),
          hex(m.group("sealed")));
    } catch (ProtocolException e) {
      throw new CustodyException(
          CustodyCode.ENVELOPE_MALFORMED, "the envelope names no network", e);
    }
  }

  /**
   * Puts a share's file under a fresh data key, and that under a token's.
   *
   * @param share not kept, and not cleared
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
   * The share's file, for the caller to clear. What the envelope is for is compared first, in the
   * clear, and holds because the decryption authenticates it.
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
          CustodyCode.ENVELOPE_TAMPERED, "the envelope is not as it was sealed", e);
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
