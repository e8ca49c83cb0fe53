package io.solidus.wallet.trust;

import io.solidus.protocol.Digest32;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last used sanction list in a folder, so that it is not fetched for every payment. The
 * file's name contains the list's digest, which the caller verifies. The list is public. A failure
 * to read or write the cache is ignored.
 */
final class SanctionListCache {
  private static final String PREFIX = "sanction-list-";

  private final @Nullable Path folder;

  SanctionListCache(@Nullable Path folder) {
    this.folder = folder;
  }

  Optional<byte[]> read(Digest32 digest) {
    try {
      return folder != null && Files.exists(file(folder, digest))
          ? Optional.of(Files.readAllBytes(file(folder, digest)))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void write(Digest32 digest, byte[] list) {
    if (folder == null) {
      return;
    }
    try {
      Files.createDirectories(folder);
      Path temporary = Files.createTempFile(folder, PREFIX, ".part");
      Files.write(temporary, list);
      Files.move(temporary, file(folder, digest), StandardCopyOption.REPLACE_EXISTING);
      removeOthers(folder, file(folder, digest));
    } catch (IOException e) {
      // the next payment fetches the list again
    }
  }

  private static void removeOthers(Path folder, Path kept) throws IOException {
    try (DirectoryStream<Path> lists = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path list : lists) {
        if (!list.equals(kept)) {
          Files.deleteIfExists(list);
        }
      }
    }
  }

  private static Path file(Path folder, Digest32 digest) {
    return folder.resolve(PREFIX + digest.hex());
  }
}
