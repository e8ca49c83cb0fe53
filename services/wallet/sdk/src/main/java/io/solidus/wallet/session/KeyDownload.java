package io.solidus.wallet.session;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServedManifest;
import io.solidus.wallet.gateway.ServedShapes;
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
 * signature and the signed services, a few kilobytes. The keys, tens of megabytes, come from a
 * gateway in pieces, and so do the signed shapes where the network has them. A download that broke
 * off goes on where it stopped, at any gateway.
 *
 * <p>A gateway is not trusted: a file counts when it has the size and digest that the signed
 * manifest states, a newer manifest when the pinned key signed it and it names the one in the
 * folder as former (F-29, K-08), and shapes when the pinned key signed them and they follow those
 * in the folder (F-85). Run it before a wallet is opened; an open wallet keeps its keys.
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
   * @param shapes whether the folder has shapes now that it did not have
   * @param files names of the files that were fetched
   * @param bytes number of bytes that were fetched
   * @param missing names of the proving keys of the folder's shapes that no gateway has: a wallet
   *     does not use these shapes until a later run finds them
   * @param failed names of those that may be there: a gateway was not reachable, busy or
   *     misbehaved, and none sent them. The same holds for them, and trying again may help
   */
  public record Fetched(
      boolean renewed,
      boolean shapes,
      List<String> files,
      long bytes,
      List<String> missing,
      List<String> failed) {
    public Fetched {
      files = List.copyOf(files);
      missing = List.copyOf(missing);
      failed = List.copyOf(failed);
    }
  }

  /**
   * Fetches the newest manifest that follows the one in the folder and the shapes that follow those
   * in it, then every file that they name and the folder lacks.
   *
   * @param keys folder with a manifest and its signature
   * @param manifestKey that the application pins
   * @param gateway null for those that the folder's signed services name
   * @throws WalletException {@code manifest-untrusted} when the folder's manifest or services
   *     cannot be used; {@code network-mismatch} for a gateway that the signed services do not
   *     name; {@code gateway-unreachable} or {@code gateway-misbehaved} when no gateway has the
   *     files, which may be tried again; {@code store-locked} when another process downloads into
   *     the folder; {@code store-unwritable}
   * @throws ProtocolException the last gateway's refusal; {@code not-found} when none has such a
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
      for (SignedPair pair : SignedPair.values()) {
        finishRenewal(pair);
      }
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
    Optional<SignedShapes> ownShapes = SignedShapes.read(keys, manifestKey);
    List<KeyFile> files = new ArrayList<>(manifest.files());
    List<KeyFile> provingKeys = new ArrayList<>();
    for (KeyFile file : ownShapes.map(SignedShapes::files).orElse(List.of())) {
      (file.isProvingKey() ? provingKeys : files).add(file);
    }
    Set<KeyFile> fetched = new LinkedHashSet<>();
    long bytes = fetchMissing(clients, files, fetched);
    List<String> missing = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    bytes += fetchThoseThatThereAre(clients, provingKeys, fetched, missing, failed);
    Optional<ServedShapes> newShapes = newShapes(clients, manifest, ownShapes);
    if (newShapes.isPresent()) {
      Set<KeyFile> ofShapes = new LinkedHashSet<>(fetched);
      try {
        bytes += fetchMissing(clients, verified(newShapes.get()).files(), ofShapes);
        fetched.addAll(ofShapes);
      } catch (WalletException | ProtocolException e) {
        // no gateway has their keys: a wallet pays without shapes, and the next run goes on
        newShapes = Optional.empty();
      }
    }
    // last, so that a wallet opens with the old files until all keys of the new ones are here
    if (newer.isPresent()) {
      replace(SignedPair.MANIFEST, newer.get().content(), newer.get().signatureFile());
    }
    for (KeyFile file : fetched) {
      move(part(file), keys.resolve(file.name()));
    }
    if (newShapes.isPresent()) {
      replace(SignedPair.SHAPES, newShapes.get().content(), newShapes.get().signatureFile());
    }
    return new Fetched(
        newer.isPresent(),
        newShapes.isPresent(),
        fetched.stream().map(KeyFile::name).toList(),
        bytes,
        missing,
        failed);
  }

  /**
   * Fetches the proving keys of the folder's own shapes. A gateway needs none, and a wallet without
   * them pays as if it had no shapes, so they keep no newer manifest away. The next run looks for
   * them again.
   *
   * @param missing those that each gateway says not to have
   * @param failed those for which a gateway did not answer, or not with the file
   */
  private long fetchThoseThatThereAre(
      List<GatewayClient> clients,
      List<KeyFile> provingKeys,
      Set<KeyFile> fetched,
      List<String> missing,
      List<String> failed)
      throws IOException {
    long bytes = 0;
    for (KeyFile file : provingKeys) {
      try {
        bytes += fetchMissing(clients, List.of(file), fetched);
      } catch (WalletException | ProtocolException e) {
        (isMissing(e) ? missing : failed).add(file.name());
      }
    }
    return bytes;
  }

  /** Whether each gateway said so; of other failures {@link #download} keeps the last one. */
  private static boolean isMissing(RuntimeException failure) {
    return failure instanceof ProtocolException refusal
        && refusal.code() == RejectionCode.NOT_FOUND;
  }

  /**
   * Fetches the files that the folder lacks, and adds them to those that were fetched. Returns the
   * number of bytes that were missing.
   */
  private long fetchMissing(List<GatewayClient> clients, List<KeyFile> files, Set<KeyFile> fetched)
      throws IOException {
    long bytes = 0;
    for (KeyFile file : files) {
      if (!fetched.contains(file) && !has(keys.resolve(file.name()), file)) {
        bytes += download(clients, file);
        fetched.add(file);
      }
    }
    return bytes;
  }

  /**
   * The shapes of the first gateway that has some which may join the folder's manifest. What a
   * gateway says otherwise, unsigned or older, is passed over: a wallet pays without shapes too.
   */
  private Optional<ServedShapes> newShapes(
      List<GatewayClient> clients, SignedManifest manifest, Optional<SignedShapes> own) {
    for (GatewayClient client : clients) {
      try {
        if (client.takesShapes()) {
          ServedShapes served = client.shapes();
          if (verified(served).mayJoin(manifest, own)) {
            return Optional.of(served);
          }
        }
      } catch (WalletException | ProtocolException e) {
        // another gateway may have them
      }
    }
    return Optional.empty();
  }

  private SignedShapes verified(ServedShapes served) {
    return SignedShapes.of(
        "the gateway's shapes", served.content(), served.signatureFile(), manifestKey);
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

  /** A file with its signature in a file of its own. */
  private enum SignedPair {
    MANIFEST(SignedManifest.FILE, SignedManifest.SIGNATURE_FILE),
    SHAPES(SignedShapes.FILE, SignedShapes.SIGNATURE_FILE);

    private final String file;
    private final String signatureFile;

    SignedPair(String file, String signatureFile) {
      this.file = file;
      this.signatureFile = signatureFile;
    }
  }

  private void replace(SignedPair pair, byte[] content, byte[] signatureFile) throws IOException {
    write(next(pair.file), content);
    write(next(pair.signatureFile), signatureFile);
    moveNext(pair.signatureFile);
    moveNext(pair.file);
  }

  /**
   * Finishes a renewal that a crash interrupted. The signature's file is moved first: once it has
   * its place, the signed file belongs into its own. A folder that gets its first shapes has no
   * signature until then.
   */
  private void finishRenewal(SignedPair pair) throws IOException {
    boolean placed =
        !Files.exists(next(pair.signatureFile)) && Files.exists(keys.resolve(pair.signatureFile));
    if (placed && Files.exists(next(pair.file)) && signs(pair)) {
      moveNext(pair.file);
    }
    Files.deleteIfExists(next(pair.file));
    Files.deleteIfExists(next(pair.signatureFile));
  }

  /** Whether the signature in the folder is that of the next file, and not of the one before. */
  private boolean signs(SignedPair pair) throws IOException {
    byte[] content = Files.readAllBytes(next(pair.file));
    byte[] signature = Files.readAllBytes(keys.resolve(pair.signatureFile));
    try {
      switch (pair) {
        case MANIFEST ->
            SignedManifest.of("the newer key manifest", content, signature, manifestKey);
        case SHAPES -> SignedShapes.of("the newer shapes", content, signature, manifestKey);
      }
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
        // that one has no such file says nothing of one that does not answer
        failure = failure == null || !isMissing(e) ? e : failure;
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
