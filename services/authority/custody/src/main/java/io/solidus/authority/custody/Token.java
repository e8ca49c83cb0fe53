package io.solidus.authority.custody;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.AuthProvider;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/**
 * A login session with a PKCS#11 token through the JDK's provider. It encrypts and decrypts data
 * keys with CKM_AES_GCM under an AES key that the token does not export.
 *
 * <p>CKM_AES_KEY_WRAP would be the named mechanism for this, but the provider passes it a parameter
 * that SoftHSM2 refuses.
 *
 * <p>Nothing here retries a login, because a token permits only a few failures.
 */
public final class Token implements AutoCloseable {
  static final int DATA_KEY_BYTES = 32;
  static final int WRAPPED_BYTES = 12 + DATA_KEY_BYTES + 16;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte[] PURPOSE =
      "solidus/share-envelope/v1/key".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern LIBRARY = Pattern.compile("/[A-Za-z0-9/._+-]{1,1000}");

  private static final String NEW_KEYS =
      """
      attributes(generate,CKO_SECRET_KEY,CKK_AES) = {
        CKA_PRIVATE = true
        CKA_SENSITIVE = true
        CKA_EXTRACTABLE = false
        CKA_ENCRYPT = true
        CKA_DECRYPT = true
        CKA_WRAP = false
        CKA_UNWRAP = false
      }
      """;

  private final Provider provider;
  private final String keyLabel;
  private final SecretKey wrapping;

  /**
   * Whether the token never exports the key: sensitive means not in plain text, and not extractable
   * means not under another key. The JDK's provider reports the second property only in the key's
   * description. A provider with other wording is therefore refused.
   */
  private static boolean staysInside(SecretKey key) {
    return key.getFormat() == null && key.toString().contains(", sensitive, unextractable");
  }

  private Token(Provider provider, String keyLabel, SecretKey wrapping) {
    this.provider = provider;
    this.keyLabel = keyLabel;
    this.wrapping = wrapping;
  }

  /**
   * Logs in and finds the wrapping key.
   *
   * @throws CustodyException one of the TOKEN, PIN or KEY codes
   */
  public static Token open(TokenAccess access) {
    requireLabel(access.keyLabel());
    Provider provider = provider(access, "");
    try {
      KeyStore keys = login(provider, access);
      Key key = keys.getKey(access.keyLabel(), null);
      if (!(key instanceof SecretKey wrapping)) {
        throw new CustodyException(
            CustodyCode.KEY_MISSING,
            "the token has no secret key with the label " + access.keyLabel());
      }
      if (!staysInside(wrapping)) {
        throw new CustodyException(
            CustodyCode.KEY_EXTRACTABLE,
            "the token would export the key "
                + access.keyLabel()
                + ": it must be sensitive and not extractable");
      }
      return new Token(provider, access.keyLabel(), wrapping);
    } catch (GeneralSecurityException | ProviderException e) {
      logout(provider);
      throw new CustodyException(CustodyCode.TOKEN_FAILED, "the token's keys cannot be read", e);
    } catch (CustodyException e) {
      logout(provider);
      throw e;
    }
  }

  /**
   * Makes a wrapping key in the token: AES with 256 bits, sensitive, not extractable, for
   * encryption only.
   *
   * @throws CustodyException KEY_EXISTS, or one of the TOKEN or PIN codes
   */
  public static void makeKey(TokenAccess access) {
    requireLabel(access.keyLabel());
    Provider provider = provider(access, NEW_KEYS);
    try {
      KeyStore keys = login(provider, access);
      if (keys.containsAlias(access.keyLabel())) {
        throw new CustodyException(
            CustodyCode.KEY_EXISTS, "the token has a key with the label " + access.keyLabel());
      }
      KeyGenerator generator = KeyGenerator.getInstance("AES", provider);
      generator.init(8 * DATA_KEY_BYTES);
      keys.setEntry(access.keyLabel(), new KeyStore.SecretKeyEntry(generator.generateKey()), null);
    } catch (GeneralSecurityException | ProviderException e) {
      throw new CustodyException(CustodyCode.TOKEN_FAILED, "the token cannot make the key", e);
    } finally {
      logout(provider);
    }
  }

