package io.solidus.operator.approver;

import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import java.nio.file.Path;
import java.util.Arrays;

/** An approver's Ed25519 signing key. */
interface ApproverKey {
  /** Where the key is and which it is. */
  Ed25519PublicKey publicKey();

  /** A 64-byte signature. */
  byte[] sign(byte[] message);

  /**
   * A key in a file: the 32 bytes of its seed, mode 0600. The seed is in memory only while it
   * signs.
   */
  record InFile(Path file) implements ApproverKey {
    @Override
    public Ed25519PublicKey publicKey() {
      try (Ed25519PrivateKey key = open()) {
        return key.publicKey();
      }
    }

    @Override
    public byte[] sign(byte[] message) {
      try (Ed25519PrivateKey key = open()) {
        return key.sign(message);
      }
    }

    private Ed25519PrivateKey open() {
      byte[] seed = PrivateFiles.read(file, "the key file", Ed25519PrivateKey.SEED_BYTES);
      try {
        if (seed.length != Ed25519PrivateKey.SEED_BYTES
            || Arrays.equals(seed, new byte[seed.length])) {
          throw ApproveException.file("the key file " + file + " does not hold 32 random bytes");
        }
        return Ed25519PrivateKey.fromSeed(seed);
      } finally {
        Arrays.fill(seed, (byte) 0);
      }
    }
  }
}
