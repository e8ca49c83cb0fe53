package io.solidus.prover;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FormerCommittee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.TransferFamilies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A verified directory of keys. Verifying keys and the committee are read when it opens, proving
 * keys with the first proof, because they are large. One set serves all provers and verifiers of a
 * process.
 */
public final class KeySet implements AutoCloseable {
  private static final Digest32 NO_SHAPES = new Digest32(new byte[Digest32.BYTES]);

  private final NativeHandle handle;
  private final Path dir;
  private final NetworkId network;
  private final NetworkKind kind;
  private final Contents contents;

  private record Contents(
      KeyClass keyClass,
      String provenance,
      Digest32 manifestDigest,
      Digest32 shapesDigest,
      Map<Family, Circuit> circuits,
      Committee committee) {}

  /**
   * A circuit of a key set.
   *
   * @param version the version that evidence names
   * @param digest of the constraint system
   */
  public record Circuit(int version, Digest32 digest, int constraints, long provingKeyBytes) {}

  private KeySet(
      NativeHandle handle, Path dir, NetworkId network, NetworkKind kind, Contents contents) {
    this.handle = handle;
    this.dir = dir;
    this.network = network;
    this.kind = kind;
    this.contents = contents;
  }

  /**
   * Opens a directory if its manifest verifies under a pinned key.
   *
   * @param allowed classes of keys that may be used here
   * @param manifestKey the Ed25519 public key (32 bytes) that the manifest must be signed with
   * @throws NativeException one of the KEYS codes
   */
  public static KeySet open(
      Path dir, NetworkId expected, NetworkKind kind, Set<KeyClass> allowed, byte[] manifestKey) {
    return open(dir, expected, kind, allowed, manifestKey, false, List.of());
  }

  /**
   * Opens a directory as a service does.
   *
   * @param production whether the service runs under the production profile, however it learnt
   *     that: the library then opens keys of pinned ceremonies only
   * @param transcripts SHA-256 of the ceremonies that made the keys, in the order of the manifest;
   *     outside production none are needed
   * @throws NativeException KEYS_TRANSCRIPTS when the manifest names others, or another of the KEYS
   *     codes
   */
  public static KeySet open(
      Path dir,
      NetworkId expected,
      NetworkKind kind,
      Set<KeyClass> allowed,
      byte[] manifestKey,
      boolean production,
      List<Digest32> transcripts) {
    int mask = allowed.stream().mapToInt(KeyClass::mask).sum();
    NativeRequest request =
        NativeRequest.of(Operation.KEYS_OPEN, expected)
            .kind(kind)
            .u8(mask)
            .flag(production)
            .u32(transcripts.size());
    transcripts.forEach(digest -> request.bytes(digest.bytes()));
    NativeHandle handle =
        new NativeHandle(
            request.sized(manifestKey).text(dir.toAbsolutePath().toString()).send().u64());
    try {
      return new KeySet(
          handle,
          dir,
          expected,
          kind,
          read(NativeRequest.of(Operation.KEYS_INFO).u64(handle.id()).send(), expected));
    } catch (RuntimeException e) {
      handle.close();
      throw e;
    }
  }

  private static Contents read(NativeReply in, NetworkId network) {
    KeyClass keyClass = KeyClass.of(in.u8());
    String provenance = in.text();
    Digest32 manifest = new Digest32(in.bytes(Digest32.BYTES));
    Digest32 shapes = new Digest32(in.bytes(Digest32.BYTES));
    Map<Family, Circuit> circuits = new EnumMap<>(Family.class);
    int count = in.u32();
    for (int i = 0; i < count; i++) {
      Family family = Family.of(in.u8());
      circuits.put(
          family,
          new Circuit(in.u32(), new Digest32(in.bytes(Digest32.BYTES)), in.u32(), in.u64()));
    }
    return new Contents(
        keyClass, provenance, manifest, shapes, Map.copyOf(circuits), withFormer(in, network));
  }

  private static Committee withFormer(NativeReply in, NetworkId network) {
    Committee present = committee(in, network);
    return new Committee(
        network,
        present.epoch(),
        present.f(),
        present.x(),
        present.y(),
        present.y1(),
        present.members(),
        NativeReply.repeat(in.u32(), () -> former(in, network)));
  }

  private static FormerCommittee former(NativeReply in, NetworkId network) {
    return new FormerCommittee(
        committee(in, network),
        new Digest32(in.bytes(Digest32.BYTES)),
        Instant.ofEpochSecond(in.u64()),
        Instant.ofEpochSecond(in.u64()));
  }

  private static Committee committee(NativeReply in, NetworkId network) {
    int epoch = in.u32();
    int f = in.u32();
    var x = in.g2();
    var y = in.g2();
    var y1 = in.g1();
    return new Committee(
        network, epoch, f, x, y, y1, NativeReply.repeat(in.u32(), () -> member(in)));
  }

  private static CommitteeMember member(NativeReply in) {
    return new CommitteeMember(in.u32(), in.g2(), in.g2(), in.g1(), in.bytes(32));
  }

  public NetworkId network() {
    return network;
  }

  public NetworkKind kind() {
    return kind;
  }

  public KeyClass keyClass() {
    return contents.keyClass();
  }

  /** A text about the origin of the keys, from their maker. */
  public String provenance() {
    return contents.provenance();
  }

  /**
   * SHA-256 of the manifest's bytes. Two parties compare it to verify that they use the same keys.
   */
  public Digest32 manifestDigest() {
    return contents.manifestDigest();
  }

  /** SHA-256 of the bytes of the file of shapes, when the set was opened; empty without shapes. */
  public Optional<Digest32> shapesDigest() {
    return contents.shapesDigest().equals(NO_SHAPES)
        ? Optional.empty()
        : Optional.of(contents.shapesDigest());
  }

  public Committee committee() {
    return contents.committee();
  }

  /** The circuits by the statement family that they prove. */
  public Map<Family, Circuit> circuits() {
    return contents.circuits();
  }

  /** The transfer families of the network: that of its kind, and the shapes that it has. */
  public TransferFamilies transfers() {
    return new TransferFamilies(
        kind,
        contents.circuits().keySet().stream()
            .filter(Family::isShape)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Returns the version of a family's circuit.
   *
   * @throws NativeException KEYS_NO_CIRCUIT
   */
  public int circuitVersion(Family family) {
    Circuit circuit = contents.circuits().get(family);
    if (circuit == null) {
      throw new NativeException(NativeErrorCode.KEYS_NO_CIRCUIT, family.toString());
    }
    return circuit.version();
  }

  /** Whether the directory has the proving key of a family's circuit, of its full length. */
  public boolean canProve(Family family) {
    Circuit circuit = contents.circuits().get(family);
    if (circuit == null) {
      return false;
    }
    String name = family.name().toLowerCase(Locale.ROOT).replace('_', '-');
    try {
      return Files.size(dir.resolve(name + ".pk")) == circuit.provingKeyBytes();
    } catch (IOException e) {
      return false;
    }
  }

  /** Loads a proving key now instead of with the first proof. */
  public void warmUp(Family family) {
    NativeRequest.of(Operation.KEYS_WARM_UP).u64(handle.id()).u8(family.code()).send();
  }

  long id() {
    return handle.id();
  }

  /** Closes the set. Provers and verifiers opened before continue to work. */
  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return "KeySet[" + network + ", " + contents.keyClass() + ", " + manifestDigest() + "]";
  }
}
