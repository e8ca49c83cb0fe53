package io.solidus.wire.ohttp;

import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Spec;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.HpkeReceiver;
import io.solidus.wire.hpke.HpkeSender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.util.Arrays;

/**
 * Encapsulated requests and answers (RFC 9458, section 4) with DHKEM(X25519, HKDF-SHA256),
 * HKDF-SHA256 and AES-128-GCM.
 */
@Spec("F-60")
public final class ObliviousHttp {
  public static final String REQUEST_TYPE = "message/ohttp-req";
  public static final String RESPONSE_TYPE = "message/ohttp-res";

  private static final int HEADER_BYTES = 7;
  private static final int KEM = 0x0020;
  private static final int KDF = 0x0001;
  private static final int AEAD = 0x0001;
  private static final int KEY_BYTES = 16;
  private static final int NONCE_BYTES = 12;

  /** The longer one of key and nonce of the AEAD. */
  private static final int SECRET_BYTES = 16;

  private static final byte[] REQUEST_LABEL = ascii("message/bhttp request\0");
  private static final byte[] RESPONSE_LABEL = ascii("message/bhttp response");
  private static final byte[] KEY_LABEL = ascii("key");
  private static final byte[] NONCE_LABEL = ascii("nonce");
  private static final byte[] NO_AAD = {};

  /** By how much an encapsulated request is longer than the request. */
  public static final int REQUEST_OVERHEAD = HEADER_BYTES + Hpke.KEY_BYTES + Hpke.TAG_BYTES;

  /** By how much an encapsulated answer is longer than the answer. */
  public static final int RESPONSE_OVERHEAD = SECRET_BYTES + Hpke.TAG_BYTES;

  private ObliviousHttp() {}

  /**
   * Encapsulates a request to the holder of a key.
   *
   * @throws HpkeException when the key is of small order
   */
  public static Sent seal(ObliviousKey key, byte[] request) {
    byte[] header = header(key.id());
    return seal(header, Hpke.sender(key.key(), info(header), Hpke.Aead.AES_128_GCM), request);
  }

  static Sent seal(byte[] header, HpkeSender sender, byte[] request) {
    byte[] message =
        Arrays.concatenate(header, sender.encapsulatedKey(), sender.seal(NO_AAD, request));
    return new Sent(message, sender.encapsulatedKey(), sender.export(RESPONSE_LABEL, SECRET_BYTES));
  }

  /**
   * The identifier of the key that a request is sealed to.
   *
   * @throws BinaryHttpException for octets that are no encapsulated request of this suite
   */
  public static int keyId(byte[] message) {
    if (message.length < REQUEST_OVERHEAD) {
      throw new BinaryHttpException("an encapsulated request is truncated");
    }
    int id = message[0] & 0xff;
    if (!Arrays.areEqual(header(id), Arrays.copyOf(message, HEADER_BYTES))) {
      throw new BinaryHttpException("an encapsulated request has other algorithms");
    }
    return id;
  }

  /**
   * Opens a request.
   *
   * @param key the one that {@link #keyId} names
   * @throws BinaryHttpException when it was not sealed to this key, or was changed
   */
  public static Received open(HpkePrivateKey key, byte[] message) {
    byte[] header = header(keyId(message));
    byte[] encapsulated = Arrays.copyOfRange(message, HEADER_BYTES, HEADER_BYTES + Hpke.KEY_BYTES);
    try {
      HpkeReceiver receiver = Hpke.receiver(key, encapsulated, info(header), Hpke.Aead.AES_128_GCM);
      byte[] request =
          receiver.open(
              NO_AAD, Arrays.copyOfRange(message, HEADER_BYTES + Hpke.KEY_BYTES, message.length));
      return new Received(request, encapsulated, receiver.export(RESPONSE_LABEL, SECRET_BYTES));
    } catch (HpkeException e) {
      throw new BinaryHttpException("an encapsulated request cannot be opened");
    }
  }

  static byte[] header(int keyId) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .put((byte) keyId)
        .putShort((short) KEM)
        .putShort((short) KDF)
        .putShort((short) AEAD)
        .array();
  }

  static byte[] info(byte[] header) {
    return Arrays.concatenate(REQUEST_LABEL, header);
  }

  private static byte[] crypt(
      int mode, byte[] secret, byte[] encapsulated, byte[] nonce, byte[] text)
      throws GeneralSecurityException {
    byte[] salt = Arrays.concatenate(encapsulated, nonce);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode,
        new SecretKeySpec(derived(secret, salt, KEY_LABEL, KEY_BYTES), "AES"),
        new GCMParameterSpec(8 * Hpke.TAG_BYTES, derived(secret, salt, NONCE_LABEL, NONCE_BYTES)));
    return cipher.doFinal(text);
  }

  private static byte[] derived(byte[] secret, byte[] salt, byte[] label, int length) {
    HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA256Digest());
    hkdf.init(new HKDFParameters(secret, salt, label));
    byte[] out = new byte[length];
    hkdf.generateBytes(out, 0, length);
    return out;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A request that was encapsulated, and the secret that opens its answer. */
  public static final class Sent {
    private final byte[] message;
    private final byte[] encapsulated;
    private final byte[] secret;

    private Sent(byte[] message, byte[] encapsulated, byte[] secret) {
      this.message = message;
      this.encapsulated = encapsulated;
      this.secret = secret;
    }

    public byte[] message() {
      return message.clone();
    }

    /**
     * Opens the answer.
     *
     * @throws BinaryHttpException when it is not the answer to this request
     */
    public byte[] open(byte[] answer) {
      if (answer.length < RESPONSE_OVERHEAD) {
        throw new BinaryHttpException("an encapsulated answer is truncated");
      }
      try {
        return crypt(
            Cipher.DECRYPT_MODE,
            secret,
            encapsulated,
            Arrays.copyOf(answer, SECRET_BYTES),
            Arrays.copyOfRange(answer, SECRET_BYTES, answer.length));
      } catch (GeneralSecurityException e) {
        throw new BinaryHttpException("an encapsulated answer cannot be opened");
      }
    }
  }

  /** A request that was opened, and the secret that seals its answer. */
  public static final class Received {
    private final byte[] request;
    private final byte[] encapsulated;
    private final byte[] secret;

    private Received(byte[] request, byte[] encapsulated, byte[] secret) {
      this.request = request;
      this.encapsulated = encapsulated;
      this.secret = secret;
    }

    public byte[] request() {
      return request.clone();
    }

    /** The encapsulated key, which no two requests have in common. */
    public byte[] encapsulatedKey() {
      return encapsulated.clone();
    }

    public byte[] seal(byte[] answer, SecureRandom random) {
      byte[] nonce = new byte[SECRET_BYTES];
      random.nextBytes(nonce);
      return seal(answer, nonce);
    }

    byte[] seal(byte[] answer, byte[] nonce) {
      try {
        return Arrays.concatenate(
            nonce, crypt(Cipher.ENCRYPT_MODE, secret, encapsulated, nonce, answer));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("AES-128-GCM is part of every Java platform", e);
      }
    }
  }
}
