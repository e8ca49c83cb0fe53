package io.solidus.platform.notes;

import io.solidus.platform.secrets.SecretFile;
import io.solidus.protocol.NoteSigner;
import java.nio.file.Path;

/** Loads the key that a service signs its notes with. */
public final class NoteSigners {
  private NoteSigners() {}

  /**
   * Reads a 32-byte Ed25519 seed.
   *
   * @throws IllegalStateException when the file cannot be read, has another length or is all zeros
   */
  public static NoteSigner load(String name, Path file) {
    return SecretFile.read(
        file, "the note key of " + name, seed -> NoteSigner.fromSeed(name, seed));
  }
}
