package io.solidus.dev.testkit;

import io.solidus.protocol.Ed25519PrivateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * Development keys whose manifest says, under another key, that they come from a ceremony: what a
 * test needs that shows how keys of that class are taken, without the hours of one. Nobody else
 * pins the key they are signed with.
 */
public final class CeremonyClass {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path directory;
  private final String manifestKey;

  private CeremonyClass(Path directory, String manifestKey) {
    this.directory = directory;
    this.manifestKey = manifestKey;
  }

  /**
   * Links the keys into a new directory.
   *
   * @param development a directory of development keys
   * @param directory is not there yet
   */
  public static CeremonyClass of(Path development, Path directory) {
    return of(development, directory, "a transcript");
  }

  /**
   * @param transcript the name of the ceremony, so that two manifests of the same keys differ
   */
  public static CeremonyClass of(Path development, Path directory, String transcript) {
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
          relabelled(Files.readAllBytes(development.resolve("manifest.json")), transcript);
      Files.write(directory.resolve("manifest.json"), manifest);
      Files.writeString(
          directory.resolve("manifest.sig"),
          HexFormat.of().formatHex(signer.sign(manifest)) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new CeremonyClass(directory, signer.publicKey().base64());
  }

  /** A share of the development keys, in a new file, as a ceremony writes it. */
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

  public byte[] manifestKeyBytes() {
    return Base64.getDecoder().decode(manifestKey);
  }

  private static byte[] relabelled(byte[] manifest, String transcript) {
    ObjectNode node = (ObjectNode) JSON.readTree(manifest);
    node.put("class", "ceremony");
    node.putArray("transcripts").addObject().put("name", transcript).put("sha256", "00".repeat(32));
    return JSON.writeValueAsBytes(node);
  }
}
