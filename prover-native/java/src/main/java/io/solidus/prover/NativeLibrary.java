package io.solidus.prover;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The native library of this process. It is loaded once, from the file that the system property
 * {@value #PATH_PROPERTY} names, or else from this module's resources, which are copied to a
 * private directory and deleted after loading.
 */
public final class NativeLibrary {
  /** System property with a library file to load instead of the packaged one. */
  public static final String PATH_PROPERTY = "solidus.native.path";

  private static final String FILE_NAME = "libsolidus.so";

  private NativeLibrary() {}

  /**
   * Loads the library now instead of with the first operation, so that a service with a faulty
   * installation does not start.
   */
  public static void load() {
    Holder.require();
  }

  /** The version text of the library. */
  public static String version() {
    return NativeRequest.of(Operation.VERSION).send().skip(Integer.BYTES).text();
  }

  /**
   * Sends one request. The reply starts with the two bytes of a {@link NativeErrorCode}.
   *
   * @param request null is refused by the library
   */
  static byte[] call(int operation, byte @Nullable [] request) {
    Holder.require();
    return reply(operation, request);
  }

  private static byte[] reply(int operation, byte @Nullable [] request) {
    byte[] reply = invoke(operation, request);
    if (reply == null || reply.length < Short.BYTES) {
      throw new NativeException(NativeErrorCode.INTERNAL, "the library gave no reply");
    }
    return reply;
  }

  private static native byte @Nullable [] invoke(int operation, byte @Nullable [] request);

  /** The only attempt to load the library, and its outcome. */
  private static final class Holder {
    private static final Holder ONLY = new Holder();

    private final @Nullable NativeException failure = attempt();

    static void require() {
      if (ONLY.failure != null) {
        throw NativeException.seenFromHere(ONLY.failure);
      }
    }

    private static @Nullable NativeException attempt() {
      try {
        String override = System.getProperty(PATH_PROPERTY);
        if (override == null) {
          loadPackaged();
        } else {
          loadFile(Path.of(override));
        }
        requireSameBridge();
        return null;
      } catch (NativeException e) {
        return e;
      } catch (IOException e) {
        return new NativeException(
            NativeErrorCode.LIBRARY_MISSING,
            "the packaged library cannot be unpacked: " + e.getMessage(),
            e);
      } catch (LinkageError e) {
        return new NativeException(
            NativeErrorCode.LIBRARY_MISSING, "the library cannot be linked: " + e.getMessage(), e);
      }
    }

    private static void loadFile(Path file) {
      if (!Files.isReadable(file)) {
        throw new NativeException(
            NativeErrorCode.LIBRARY_MISSING, PATH_PROPERTY + " names no readable file: " + file);
      }
      System.load(file.toAbsolutePath().toString());
    }

    private static void loadPackaged() throws IOException {
      String resource = "/native/" + platform() + "/" + FILE_NAME;
      try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new NativeException(
              NativeErrorCode.LIBRARY_MISSING,
              "no library for "
                  + platform()
                  + " is packaged; build prover-native on this platform");
        }
        Path directory =
            Files.createTempDirectory(
                "solidus-native",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = directory.resolve(FILE_NAME);
        try {
          Files.copy(in, file);
          System.load(file.toString());
        } finally {
          Files.deleteIfExists(file);
          Files.deleteIfExists(directory);
        }
      }
    }

    private static void requireSameBridge() {
      NativeReply reply = NativeReply.of(reply(Operation.VERSION.number(), new byte[0]));
      int bridge = reply.u32();
      if (bridge != Operation.BRIDGE) {
        throw new NativeException(
            NativeErrorCode.LIBRARY_MISMATCH,
            "the library speaks bridge " + bridge + ", this code " + Operation.BRIDGE);
      }
    }
  }

  /**
   * The operating system and processor of this machine, as the folders of native programs are
   * named.
   */
  public static String platform() {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return (os.startsWith("linux") ? "linux" : os.replace(' ', '-'))
        + "-"
        + (arch.equals("amd64") ? "x86_64" : arch);
  }
}
