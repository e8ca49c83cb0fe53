package io.solidus.dev.acceptance.images;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The configuration and secrets of a container as volumes, as a cluster mounts them: a
 * configuration file, secrets that only the image's user can read, the network's keys, and a
 * writable folder for the signer.
 */
final class ServiceFolder {
  static final int USER = 65532;

  private static final String CONFIGURATION = "/run/solidus/config";
  private static final String SECRETS = "/run/solidus/secrets";
  private static final String KEYS = "/run/solidus/keys";
  private static final String STATE = "/var/lib/solidus";
  private static final String SIGN_LOG = "solidus.signer.sign-log";

  private final List<Podman.Volume> volumes = new ArrayList<>();

  private ServiceFolder() {}

  /**
   * Writes the volumes.
   *
   * @param configuration name of the configuration file without its suffix, e.g. "solidus-gateway"
   * @param given the sandbox's properties; files among their values are copied into the volumes
   * @param keys the network's public keys
   */
  static ServiceFolder write(
      Path folder, String configuration, Map<String, Object> given, Path keys) throws IOException {
    Path secrets = own(Files.createDirectories(folder.resolve("secrets")), "rwx------");
    Path state = own(Files.createDirectories(folder.resolve("state")), "rwx------");
    Path config = Files.createDirectories(folder.resolve("config"));
    Properties inside = new Properties();
    for (Map.Entry<String, Object> entry : given.entrySet()) {
      inside.setProperty(entry.getKey(), translate(entry, keys, secrets));
    }
    try (Writer out = Files.newBufferedWriter(config.resolve(configuration + ".properties"))) {
      inside.store(out, null);
    }
    own(config.resolve(configuration + ".properties"), "r--------");
    own(config, "r-x------");
    ServiceFolder written = new ServiceFolder();
    written.volumes.add(new Podman.Volume(config, CONFIGURATION, false));
    written.volumes.add(new Podman.Volume(secrets, SECRETS, false));
    written.volumes.add(new Podman.Volume(keys, KEYS, false));
    if (given.containsKey(SIGN_LOG)) {
      written.volumes.add(new Podman.Volume(state, STATE, true));
    }
    return written;
  }

  private static String translate(Map.Entry<String, Object> entry, Path keys, Path secrets)
      throws IOException {
    if (!(entry.getValue() instanceof Path file)) {
      return entry.getValue().toString();
    }
    if (entry.getKey().equals(SIGN_LOG)) {
      return STATE + "/" + file.getFileName();
    }
    if (file.equals(keys)) {
      return KEYS;
    }
    Path copy = secrets.resolve(file.getFileName());
    Files.copy(file, copy);
    own(copy, "r--------");
    return SECRETS + "/" + copy.getFileName();
  }

  /** Gives a file or folder to the user of the images. */
  static Path own(Path file, String permissions) throws IOException {
    Files.setAttribute(file, "unix:uid", USER);
    Files.setAttribute(file, "unix:gid", USER);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  List<Podman.Volume> volumes() {
    return List.copyOf(volumes);
  }

  /** The environment by which Spring Boot finds the configuration file. */
  static Map<String, String> environment() {
    return Map.of("SPRING_CONFIG_ADDITIONAL_LOCATION", "file:" + CONFIGURATION + "/");
  }

  /** A volume with the network's keys, for a wallet. */
  static Podman.Volume keys(Path keys) {
    return new Podman.Volume(keys, KEYS, false);
  }

  static String keysInside() {
    return KEYS;
  }
}
