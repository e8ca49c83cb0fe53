package io.solidus.authority.replica;

import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NoteSigner;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The two keys of a replica: shares are sealed to the first, the second countersigns lists. They
 * are the replica's own. The authority's note key signs votes, and a process that serves strangers
 * must not have it.
 */
public record ReplicaKeys(HpkePrivateKey shares, NoteSigner lists) {
  private static final byte[] SHARES = ascii("solidus/replica-shares/v1");
  private static final byte[] LISTS = ascii("solidus/replica-lists/v1");

  /**
   * Reads the keys' file.
   *
   * @throws IllegalStateException when the file cannot be read, has another length or is all zeros
   */
  public static ReplicaKeys read(int authority, Path file) {
    return SecretFile.read(
        file, "solidus.replica.key-file", secret -> fromSecret(authority, secret));
  }

  /**
   * The keys of a secret.
   *
   * @param secret 32 bytes; the caller overwrites them
   */
  public static ReplicaKeys fromSecret(int authority, byte[] secret) {
    byte[] shares = Digest32.sha256(SHARES, secret).bytes();
    byte[] lists = Digest32.sha256(LISTS, secret).bytes();
    try {
      return new ReplicaKeys(
          HpkePrivateKey.of(shares),
          NoteSigner.fromSeed(CommitteeMember.replicaName(authority), lists));
    } finally {
      Arrays.fill(shares, (byte) 0);
      Arrays.fill(lists, (byte) 0);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
