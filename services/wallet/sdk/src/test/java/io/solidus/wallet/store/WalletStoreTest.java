package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.WalletState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalletStoreTest {
  static final PassphraseCost CHEAP = new PassphraseCost(8, 1, 1);
  private static final char[] PASSPHRASE = "correct horse, größer".toCharArray();

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void setPath() {
    path = folder.resolve("wallet.sld");
  }

  private WalletStore create() {
    return create(new LogFile(path));
  }

  private static WalletStore create(LogFile file) {
    try (SeedPhrase phrase = SeedPhrase.ofEntropy(new byte[32])) {
      return WalletStore.create(
          file, PASSPHRASE, CHEAP, phrase, WalletState.empty(Samples.profile()));
    }
  }

  @Test
  void keepsStateAndSeed() {
    WalletState written;
    try (WalletStore store = create()) {
      written = store.update(edit -> edit.mailboxCursor = cursor(42));
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE);
        SeedPhrase phrase = store.seedPhrase()) {
      assertThat(store.state()).isEqualTo(written);
      assertThat(phrase.entropy()).containsOnly(0).hasSize(32);
    }
  }

  @Test
  void onlyTheOwnerMayReadTheFile() throws IOException {
    create().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
  }

  @Test
  void everyWriteUsesANewNonce() throws IOException {
    try (WalletStore store = create()) {
      int first = (int) Files.size(path);
      store.update(edit -> {});
      int second = (int) Files.size(path);
      store.update(edit -> {});
      byte[] file = Files.readAllBytes(path);
      assertThat(file).hasSize(2 * second - first);
      int lengths = 8;
      assertThat(Arrays.copyOfRange(file, first + lengths, second - 32))
          .isNotEqualTo(Arrays.copyOfRange(file, second + lengths, file.length - 32));
    }
  }

  @Test
  void changesThePassphrase() {
    char[] other = "another one".toCharArray();
    WalletState written;
    try (WalletStore store = create()) {
      store.update(edit -> edit.mailboxCursor = cursor(1));
      store.changePassphrase(other, CHEAP);
      written = store.update(edit -> edit.mailboxCursor = cursor(2));
    }
    assertRefused(WalletError.WRONG_PASSPHRASE, () -> WalletStore.open(path, PASSPHRASE));
    try (WalletStore store = WalletStore.open(path, other);
        SeedPhrase phrase = store.seedPhrase()) {
      assertThat(store.state()).isEqualTo(written);
      assertThat(phrase.entropy()).containsOnly(0).hasSize(32);
    }
  }

  /** The new file did not get into its place: the old passphrase opens all that was written. */
  @Test
  void aPassphraseIsNotHalfChanged() {
    CrashingFile file = new CrashingFile(path);
    WalletState written;
    try (WalletStore store = create(file)) {
      store.update(edit -> edit.mailboxCursor = cursor(1));
      file.armed = true;
      assertRefused(
          WalletError.STORE_UNWRITABLE,
          () -> store.changePassphrase("another one".toCharArray(), CHEAP));
      file.armed = false;
      written = store.update(edit -> edit.mailboxCursor = cursor(2));
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state()).isEqualTo(written);
    }
  }

  @Test
  void reportsAWrongPassphrase() {
    create().close();
    assertRefused(
        WalletError.WRONG_PASSPHRASE, () -> WalletStore.open(path, "wrong".toCharArray()));
  }

  @Test
  void reportsADamagedFile() throws IOException {
    create().close();
    byte[] file = Files.readAllBytes(path);
    for (int at : new int[] {3, 9, 40, 70, 100, 200, file.length - 40, file.length - 1}) {
      byte[] damaged = file.clone();
      damaged[at] ^= 1;
      Files.write(path, damaged);
      assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    }
    Files.write(path, Arrays.copyOf(file, file.length / 2));
    assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    Files.write(path, new byte[0]);
    assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
  }

  @Test
  void detectsAChangeWithARecomputedDigest() throws Exception {
    create().close();
    byte[] file = Files.readAllBytes(path);
    file[150] ^= 1;
    sealDigest(file);
    Files.write(path, file);
    WalletException refused =
        assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    assertThat(refused).hasMessageContaining("changed by someone");
  }

  @Test
  void boundsTheMemoryForAForgedHeader() throws Exception {
    create().close();
    byte[] file = Files.readAllBytes(path);
    Arrays.fill(file, 10, 14, (byte) 0x7f); // memory in KiB
    sealDigest(file);
    Files.write(path, file);
    WalletException refused =
        assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    assertThat(refused).hasMessageContaining("out of bounds");
  }

  @Test
  void refusesAFileOfALaterFormat() throws Exception {
    create().close();
    byte[] file = Files.readAllBytes(path);
    file[9] = 3;
    sealDigest(file);
    Files.write(path, file);
    assertRefused(WalletError.STORE_VERSION, () -> WalletStore.open(path, PASSPHRASE));
  }

  @Test
  void refusesAFileOfTheFormatWithoutEntries() throws IOException {
    create().close();
    byte[] file = Files.readAllBytes(path);
    file[9] = 1;
    Files.write(path, file);
    assertRefused(WalletError.STORE_VERSION, () -> WalletStore.open(path, PASSPHRASE));
  }

  /** Whatever part of the last entry reached the disk, also with zeros in the place of the rest. */
  @Test
  void anEntryThatIsNotWholeDoesNotCount() throws IOException {
    WalletState before;
    WalletState after;
    int first;
    try (WalletStore store = create()) {
      before = store.update(edit -> edit.mailboxCursor = cursor(1));
      first = (int) Files.size(path);
      after = store.update(edit -> edit.mailboxCursor = cursor(2));
    }
    byte[] file = Files.readAllBytes(path);
    for (int length = first; length <= file.length; length++) {
      for (int zeros : new int[] {0, file.length - length}) {
        byte[] part = Arrays.copyOf(Arrays.copyOf(file, length), length + zeros);
        Files.write(path, part);
        assertGoesOn(Arrays.equals(part, file) ? after : before);
      }
    }
  }

  private void assertGoesOn(WalletState expected) {
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state()).isEqualTo(expected);
      store.update(edit -> edit.mailboxCursor = cursor(3));
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state().mailboxCursor()).isEqualTo(cursor(3));
    }
  }

  /** The places of the last two entries in the file. */
  private record Entries(int first, int second) {}

  private Entries twoEntries() throws IOException {
    try (WalletStore store = create()) {
      int first = (int) Files.size(path);
      store.update(edit -> edit.mailboxCursor = cursor(1));
      int second = (int) Files.size(path);
      store.update(edit -> edit.mailboxCursor = cursor(2));
      return new Entries(first, second);
    }
  }

  @Test
  void damageBeforeTheLastEntryIsReported() throws IOException {
    Entries entries = twoEntries();
    byte[] file = Files.readAllBytes(path);
    for (int at = entries.first(); at < entries.second(); at++) {
      byte[] damaged = file.clone();
      damaged[at] ^= 4;
      Files.write(path, damaged);
      assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    }
  }

  /** A thief of old copies cannot make a file of their entries. */
  @Test
  void anEntryOpensOnlyInItsPlace() throws Exception {
    Entries entries = twoEntries();
    byte[] file = Files.readAllBytes(path);
    int after = file.length - entries.second();
    byte[] dropped = Arrays.copyOf(file, entries.first() + after);
    System.arraycopy(file, entries.second(), dropped, entries.first(), after);
    sealDigest(dropped);
    Files.write(path, dropped);
    WalletException refused =
        assertRefused(WalletError.STORE_CORRUPT, () -> WalletStore.open(path, PASSPHRASE));
    assertThat(refused).hasMessageContaining("changed by someone");
  }

  @Test
  void manyChangesLeadToANewFile() throws IOException {
    WalletState written;
    try (WalletStore store = create()) {
      for (int i = 0; i < 99; i++) {
        store.update(edit -> {});
      }
      written = store.update(edit -> edit.mailboxCursor = cursor(4));
    }
    long before = Files.size(path);
    try (WalletStore store = WalletStore.open(new LogFile(path), PASSPHRASE, 0)) {
      assertThat(store.state()).isEqualTo(written);
      assertThat(Files.size(path)).isEqualTo(before); // the profile is longer than the changes
      for (int i = 0; i < 999; i++) {
        store.update(edit -> {});
      }
    }
    try (WalletStore store = WalletStore.open(new LogFile(path), PASSPHRASE, 0)) {
      assertThat(store.state()).isEqualTo(written);
      assertThat(Files.size(path)).isLessThan(before);
    }
    WalletStore.open(path, PASSPHRASE).close();
  }

  @Test
  void aFailedEntryLeadsToANewFile() throws IOException {
    create().close();
    CrashingFile crashing = new CrashingFile(path);
    try (WalletStore store = WalletStore.open(crashing, PASSPHRASE, 1)) {
      WalletState before = store.state();
      long length = Files.size(path);
      crashing.armed = true;
      assertRefused(
          WalletError.STORE_UNWRITABLE, () -> store.update(edit -> edit.mailboxCursor = cursor(1)));
      assertThat(store.state()).isEqualTo(before);
      assertThat(Files.size(path)).isEqualTo(length);
      crashing.armed = false;
      Object file = Files.getAttribute(path, "unix:ino");
      store.update(edit -> edit.mailboxCursor = cursor(2));
      assertThat(Files.getAttribute(path, "unix:ino")).isNotEqualTo(file);
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state().mailboxCursor()).isEqualTo(cursor(2));
    }
  }

  /** A program that synchronises folders may do that. */
  @Test
  void aFileThatAnotherProgramPutHereIsReplaced() throws IOException {
    try (WalletStore store = create()) {
      byte[] old = Files.readAllBytes(path);
      store.update(edit -> edit.mailboxCursor = cursor(1));
      Files.delete(path);
      Files.write(path, old);
      store.update(edit -> edit.mailboxCursor = cursor(2));
      Files.delete(path);
      store.update(edit -> edit.mailboxCursor = cursor(3));
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state().mailboxCursor()).isEqualTo(cursor(3));
    }
  }

  @Test
  void aCrashBetweenWriteAndRenameKeepsTheOldState() throws IOException {
    WalletState before;
    try (WalletStore store = create()) {
      before = store.update(edit -> edit.mailboxCursor = cursor(1));
    }
    CrashingFile crashing = new CrashingFile(path);
    try (WalletStore store = WalletStore.open(crashing, PASSPHRASE, 1)) {
      Path same = folder.resolve("same");
      Files.copy(path, same);
      Files.move(same, path, StandardCopyOption.REPLACE_EXISTING); // leads to a new file
      crashing.armed = true;
      assertRefused(
          WalletError.STORE_UNWRITABLE, () -> store.update(edit -> edit.mailboxCursor = cursor(2)));
      assertThat(store.state()).isEqualTo(before);
      assertThat(path.resolveSibling("wallet.sld.tmp")).exists();
    }
    try (WalletStore store = WalletStore.open(path, PASSPHRASE)) {
      assertThat(store.state()).isEqualTo(before);
      assertThat(path.resolveSibling("wallet.sld.tmp")).doesNotExist();
      assertThat(store.update(edit -> edit.mailboxCursor = cursor(3)).mailboxCursor())
          .isEqualTo(cursor(3));
    }
  }

  @Test
  void allowsOneWriter() {
    try (WalletStore store = create()) {
      assertRefused(WalletError.STORE_LOCKED, () -> WalletStore.open(path, PASSPHRASE));
      assertThat(store.update(edit -> edit.mailboxCursor = cursor(5)).mailboxCursor())
          .isEqualTo(cursor(5));
    }
    WalletStore.open(path, PASSPHRASE).close();
  }

  @Test
  void aFailedOpenReleasesTheLock() {
    create().close();
    assertRefused(
        WalletError.WRONG_PASSPHRASE, () -> WalletStore.open(path, "wrong".toCharArray()));
    WalletStore.open(path, PASSPHRASE).close();
  }

  @Test
  void neverOverwritesAWallet() {
    create().close();
    assertRefused(WalletError.STORE_EXISTS, this::create);
  }

  @Test
  void reportsAMissingFile() {
    assertRefused(WalletError.STORE_MISSING, () -> WalletStore.open(path, PASSPHRASE));
  }

  private static void sealDigest(byte[] file) throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    sha256.update(file, 0, file.length - 32);
    System.arraycopy(sha256.digest(), 0, file, file.length - 32, 32);
  }

  private static WalletException assertRefused(WalletError error, ThrowingCallable call) {
    WalletException refused = catchThrowableOfType(WalletException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.error()).isEqualTo(error);
    return refused;
  }

  /** Fails after the write and before the rename or the fsync, as a power cut could. */
  private static final class CrashingFile extends LogFile {
    private boolean armed;

    CrashingFile(Path path) {
      super(path);
    }

    @Override
    void beforeRename() throws IOException {
      if (armed) {
        throw new IOException("power cut");
      }
    }

    @Override
    void beforeForce(byte[] entry) throws IOException {
      beforeRename();
    }
  }

  private static MailboxCursor cursor(long sequence) {
    return new MailboxCursor(sequence, Digest32.sha256());
  }
}
