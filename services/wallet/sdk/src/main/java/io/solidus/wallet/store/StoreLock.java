package io.solidus.wallet.store;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Allows one process per wallet file. Two processes could spend the same compliance coin with
 * different transfers and so lock the balance. The lock is on a separate file, because the wallet's
 * file is replaced at every write.
 */
final class StoreLock implements AutoCloseable {
  private final FileChannel channel;
  private final FileLock lock;

  private StoreLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  static StoreLock take(Path store) {
    Path file = store.resolveSibling(store.getFileName() + ".lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new WalletException(
            WalletError.STORE_LOCKED, "another process is using this wallet: " + store);
      }
      return new StoreLock(channel, lock);
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "cannot lock " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (channel) {
      lock.release();
    } catch (IOException e) {
      // the operating system releases the lock when the channel is closed
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
