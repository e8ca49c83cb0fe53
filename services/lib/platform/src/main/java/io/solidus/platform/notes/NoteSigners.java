package io.solidus.platform.notes;

import io.solidus.protocol.NoteSigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Loads the key that a service signs its notes with. */
public final class NoteSigners {
  private static final int SEED_BYTES = 32;

  private NoteSigners() {}

  /**
   * Reads a 32-byte Ed25519 seed.
   *
   * @throws IllegalStateException when the file is missing or has another length
   */
  public static NoteSigner load(String name, Path file) {
    byte[] seed;
    try {
      seed = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalStateException("the note key of " + name + " cannot be read", e);
    }
    try {
      if (seed.length != SEED_BYTES) {
        throw new IllegalStateException("the note key of " + name + " is not a 32-byte seed");
      }
      return NoteSigner.fromSeed(name, seed);
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }
}
