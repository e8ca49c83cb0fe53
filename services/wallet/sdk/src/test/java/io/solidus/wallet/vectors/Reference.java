package io.solidus.wallet.vectors;

import io.solidus.protocol.Bech32m;
import io.solidus.protocol.NetworkId;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.hpke.HPKE;
import org.bouncycastle.crypto.hpke.HPKEContext;
import org.bouncycastle.crypto.hpke.HPKEContextWithEncapsulation;
import org.bouncycastle.crypto.modes.GCMSIVBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/**
 * The formats of docs/spec/08-formats.md, written from that page and not from the wallet's code.
 */
final class Reference {
  static final BigInteger R =
      new BigInteger("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16);
  static final BigInteger L =
      new BigInteger("0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7", 16);

  private Reference() {}

  // the seed phrase

  static byte[] seed(String phrase) {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
          .generateSecret(new PBEKeySpec(phrase.toCharArray(), ascii("mnemonic"), 2048, 512))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] prk(String phrase, NetworkId network) {
    return hmac(join(ascii("solidus/wallet/v1"), networkDigest(network)), seed(phrase));
  }

  static byte[] derive(byte[] prk, String label, int length, byte[]... parts) {
    ByteArrayOutputStream info = new ByteArrayOutputStream();
    info.write(label.length());
    info.writeBytes(ascii(label));
    for (byte[] part : parts) {
      info.write(part.length >> 8);
      info.write(part.length);
      info.writeBytes(part);
    }
    byte[] out = new byte[0];
    byte[] block = new byte[0];
    for (int i = 1; out.length < length; i++) {
      block = hmac(prk, join(block, info.toByteArray(), new byte[] {(byte) i}));
      out = join(out, block);
    }
    return Arrays.copyOf(out, length);
  }

  static byte[] element(byte[] prk, String label, byte[]... parts) {
    return modulo(derive(prk, label, 64, parts), R);
  }

  static byte[] keyScalar(byte[] prk, String label, byte[]... parts) {
    return modulo(derive(prk, label, 64, parts), L);
  }

  static byte[] modulo(byte[] bytes, BigInteger modulus) {
    byte[] value = new BigInteger(1, bytes).mod(modulus).toByteArray();
    byte[] out = new byte[32];
    for (int i = 0; i < Math.min(32, value.length); i++) {
      out[31 - i] = value[value.length - 1 - i];
    }
    return out;
  }

  static byte[] publicKey(byte[] x25519Secret) {
    return new X25519PrivateKeyParameters(x25519Secret).generatePublicKey().getEncoded();
  }

  // blocks of a transfer, parcels

  /** A claimed coin. */
  record Claimed(int origin, long value, byte[] rho) {}

  /** The content of a memo. Lines are those of a list (F-05), as they stand behind the text. */
  record Memo(
      int counter,
      long atMillis,
      long paid,
      byte[] apk,
      byte[] key,
      String mailbox,
      long withdrawn,
      int unfinished,
      List<Claimed> claimed,
      String text,
      byte[] lines) {
    byte[] bytes() {
      ByteBuffer out = ByteBuffer.allocate(1008).put((byte) 2).putShort((short) counter);
      out.putLong(atMillis).putLong(paid).put(apk).put(key).put(sized(mailbox));
      out.putLong(withdrawn).putInt(unfinished).put((byte) claimed.size());
      claimed.forEach(c -> out.put((byte) c.origin()).putLong(c.value()).put(c.rho()));
      return out.put(sized(text)).put(lines).array();
    }
  }

  static byte[] memoNonce(byte[] sn) {
    return Arrays.copyOf(sha256(ascii("solidus/memo-nonce/v1"), sn), 12);
  }

  static byte[] memoBlock(byte[] memoKey, byte[] sn, byte[] memo) {
    try {
      GCMSIVBlockCipher cipher = new GCMSIVBlockCipher(AESEngine.newInstance());
      KeyParameter key = new KeyParameter(memoKey);
      cipher.init(true, new AEADParameters(key, 128, memoNonce(sn), ascii("solidus/memo/v1")));
      byte[] out = new byte[cipher.getOutputSize(memo.length)];
      cipher.doFinal(out, cipher.processBytes(memo, 0, memo.length, out, 0));
      return out;
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] payoutBlock(byte[] ephemeral, byte[] issuer, NetworkId network, String json) {
    HPKEContextWithEncapsulation context = sender(ephemeral, issuer, "solidus/payout/v1");
    byte[] plain = Arrays.copyOf(utf8(json), 464);
    return join(context.getEncapsulation(), seal(context, networkDigest(network), plain));
  }

  /** A witness as it is sent to a prover, and the key of the answer. */
  record SealedWitness(byte[] encapsulatedKey, byte[] sealed, byte[] proofKey) {
    static SealedWitness of(
        byte[] ephemeral, byte[] prover, NetworkId network, int family, byte[] witness) {
      HPKEContextWithEncapsulation context = sender(ephemeral, prover, "solidus/prove/v1");
      byte[] associated = join(networkDigest(network), new byte[] {(byte) family});
      return new SealedWitness(
          context.getEncapsulation(),
          Reference.seal(context, associated, witness),
          context.export(ascii("solidus/proof-key/v1"), 32));
    }

    /** A share of a query for an authority's replica. */
    static SealedWitness ofQuery(
        byte[] ephemeral, byte[] replica, NetworkId network, int authority, byte[] query) {
      HPKEContextWithEncapsulation context = sender(ephemeral, replica, "solidus/mail-query/v1");
      byte[] associated = join(networkDigest(network), new byte[] {(byte) authority});
      return new SealedWitness(
          context.getEncapsulation(),
          Reference.seal(context, associated, query),
          context.export(ascii("solidus/mail-answer-key/v1"), 32));
    }

    /** The answer of a prover, or of a replica. */
    byte[] answer(byte[] nonce, byte[] proof) {
      try {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
            Cipher.ENCRYPT_MODE,
            new SecretKeySpec(proofKey, "AES"),
            new GCMParameterSpec(128, nonce));
        return join(nonce, cipher.doFinal(proof));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The rest of a parcel of 1150 bytes is zeros. */
  static byte[] parcel(int kind, byte[]... body) {
    return Arrays.copyOf(join(new byte[] {2, (byte) kind}, join(body)), 1150);
  }

  static byte[] blob(byte[] ephemeral, byte[] addressee, NetworkId network, byte[] parcel) {
    HPKEContextWithEncapsulation context = sender(ephemeral, addressee, "solidus/mailbox/v1");
    byte[] tag = context.export(ascii("solidus/mailbox-detection/v1"), 2);
    return join(tag, context.getEncapsulation(), seal(context, networkDigest(network), parcel));
  }

  /** Opens what follows an encapsulated key. */
  static byte[] open(byte[] secret, String info, NetworkId network, byte[] sealed) {
    X25519PrivateKeyParameters key = new X25519PrivateKeyParameters(secret);
    HPKEContext context =
        hpke()
            .setupBaseR(
                Arrays.copyOf(sealed, 32),
                new AsymmetricCipherKeyPair(key.generatePublicKey(), key),
                ascii(info));
    try {
      return context.open(networkDigest(network), Arrays.copyOfRange(sealed, 32, sealed.length));
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HPKEContextWithEncapsulation sender(byte[] ephemeral, byte[] key, String info) {
    X25519PrivateKeyParameters secret = new X25519PrivateKeyParameters(ephemeral);
    return hpke()
        .setupBaseS(
            new X25519PublicKeyParameters(key),
            ascii(info),
            new AsymmetricCipherKeyPair(secret.generatePublicKey(), secret));
  }

  private static byte[] seal(HPKEContext context, byte[] associated, byte[] plain) {
    try {
      return context.seal(associated, plain);
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HPKE hpke() {
    return new HPKE((byte) 0, (short) 0x20, (short) 1, (short) 2);
  }

  // addresses

  static byte[] addressBody(NetworkId network, byte[] apk, byte[] key, String mailbox) {
    byte[] tag = Arrays.copyOf(networkDigest(network), 16);
    byte[] padding = Arrays.copyOf(ascii("sld"), 16);
    return join(new byte[] {2}, tag, apk, key, sized(mailbox), padding);
  }

  static String address(byte[] body) {
    return Bech32m.encode("sld", f4Jumble(body));
  }

  static byte[] f4Jumble(byte[] message) {
    int split = Math.min(64, message.length / 2);
    byte[] left = Arrays.copyOf(message, split);
    byte[] right = Arrays.copyOfRange(message, split, message.length);
    byte[] x = xor(right, g(0, left, right.length));
    byte[] y = xor(left, h(0, x, split));
    byte[] rightAfter = xor(x, g(1, y, right.length));
    return join(xor(y, h(1, rightAfter, split)), rightAfter);
  }

  private static byte[] g(int i, byte[] u, int length) {
    byte[] out = new byte[0];
    for (int j = 0; out.length < length; j++) {
      out = join(out, blake2b(64, 'G', i, j, u));
    }
    return Arrays.copyOf(out, length);
  }

  private static byte[] h(int i, byte[] u, int length) {
    return blake2b(length, 'H', i, 0, u);
  }

  private static byte[] blake2b(int length, char use, int i, int j, byte[] u) {
    byte[] person =
        join(ascii("UA_F4Jumble_" + use), new byte[] {(byte) i, (byte) j, (byte) (j >> 8)});
    Blake2bDigest digest = new Blake2bDigest(null, length, null, person);
    digest.update(u, 0, u.length);
    byte[] out = new byte[length];
    digest.doFinal(out, 0);
    return out;
  }

  // notes

  static String note(String text, String name, byte[] seed) {
    return text + "\n" + noteLine(text, name, seed);
  }

  /** The line of one signature. */
  static String noteLine(String text, String name, byte[] seed) {
    byte[] hash = Arrays.copyOf(sha256(utf8(name), new byte[] {10, 1}, ed25519Key(seed)), 4);
    byte[] signed = join(hash, ed25519(seed, utf8(text)));
    return "\u2014 " + name + " " + Base64.getEncoder().encodeToString(signed) + "\n";
  }

  static byte[] ed25519(byte[] seed, byte[] message) {
    Ed25519Signer signer = new Ed25519Signer();
    signer.init(true, new Ed25519PrivateKeyParameters(seed));
    signer.update(message, 0, message.length);
    return signer.generateSignature();
  }

  static byte[] ed25519Key(byte[] seed) {
    return new Ed25519PrivateKeyParameters(seed).generatePublicKey().getEncoded();
  }

  static byte[] listDigest(NetworkId network, List<byte[]> keys) {
    byte[] list = join(keys.toArray(byte[][]::new));
    return sha256(ascii("solidus/sanction-list/v1"), networkDigest(network), list);
  }

  // statements

  /** The core of a statement (E-12). */
  static byte[] core(NetworkId network, int family, byte[]... body) {
    byte[] start = join(ascii("solidus/core/v2"), networkDigest(network));
    return sha256(start, new byte[] {(byte) family}, join(body));
  }

  // bytes

  static byte[] networkDigest(NetworkId network) {
    return sha256(ascii("solidus/network/v1"), new byte[1], ascii(network.value()));
  }

  static String base64Url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The length in one byte, then the text. */
  static byte[] sized(String text) {
    return join(new byte[] {(byte) utf8(text).length}, utf8(text));
  }

  static byte[] u32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  static byte[] u64(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  static byte[] xor(byte[] a, byte[] b) {
    byte[] out = a.clone();
    for (int i = 0; i < out.length; i++) {
      out[i] ^= b[i];
    }
    return out;
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] sha256(byte[]... parts) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(join(parts));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA512");
      mac.init(new SecretKeySpec(key, "HmacSHA512"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
