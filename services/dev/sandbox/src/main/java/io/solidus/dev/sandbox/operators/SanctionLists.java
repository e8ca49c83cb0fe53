package io.solidus.dev.sandbox.operators;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Sanction lists to import: given files, or the bundled ones with invented persons. */
public record SanctionLists(Path un, Path ofac) {
  private static final String UN_SAMPLE = "samples/un-sample.xml";
  private static final String OFAC_SAMPLE = "samples/ofac-sdn-sample.csv";

  /**
   * Returns the given files, or bundled lists in their place.
   *
   * @param folder for the bundled lists
   */
  public static SanctionLists of(Path folder, @Nullable Path un, @Nullable Path ofac)
      throws IOException {
    Files.createDirectories(folder);
    return new SanctionLists(
        un == null ? bundled(folder, UN_SAMPLE) : existing(un),
        ofac == null ? bundled(folder, OFAC_SAMPLE) : existing(ofac));
  }

  private static Path existing(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new FileNotFoundException("there is no readable file " + file);
    }
    return file.toAbsolutePath();
  }

  private static Path bundled(Path folder, String name) throws IOException {
    Path target = folder.resolve(Path.of(name).getFileName());
    try (InputStream in = SanctionLists.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("the bundled list " + name + " is missing");
      }
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
    return target;
  }
}
