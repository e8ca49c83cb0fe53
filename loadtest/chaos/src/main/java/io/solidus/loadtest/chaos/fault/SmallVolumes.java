package io.solidus.loadtest.chaos.fault;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small file systems in memory that can be filled on demand. They need the right to mount. */
public final class SmallVolumes implements AutoCloseable {

  private static final long LIMIT_SECONDS = 20;

  private final List<Path> mounted = new ArrayList<>();

  /** Mounts a volume; returns false if this machine does not allow it. */
  public boolean mount(Path folder, String size) throws IOException {
    Files.createDirectories(folder);
    if (!run(
        List.of(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            "mode=0700,size=" + size,
            "solidus-chaos",
            folder.toString()))) {
      return false;
    }
    mounted.add(folder);
    return true;
  }

  /** Shrinks the volume to its content, so that nothing can be added. */
  void full(Path folder) throws IOException {
    FileStore store = Files.getFileStore(folder);
    long used = store.getTotalSpace() - store.getUnallocatedSpace();
    resize(folder, Long.toString(used));
  }

  void resize(Path folder, String size) {
    if (!run(List.of("mount", "-o", "remount,size=" + size, folder.toString()))) {
      throw new IllegalStateException("a volume cannot be resized");
    }
  }

  @Override
  public void close() {
    for (Path folder : mounted.reversed()) {
      run(List.of("umount", "-l", folder.toString()));
    }
    mounted.clear();
  }

  private static boolean run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