  String keyLabel() {
    return keyLabel;
  }

  /**
   * Encrypts a data key.
   *
   * @return the nonce and the ciphertext
   * @throws CustodyException TOKEN_FAILED when the token lacks the mechanism
   */
  byte[] wrap(byte[] dataKey) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(dataKey);
      byte[] wrapped = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, wrapped, NONCE_BYTES, sealed.length);
      return wrapped;
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new CustodyException(
          CustodyCode.TOKEN_FAILED, "the token cannot encrypt with CKM_AES_GCM", e);
    }
  }

  /**
   * Decrypts a data key, which the caller clears.
   *
   * @throws CustodyException KEY_WRONG when another key encrypted it or its bytes changed, or
   *     TOKEN_FAILED
   */
  byte[] unwrap(byte[] wrapped) {
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(wrapped, NONCE_BYTES));
      return cipher.doFinal(wrapped, NONCE_BYTES, wrapped.length - NONCE_BYTES);
    } catch (AEADBadTagException e) {
      throw new CustodyException(
          CustodyCode.KEY_WRONG,
          "the token's key " + keyLabel + " does not open the envelope's data key",
          e);
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new CustodyException(
          CustodyCode.TOKEN_FAILED, "the token cannot decrypt with CKM_AES_GCM", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    cipher.init(mode, wrapping, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(PURPOSE);
    return cipher;
  }

  @Override
  public void close() {
    logout(provider);
  }

  private static void requireLabel(String label) {
    if (!ShareEnvelope.LABEL.matcher(label).matches()) {
      throw new CustodyException(
          CustodyCode.KEY_MISSING,
          "a key label must have 1 to 64 characters of A-Z a-z 0-9 . _ : -");
    }
  }

  private static Provider provider(TokenAccess access, String attributes) {
    String library = access.library().toString();
    if (!LIBRARY.matcher(library).matches()) {
      throw new CustodyException(
          CustodyCode.TOKEN_LIBRARY,
          "the library path must be absolute and may only have the characters A-Z a-z 0-9 / . _ + -");
    }
    Provider pkcs11 = Security.getProvider("SunPKCS11");
    if (pkcs11 == null) {
      throw new CustodyException(
          CustodyCode.TOKEN_LIBRARY, "this Java runtime lacks the module jdk.crypto.cryptoki");
    }
    try {
      return pkcs11.configure(
          "--name=solidus\nlibrary=" + library + "\nslot=" + access.slot() + "\n" + attributes);
    } catch (RuntimeException e) {
      CustodyCode code =
          mentions(e, "CKR_SLOT_ID_INVALID") ? CustodyCode.TOKEN_ABSENT : CustodyCode.TOKEN_LIBRARY;
      throw new CustodyException(code, "the token's library or slot cannot be used", e);
    }
  }

  private static KeyStore login(Provider provider, TokenAccess access)
      throws GeneralSecurityException {
    KeyStore keys;
    try {
      keys = KeyStore.getInstance("PKCS11", provider);
    } catch (KeyStoreException e) {
      throw new CustodyException(
          CustodyCode.TOKEN_ABSENT, "there is no token in slot " + access.slot(), e);
    }
    try (Pin pin = Pin.read(access.pinFile())) {
      keys.load(null, pin.chars());
      return keys;
    } catch (IOException e) {
      throw loginFailure(e);
    }
  }

  private static CustodyException loginFailure(IOException e) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof FailedLoginException) {
        return new CustodyException(
            CustodyCode.PIN_WRONG,
            "the token rejected the PIN; it permits only a few wrong ones",
            e);
      }
    }
    return new CustodyException(CustodyCode.PIN_REFUSED, "the token refuses every login", e);
  }

  private static boolean mentions(Throwable failure, String error) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && cause.getMessage().contains(error)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Logs out. The login belongs to the process, not to a provider, so it would outlive this object.
   */
  private static void logout(Provider provider) {
    try {
      ((AuthProvider) provider).logout();
    } catch (LoginException | ProviderException e) {
      // a removed token has no login
    }
  }
}
