package io.solidus.wallet.core;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The network that a wallet pins. It comes with the application.
 *
 * @param manifestKey of 32 bytes; it must not come from the gateway
 * @param classes of keys that the wallet takes
 * @param manifest content of {@code manifest.json}
 * @param signature content of {@code manifest.sig}
 * @param transferKey content of {@code transfer.vk}
 * @param registerKey content of {@code register.vk}; empty in a wallet that does not register
 * @param mintKey content of {@code mint.vk}; empty in a wallet that does not mint
 * @param mailboxBits those of the network's services
 * @param currency the network's
 * @param prover that makes the wallet's proofs, from its owner; null where the host makes them
 * @param claims of many coins with one proof; null where the host has no keys to prove them
 * @param onlyDevice the owner's word that no other device has the wallet's words (W-49)
 * @param recoverKey content of {@code recover.vk}; empty where the host proves no recovers
 * @param origin host name of the gateway, which blind tokens are for; empty in a wallet that
 *     fetches none
 * @param replicas those of the gateway's mailbox, of the network's services: with them the wallet
 *     reads by private queries; empty where there are none
 */
public record CoreProfile(
    NetworkId network,
    byte[] manifestKey,
    Set<KeyClass> classes,
    byte[] manifest,
    byte[] signature,
    byte[] transferKey,
    byte[] registerKey,
    byte[] mintKey,
    int mailboxBits,
    CurrencyCode currency,
    @Nullable EncryptionKey prover,
    @Nullable ClaimKeys claims,
    boolean onlyDevice,
    byte[] recoverKey,
    String origin,
    List<MailReplica> replicas) {
  private static final int KEY_BYTES = 32;
  private static final int MAX_MAILBOX_BITS = 6;

  public CoreProfile {
    classes = Set.copyOf(classes);
    replicas = List.copyOf(replicas);
    if (manifestKey.length != KEY_BYTES || mailboxBits < 0 || mailboxBits > MAX_MAILBOX_BITS) {
      throw new IllegalArgumentException("a key of 32 bytes and 0 to 6 bits are needed");
    }
  }

  /**
   * The signed shapes of a network with the key of claims of many coins.
   *
   * @param shapes content of {@code shapes.json}
   * @param signature content of {@code shapes.sig}
   * @param key content of {@code claim-16.vk}
   */
  public record ClaimKeys(byte[] shapes, byte[] signature, byte[] key) {
    private static final ClaimKeys NONE = new ClaimKeys(new byte[0], new byte[0], new byte[0]);

    private static @Nullable ClaimKeys read(Path keys) throws IOException {
      Path shapes = keys.resolve("shapes.json");
      Path key = keys.resolve("claim-16.vk");
      return Files.exists(shapes) && Files.exists(key) && Files.exists(keys.resolve("claim-16.pk"))
          ? new ClaimKeys(
              Files.readAllBytes(shapes),
              Files.readAllBytes(keys.resolve("shapes.sig")),
              Files.readAllBytes(key))
          : null;
    }
  }

  /** With the owner's word that no other device has the wallet's words. */
  public CoreProfile withOnlyDevice() {
    return new CoreProfile(
        network,
        manifestKey,
        classes,
        manifest,
        signature,
        transferKey,
        registerKey,
        mintKey,
        mailboxBits,
        currency,
        prover,
        claims,
        true,
        recoverKey,
        origin,
        replicas);
  }

  /** With blind tokens for the gateway of this host name. */
  public CoreProfile withTokensFor(String gateway) {
    return new CoreProfile(
        network,
        manifestKey,
        classes,
        manifest,
        signature,
        transferKey,
        registerKey,
        mintKey,
        mailboxBits,
        currency,
        prover,
        claims,
        onlyDevice,
        recoverKey,
        gateway,
        replicas);
  }

  /** With private queries for mail (W-36), where the network's services name replicas. */
  public CoreProfile withReplicas(List<MailReplica> named) {
    return new CoreProfile(
        network,
        manifestKey,
        classes,
        manifest,
        signature,
        transferKey,
        registerKey,
        mintKey,
        mailboxBits,
        currency,
        prover,
        claims,
        onlyDevice,
        recoverKey,
        origin,
        named);
  }

  /**
   * Reads the small files of a folder of keys. The core verifies them.
   *
   * @throws WalletException {@code manifest-untrusted} when a file is missing
   */
  public static CoreProfile read(
      Path keys,
      NetworkId network,
      byte[] manifestKey,
      Set<KeyClass> classes,
      int mailboxBits,
      CurrencyCode currency,
      @Nullable EncryptionKey prover) {
    try {
      return new CoreProfile(
          network,
          manifestKey,
          classes,
          Files.readAllBytes(keys.resolve("manifest.json")),
          Files.readAllBytes(keys.resolve("manifest.sig")),
          Files.readAllBytes(keys.resolve("transfer.vk")),
          Files.readAllBytes(keys.resolve("register.vk")),
          Files.readAllBytes(keys.resolve("mint.vk")),
          mailboxBits,
          currency,
          prover,
          ClaimKeys.read(keys),
          false,
          recoverKey(keys),
          "",
          List.of());
    } catch (IOException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "the keys in " + keys + " cannot be read", e);
    }
  }

  private static byte[] recoverKey(Path keys) throws IOException {
    Path key = keys.resolve("recover.vk");
    return Files.exists(key) && Files.exists(keys.resolve("recover.pk"))
        ? Files.readAllBytes(key)
        : new byte[0];
  }

  void write(RecordWriter out) {
    List<String> names = classes.stream().map(CoreProfile::name).sorted().toList();
    out.text(network.value())
        .raw(manifestKey)
        .list(names, RecordWriter::text)
        .sized(manifest)
        .sized(signature)
        .sized(transferKey)
        .sized(registerKey)
        .sized(mintKey)
        .u8(mailboxBits)
        .text(currency.value())
        .sized(prover == null ? new byte[0] : prover.bytes());
    ClaimKeys many = claims == null ? ClaimKeys.NONE : claims;
    out.sized(many.shapes()).sized(many.signature()).sized(many.key()).u8(onlyDevice ? 1 : 0);
    out.sized(recoverKey).text(origin).list(replicas, CoreProfile::replica);
  }

  static void replica(RecordWriter out, MailReplica keys) {
    out.raw(keys.bytes());
  }

  private static String name(KeyClass keys) {
    return keys.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
