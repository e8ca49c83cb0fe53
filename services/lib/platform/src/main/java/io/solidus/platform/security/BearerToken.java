package io.solidus.platform.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The access token with which a service calls another one. */
@FunctionalInterface
public interface BearerToken {
  /**
   * Returns a token that is valid now.
   *
   * @throws IOException when there is none; the caller may try again
   */
  String value() throws IOException;

  /** A token in a file, read for every call because somebody else renews it. */
  static BearerToken ofFile(Path file) {
    return () -> Files.readString(file, StandardCharsets.US_ASCII).strip();
  }
}
