package io.solidus.wallet.trust;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkServices;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Relay;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.store.WalletStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The services of a network as its manifest's key signed them: the file {@code services.note} in
 * the folder of the network's keys. A wallet without development keys uses no others.
 *
 * @param text that was signed, for the mark of its version
 */
public record SignedServices(NetworkId network, NetworkServices services, String text) {
  private static final String FILE = "services.note";
  private static final int MAX_BYTES = 64 * 1024;

  /**
   * Reads the file; empty when there is none.
   *
   * @param manifestKey that the wallet pinned
   * @throws WalletException {@code manifest-untrusted} when the key did not sign it, or it does not
   *     have the expected text
   */
  @Spec("W-11")
  public static Optional<SignedServices> read(Path keys, byte[] manifestKey) {
    try (InputStream in = Files.newInputStream(keys.resolve(FILE))) {
      byte[] note = in.readNBytes(MAX_BYTES + 1);
      NoteKey signer = new NoteKey(NetworkServices.SIGNER, new Ed25519PublicKey(manifestKey));
      if (note.length > MAX_BYTES) {
        throw ProtocolException.malformed("the note is too long");
      }
      String text =
          SignedNote.parse(new String(note, StandardCharsets.UTF_8)).requireSignedBy(signer).text();
      NetworkId network = network(text);
      return Optional.of(new SignedServices(network, NetworkServices.parse(network, text), text));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | ProtocolException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the signed services in " + keys + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  /**
   * A profile for a new wallet with all that the note names, and the kind of network that the key
   * manifest states.
   *
   * @throws WalletException as {@link SignedManifest#read}, or {@code network-mismatch} for another
   *     gateway than the network's
   */
  public WalletProfile profile(
      Path keys, byte[] manifestKey, Set<KeyClass> keyClasses, @Nullable URI gateway) {
    return new WalletProfile(
        network,
        SignedManifest.read(keys, manifestKey).kind(),
        services.currency(),
        manifestKey,
        keyClasses,
        gateway == null ? services.gateways().getFirst() : requireListed(gateway),
        pins(),
        keys.toAbsolutePath().toString(),
        null);
  }

  /**
   * The gateway, if it is one of the network's.
   *
   * @throws WalletException {@code network-mismatch} for another one
   */
  public URI requireListed(URI gateway) {
    if (!services.gateways().contains(gateway)) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH,
          gateway + " is not one of the network's gateways: " + services.gateways());
    }
    return gateway;
  }

  /**
   * The profile with the signed services, for a new wallet. With development keys there may be
   * none; then the profile stays as it is.
   *
   * @throws WalletException {@code manifest-untrusted}, {@code network-mismatch} or {@code
   *     insecure-address}
   */
  public static WalletProfile applied(WalletProfile profile) {
    return current(profile, null).profile();
  }

  /**
   * The bits of an address that its bucket of the mailbox tells.
   *
   * @param unsigned those of a development network without signed services
   * @throws WalletException as {@link #read}
   */
  public static int mailboxBits(WalletProfile profile, int unsigned) {
    return read(Path.of(profile.keysDir()), profile.manifestKey())
        .map(signed -> signed.services().mailboxBits())
        .orElse(profile.isDevelopment() ? unsigned : 0);
  }

  /**
   * The hosts of the network's gateways, whose mailboxes are one or exchange: what is posted at one
   * of them, readers of each other get.
   *
   * @throws WalletException as {@link #read}
   */
  public static Set<String> mailboxHosts(WalletProfile profile) {
    return read(Path.of(profile.keysDir()), profile.manifestKey())
        .map(signed ->
            signed.services().gateways().stream()
                .map(URI::getHost)
                .collect(Collectors.toUnmodifiableSet()))
        .orElse(Set.of());
  }

  /**
   * The relay to the network's gateways, if there is one.
   *
   * @param unsigned that of a development network without signed services
   * @throws WalletException as {@link #read}
   */
  public static Optional<Relay> relay(WalletProfile profile, @Nullable Relay unsigned) {
    Optional<SignedServices> signed = read(Path.of(profile.keysDir()), profile.manifestKey());
    return signed.isPresent()
        ? signed.get().services().relay()
        : Optional.ofNullable(unsigned).filter(any -> profile.isDevelopment());
  }

  /**
   * The keys of the authorities' replicas of the mailbox that the wallet's gateway has, in the
   * order of the authorities; empty where the network has none.
   *
   * @param unsigned those of a development network without signed services
   * @throws WalletException as {@link #read}
   */
  public static List<MailReplica> replicas(WalletProfile profile, List<MailReplica> unsigned) {
    Optional<SignedServices> signed = read(Path.of(profile.keysDir()), profile.manifestKey());
    if (signed.isEmpty()) {
      return profile.isDevelopment() ? unsigned : List.of();
    }
    try {
      return signed.get().services().replicasOf(profile.gateway());
    } catch (ProtocolException e) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH, "the services name no replicas of " + profile.gateway(), e);
    }
  }

  /**
   * Brings the profile in a wallet's file up to the signed services, and returns it.
   *
   * @throws WalletException as {@link #applied}, or {@code rules-rolled-back} for a lower version
   *     than the wallet has seen
   */
  public static WalletProfile refresh(WalletStore store) {
    WalletState state = store.state();
    Current current = current(state.profile(), state.servicesMark());
    if (!current.equals(new Current(state.profile(), state.servicesMark()))) {
      store.update(edit -> {
        edit.profile = current.profile();
        edit.servicesMark = current.mark();
      });
    }
    return current.profile();
  }

  private record Current(WalletProfile profile, @Nullable RuleMark mark) {}

  private static Current current(WalletProfile profile, @Nullable RuleMark seen) {
    Optional<SignedServices> signed = read(Path.of(profile.keysDir()), profile.manifestKey());
    if (signed.isEmpty() && (!profile.isDevelopment() || seen != null)) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the folder " + profile.keysDir() + " lacks the network's signed services: " + FILE);
    }
    Current current =
        signed.map(services -> services.current(seen, profile)).orElse(new Current(profile, null));
    Connections.requireSecured(current.profile());
    return current;
  }

  private Current current(@Nullable RuleMark seen, WalletProfile profile) {
    if (!network.equals(profile.network())) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH,
          "the signed services belong to network " + network + ", not to " + profile.network());
    }
    List<URI> gateways = services.gateways();
    return new Current(
        profile.withServices(
            services.currency(),
            gateways.contains(profile.gateway()) ? profile.gateway() : gateways.getFirst(),
            pins()),
        RollbackGuard.advance(seen, services.version(), text, "the network's services"));
  }

  private ServicePins pins() {
    return new ServicePins(
        services.registration(),
        services.sanctions(),
        services.issuance(),
        services.redemptionKey(),
        Set.copyOf(services.tlsKeys()));
  }

  private static NetworkId network(String text) {
    String[] lines = text.split("\n", 3);
    if (lines.length < 3) {
      throw ProtocolException.malformed("a note's text is incomplete");
    }
    return new NetworkId(lines[1]);
  }
}
