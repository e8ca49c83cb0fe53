package io.solidus.dev.testkit;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Development keys with a manifest of the class "ceremony", signed with a key of their own. Tests
 * use them to show how a service treats ceremony keys, without the hours of a ceremony. Only these
 * tests pin the manifest key.
 */
public final class CeremonyClass {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path directory;
  private final String manifestKey;
  private final String transcripts;

  private CeremonyClass(Path directory, String manifestKey, String transcripts) {
    this.directory = directory;
    this.manifestKey = manifestKey;
    this.transcripts = transcripts;
  }

  /**
   * Links development keys into a new directory with such a manifest.
   *
   * @param development a directory of development keys
   * @param directory a missing folder
   */
  public static CeremonyClass of(Path development, Path directory) {
    return of(development, directory, "a transcript");
  }

  /**
   * Links development keys into a new directory.
   *
   * @param transcript name of the ceremony, so that two manifests of the same keys differ
   */
  public static CeremonyClass of(Path development, Path directory, String transcript) {
    String digest = Digest32.sha256(transcript.getBytes(StandardCharsets.UTF_8)).hex();
    return naming(development, directory, transcript, digest);
  }

  /**
   * Links development keys into a new directory.
   *
   * @param digest of the transcript, as the manifest says it
   */
  public static CeremonyClass naming(
      Path development, Path directory, String transcript, String digest) {
    byte[] seed = new byte[Ed25519PrivateKey.SEED_BYTES];
    new SecureRandom().nextBytes(seed);
    Ed25519PrivateKey signer = Ed25519PrivateKey.fromSeed(seed);
    try {
      Files.createDirectory(directory);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(development, "*.{pk,vk}")) {
        for (Path file : files) {
          Files.createSymbolicLink(directory.resolve(file.getFileName()), file.toAbsolutePath());
        }
      }
      byte[] manifest =
          relabelled(Files.readAllBytes(development.resolve("manifest.json")), transcript, digest);
      Files.write(directory.resolve("manifest.json"), manifest);
      Files.writeString(
          directory.resolve("manifest.sig"),
          HexFormat.of().formatHex(signer.sign(manifest)) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new CeremonyClass(directory, signer.publicKey().base64(), digest);
  }

  /** Writes a share of the development keys to a new file, in the form of a ceremony. */
  public static Path share(Path development, int authority, Path target) {
    try {
      Path file = development.resolve("shares").resolve("authority-" + authority + ".json");
      ObjectNode share = (ObjectNode) JSON.readTree(Files.readAllBytes(file));
      share.put("class", "ceremony");
      Files.createFile(
          target,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.write(target, JSON.writeValueAsBytes(share));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path directory() {
    return directory;
  }

  /** The key to pin, in base64. */
  public String manifestKey() {
    return manifestKey;
  }

  /** The digests to pin. */
  public String transcripts() {
    return transcripts;
  }

  public byte[] manifestKeyBytes() {
    return Base64.getDecoder().decode(manifestKey);
  }

  private static byte[] relabelled(byte[] manifest, String transcript, String digest) {
    ObjectNode node = (ObjectNode) JSON.readTree(manifest);
    node.put("class", "ceremony");
    node.putArray("transcripts").addObject().put("name", transcript).put("sha256", digest);
    return JSON.writeValueAsBytes(node);
  }
}
