package io.solidus.operator.issuance.vault;

import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NetworkId;
import io.solidus.wire.hpke.Hpke;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The X25519 keys of the service. The current key is published to wallets. Former keys are kept,
 * because withdrawals sealed to them must still be paid.
 */
public final class RedemptionKeys implements AutoCloseable {
  private static final byte[] PAYOUT = ascii("solidus/payout/v1");
  private static final byte[] RECORD = ascii("solidus/issuance-record/v1");

  private final NetworkId network;
  private final List<HpkePrivateKey> keys;

  private RedemptionKeys(NetworkId network, List<HpkePrivateKey> keys) {
    this.network = network;
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads the keys.
   *
   * @param files 32 bytes each, the current key first
   * @throws IllegalStateException when a file has another length or the key is all zeros
   */
  public static RedemptionKeys load(NetworkId network, List<Path> files) {
    List<HpkePrivateKey> keys = new ArrayList<>();
    for (Path file : files) {
      keys.add(SecretFile.read(file, "a redemption key file", HpkePrivateKey::of));
    }
    return new RedemptionKeys(network, keys);
  }

  /** The public key that wallets seal payout instructions to. */
  public EncryptionKey publicKey() {
    return keys.getFirst().publicKey();
  }

  /**
   * Opens a payout block, {@code encapsulated key 32 | ciphertext 480}.
   *
   * @return the padded instruction, which the caller overwrites; empty when the block is not sealed
   *     to this service on this network
   */
  public Optional<byte[]> openPayout(byte[] block) {
    if (block.length != Attachments.PAYOUT_BYTES) {
      return Optional.empty();
    }
    return open(PAYOUT, block);
  }

  /** Seals a record that only this service reads. */
  public byte[] sealRecord(byte[] record) {
    SealedMessage sealed = Hpke.seal(publicKey(), RECORD, network.digest().bytes(), record);
    byte[] ciphertext = sealed.ciphertext();
    return ByteBuffer.allocate(Hpke.KEY_BYTES + ciphertext.length)
        .put(sealed.encapsulatedKey())
        .put(ciphertext)
        .array();
  }

  /**
   * Opens a record sealed by {@link #sealRecord}.
   *
   * @throws IllegalStateException when no configured key opens it
   */
  public byte[] openRecord(byte[] sealed) {
    return open(RECORD, sealed)
        .orElseThrow(() -> new IllegalStateException("no configured key opens a stored record"));
  }

  private Optional<byte[]> open(byte[] info, byte[] sealed) {
    SealedMessage message =
        new SealedMessage(
            Arrays.copyOf(sealed, Hpke.KEY_BYTES),
            Arrays.copyOfRange(sealed, Hpke.KEY_BYTES, sealed.length));
    for (HpkePrivateKey key : keys) {
      try {
        return Optional.of(Hpke.open(key, info, network.digest().bytes(), message));
      } catch (HpkeException e) {
        // sealed to another key: try the next one
      }
    }
    return Optional.empty();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    keys.forEach(HpkePrivateKey::close);
  }
}
