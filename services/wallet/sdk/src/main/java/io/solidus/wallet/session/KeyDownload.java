package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServedManifest;
import io.solidus.wallet.trust.SignedManifest;
import io.solidus.wallet.trust.SignedManifest.KeyFile;
import io.solidus.wallet.trust.SignedServices;
import io.solidus.wallet.trust.SignedShapes;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Completes a folder of keys from the network's gateways. An application ships the manifest, its
 * signature, the signed services and, where the network has them, the signed shapes, a few
 * kilobytes. The keys, tens of megabytes, come from a gateway in pieces. A download that broke off
 * goes on where it stopped, at any gateway.
 *
 * <p>A gateway is not trusted: a file counts when it has the size and digest that the signed
 * manifest states, and a newer manifest when the pinned key signed it and it names the one in the
 * folder as former (F-29, K-08). Run it before a wallet is opened; an open wallet keeps its keys.
 */
public final class KeyDownload {
  /** Of one request, which a connection of 17 kB/s transfers within 30 s. */
  private static final int PIECE_BYTES = 512 * 1024;

  private static final String PART = ".part";
  private static final String NEXT = ".next";

  private final Path keys;
  private final byte[] manifestKey;
  private final WalletOptions options;
  private final Listener listener;

  private KeyDownload(Path keys, byte[] manifestKey, WalletOptions options, Listener listener) {
    this.keys = keys;
    this.manifestKey = manifestKey.clone();
    this.options = options;
    this.listener = listener;
  }

  /** A listener for the progress. It is called on the thread that called {@link #run}. */
  @FunctionalInterface
  public interface Listener {
    Listener NONE = (file, done) -> {};

    /**
     * Some bytes of a file have arrived and are in the folder.
     *
     * @param done number of its bytes in the folder
     */
    void at(KeyFile file, long done);
  }

  /**
   * The result of a download.
   *
   * @param renewed whether the folder has a newer manifest now
   * @param files names of the files that were fetched
   * @param bytes number of bytes that were fetched
   */
  public record Fetched(boolean renewed, List<String> files, long bytes) {
    public Fetched {
      files = List.copyOf(files);
    }
  }

  /**
   * Fetches the newest manifest that follows the one in the folder, then every file that the
   * manifest or the file of shapes names and the folder lacks.
   *
   * @param keys folder with a manifest and its signature
   * @param manifestKey that the application pins
   * @param gateway null for those that the folder's signed services name
   * @throws WalletException {@code manifest-untrusted} when the folder's manifest or services
   *     cannot be used; {@code network-mismatch} for a gateway that the signed services do not
   *     name; {@code gateway-unreachable} or {@code gateway-misbehaved} when no gateway has the
   *     files, which may be tried again; {@code store-locked} when another process downloads into
   *     the folder; {@code store-unwritable}
   * @throws ProtocolException the last gateway's refusal; {@code not-found} when it has no such
   *     file
   */
  public static Fetched run(
      Path keys,
      byte[] manifestKey,
      @Nullable URI gateway,
      WalletOptions options,
      Listener listener) {
    return new KeyDownload(keys, manifestKey, options, listener).run(gateway);
  }

  private Fetched run(@Nullable URI gateway) {
    try (FileChannel channel =
            FileChannel.open(
                keys.resolve("download.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw locked();
      }
      finishRenewal();
      Optional<SignedServices> signed = SignedServices.read(keys, manifestKey);
      Set<Digest32> tlsKeys =
          signed.map(one -> Set.copyOf(one.services().tlsKeys())).orElse(Set.of());
      try (HttpClient http = Connections.client(options.httpTimeout(), tlsKeys, options.proxy())) {
        return fetch(http, gateways(signed, gateway));
      }
    } catch (OverlappingFileLockException e) {
      throw locked();
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the folder of keys cannot be written: " + keys, e);
    }
  }

  private static WalletException locked() {
    return new WalletException(
        WalletError.STORE_LOCKED, "another process downloads into the folder of keys");
  }

  private static List<URI> gateways(Optional<SignedServices> signed, @Nullable URI gateway) {
    if (signed.isPresent()) {
      return gateway == null
          ? signed.get().services().gateways()
          : List.of(signed.get().requireListed(gateway));
    }
    if (gateway == null) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the folder of keys lacks the network's signed services, and no gateway was named");
    }
    return List.of(gateway);
  }

  private Fetched fetch(HttpClient http, List<URI> gateways) throws IOException {
    List<GatewayClient> clients =
        gateways.stream()
            .map(uri ->
                new GatewayClient(new RestClient(http, uri, "the gateway", options.httpTimeout())))
            .toList();
    SignedManifest own = SignedManifest.read(keys, manifestKey);
    Optional<ServedManifest> newer = newer(clients, own);
    SignedManifest manifest =
        newer
            .map(one ->
                SignedManifest.of(
                    "the gateway's key manifest", one.content(), one.signatureFile(), manifestKey))
            .orElse(own);
    long bytes = 0;
    Set<KeyFile> fetched = new LinkedHashSet<>();
    List<KeyFile> files = new ArrayList<>(manifest.files());
    SignedShapes.read(keys, manifestKey).ifPresent(shapes -> files.addAll(shapes.files()));
    for (KeyFile file : files) {
      if (!fetched.contains(file) && !has(keys.resolve(file.name()), file)) {
        bytes += download(clients, file);
        fetched.add(file);
      }
    }
    // last, so that a wallet opens with the old manifest until all keys of the new one are here
    if (newer.isPresent()) {
      replaceManifest(newer.get());
    }
    for (KeyFile file : fetched) {
      move(part(file), keys.resolve(file.name()));
    }
    return new Fetched(newer.isPresent(), fetched.stream().map(KeyFile::name).toList(), bytes);
  }

