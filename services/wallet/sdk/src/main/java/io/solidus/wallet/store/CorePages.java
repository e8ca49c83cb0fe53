package io.solidus.wallet.store;

import io.solidus.wallet.core.HistoryPages;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The pages of a core's history in a folder, one file for each. They are sealed, so the folder may
 * be copied anywhere.
 */
public final class CorePages implements HistoryPages {
  /** A page of fifty transfers has less. */
  private static final long MAX_BYTES = 256 << 10;

  private final Path folder;

  /**
   * Names a folder.
   *
   * @param folder which is made with its first page
   */
  public CorePages(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  @Override
  public byte[] read(int number) {
    Path file = file(number);
    try {
      return Files.size(file) > MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0]; // the core says that it is lost
    }
  }

  @Override
  public boolean write(int number, byte[] page) {
    if (page.length > MAX_BYTES) {
      return false;
    }
    try {
      Files.createDirectories(folder);
      new LogFile(file(number)).replace(page);
      return true;
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "a page of history cannot be kept: " + e.getMessage(), e);
    }
  }

  private Path file(int number) {
    if (number < 0) {
      throw new IllegalArgumentException("pages have numbers from 0");
    }
    return folder.resolve("history-%06d.page".formatted(number));
  }
}