  /** Asks every gateway, because one may lag. Those that do not answer have no newer manifest. */
  private Optional<ServedManifest> newer(List<GatewayClient> clients, SignedManifest own) {
    for (GatewayClient client : clients) {
      try {
        ServedManifest served = client.manifest();
        if (served.follows(own.digest(), new Ed25519PublicKey(manifestKey))) {
          return Optional.of(served);
        }
      } catch (WalletException | ProtocolException e) {
        // the files may come from it all the same
      }
    }
    return Optional.empty();
  }

  private void replaceManifest(ServedManifest served) throws IOException {
    write(next(SignedManifest.FILE), served.content());
    write(next(SignedManifest.SIGNATURE_FILE), served.signatureFile());
    moveNext(SignedManifest.SIGNATURE_FILE);
    moveNext(SignedManifest.FILE);
  }

  /**
   * Finishes a renewal that a crash interrupted. The signature's file is moved first: once it has
   * its place, the manifest belongs into its own.
   */
  private void finishRenewal() throws IOException {
    boolean placed = !Files.exists(next(SignedManifest.SIGNATURE_FILE));
    if (placed && Files.exists(next(SignedManifest.FILE)) && signs(next(SignedManifest.FILE))) {
      moveNext(SignedManifest.FILE);
    }
    Files.deleteIfExists(next(SignedManifest.FILE));
    Files.deleteIfExists(next(SignedManifest.SIGNATURE_FILE));
  }

  /** Whether the signature in the folder is that of this manifest, and not of the one before. */
  private boolean signs(Path manifest) throws IOException {
    try {
      SignedManifest.of(
          "the newer key manifest",
          Files.readAllBytes(manifest),
          Files.readAllBytes(keys.resolve(SignedManifest.SIGNATURE_FILE)),
          manifestKey);
      return true;
    } catch (WalletException e) {
      return false;
    }
  }

  private Path next(String name) {
    return keys.resolve(name + NEXT);
  }

  private Path part(KeyFile file) {
    return keys.resolve(file.name() + "." + file.digest().hex() + PART);
  }

  private void moveNext(String name) throws IOException {
    move(next(name), keys.resolve(name));
  }

  private void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(keys, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeFully(channel, content);
      channel.force(true);
    }
  }

  private static void writeFully(FileChannel channel, byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /**
   * Fetches what the folder lacks of a file, from the first gateway that has the right bytes.
   * Returns the number of bytes that were missing.
   */
  private long download(List<GatewayClient> clients, KeyFile file) throws IOException {
    Path part = part(file);
    if (Files.exists(part) && Files.size(part) > file.size()) {
      Files.delete(part);
    }
    long before = Files.exists(part) ? Files.size(part) : 0;
    RuntimeException failure = null;
    for (GatewayClient client : clients) {
      try {
        append(client, file, part);
      } catch (WalletException | ProtocolException e) {
        failure = e;
        continue;
      }
      if (has(part, file)) {
        return file.size() - before;
      }
      // whoever sent the wrong piece, the next gateway begins anew
      Files.delete(part);
      before = 0;
      failure =
          new WalletException(
              WalletError.GATEWAY_MISBEHAVED,
              "a gateway sent something else than the manifest's " + file.name());
    }
    throw failure == null
        ? new WalletException(WalletError.GATEWAY_UNREACHABLE, "the network has no gateway")
        : failure;
  }

  private void append(GatewayClient client, KeyFile file, Path part) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      long done = channel.size();
      while (done < file.size()) {
        writeFully(channel, piece(client, file, done));
        done = channel.size();
        listener.at(file, done);
      }
      channel.force(true);
    }
  }

  private byte[] piece(GatewayClient client, KeyFile file, long from) {
    int length = (int) Math.min(PIECE_BYTES, file.size() - from);
    RetryPolicy retries = new RetryPolicy(options);
    while (true) {
      try {
        return client.keyFile(file.digest(), from, length);
      } catch (ProtocolException e) {
        if (!e.code().retryable()) {
          throw e;
        }
        retries.pause(e);
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_UNREACHABLE) {
          throw e;
        }
        retries.pause(e);
      }
    }
  }

  private static boolean has(Path path, KeyFile file) throws IOException {
    if (!Files.isRegularFile(path) || Files.size(path) != file.size()) {
      return false;
    }
    MessageDigest sha256;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] buffer = new byte[PIECE_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sha256.update(buffer, 0, read);
      }
    }
    return Digest32.of(sha256.digest()).equals(file.digest());
  }
}
