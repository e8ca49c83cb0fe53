package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignLogFileTest {

  private static final LogPosition GENESIS = HashChain.genesis(new NetworkId("log-test"), 1);

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void place() {
    path = folder.resolve("volume").resolve("sign.log");
  }

  @Test
  void replaysTheAppendedRecords() throws IOException {
    LogPosition end = append(record(1), record(2), record(3));
    List<SignRecord> seen = new ArrayList<>();
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> seen.add(r))) {
      assertThat(file.position()).isEqualTo(end);
      assertThat(file.cutTornTail()).isZero();
    }
    assertThat(seen).containsExactly(record(1), record(2), record(3));
    assertThat(end.sequence()).isEqualTo(3);
  }

  @Test
  void isReadableByItsOwnerOnly() throws IOException {
    append(record(1));
    assertThat(Files.getPosixFilePermissions(path))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void recoversFromATornLastRecordAtEveryByte() throws IOException {
    LogPosition whole = append(record(1));
    long wholeSize = Files.size(path);
    append(record(2));
    byte[] both = Files.readAllBytes(path);
    for (int length = (int) wholeSize + 1; length < both.length; length++) {
      Files.write(path, Arrays.copyOf(both, length));
      try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
        assertThat(file.position()).isEqualTo(whole);
        assertThat(file.cutTornTail()).isEqualTo(length - wholeSize);
      }
      assertThat(Files.size(path)).isEqualTo(wholeSize);
    }
    LogPosition again = append(record(2));
    assertThat(again.sequence()).isEqualTo(2);
    assertThat(Files.readAllBytes(path)).isEqualTo(both);
  }

  @Test
  void aChangedRecordEndsTheVerifiedPart() throws IOException {
    append(record(1), record(2));
    byte[] bytes = Files.readAllBytes(path);
    bytes[20] ^= 1;
    Files.write(path, bytes);
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      assertThat(file.position()).isEqualTo(GENESIS);
    }
    assertThat(Files.size(path)).as("opening changes nothing").isEqualTo(bytes.length);
  }

  @Test
  void damageFarFromTheEndIsNoTornRecord() throws IOException {
    SignRecord[] many = new SignRecord[2_000];
    Arrays.setAll(many, SignLogFileTest::record);
    append(many);
    byte[] bytes = Files.readAllBytes(path);
    bytes[20] ^= 1;
    Files.write(path, bytes);
    assertThatThrownBy(() -> SignLogFile.open(path, GENESIS, (r, at) -> {}))
        .isInstanceOf(LogDamagedException.class);
  }

  @Test
  void aLogOfAnotherAuthorityDoesNotContinueThisChain() throws IOException {
    append(record(1));
    LogPosition other = HashChain.genesis(new NetworkId("log-test"), 2);
    try (SignLogFile file = SignLogFile.open(path, other, (r, at) -> {})) {
      assertThat(file.position().sequence()).isZero();
    }
  }

  @Test
  void acceptsNothingBeforeTheTailIsChecked() throws IOException {
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      assertThatThrownBy(() -> file.append(List.of(record(1)))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void rejectsASecondSignerOnTheSameLog() throws IOException {
    try (SignLogFile first = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      assertThat(first.position()).isEqualTo(GENESIS);
      assertThatThrownBy(() -> SignLogFile.open(path, GENESIS, (r, at) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another signer");
    }
  }

  @Test
  void acceptsNothingAfterAFailedWrite() throws IOException {
    SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {});
    file.cutTornTail();
    file.close();
    assertThatThrownBy(() -> file.append(List.of(record(1)))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> file.append(List.of(record(1))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("takes no record");
  }

  @Test
  void removesGarbageAfterTheLastRecord() throws IOException {
    LogPosition end = append(record(1));
    Files.write(path, new byte[] {0, 5, 1, 2}, StandardOpenOption.APPEND);
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      assertThat(file.position()).isEqualTo(end);
      assertThat(file.cutTornTail()).isEqualTo(4);
    }
  }

  /** A crash tears one append at most; a byte more is damage that only a person may repair. */
  @Test
  void aTornTailIsNotLongerThanTheLargestAppend() throws IOException {
    LogPosition end = append(record(1));
    byte[] whole = Files.readAllBytes(path);
    Files.write(path, new byte[SignLogFile.MAX_APPEND_BYTES], StandardOpenOption.APPEND);
    try (SignLogFile file = open(new FaultyDisk())) {
      assertThat(file.position()).isEqualTo(end);
      assertThat(file.cutTornTail()).isEqualTo(SignLogFile.MAX_APPEND_BYTES);
    }
    assertThat(Files.readAllBytes(path)).as("nothing else is removed").isEqualTo(whole);
    Files.write(path, new byte[SignLogFile.MAX_APPEND_BYTES + 1], StandardOpenOption.APPEND);
    assertThatThrownBy(() -> open(new FaultyDisk())).isInstanceOf(LogDamagedException.class);
    Files.write(path, whole);
    open(new FaultyDisk()).close(); // the failed attempt has left no lock
  }

  /** Attack: a frame of the right chain that is no record; a signer would skip what it signed. */
  @Test
  void aFrameThatIsNoRecordIsDamage() throws IOException {
    append(record(1));
    byte[] body = {1, 2, 3};
    Digest32 head = HashChain.next(at(1), body).head();
    Files.write(path, new byte[] {0, 3, 1, 2, 3}, StandardOpenOption.APPEND);
    Files.write(path, head.bytes(), StandardOpenOption.APPEND);
    assertThatThrownBy(() -> open(new FaultyDisk()))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("record 2 of the sign-log is not a record");
  }

  /** A mark is trusted by its offset and its head, and only where a record ends. */
  @Test
  void holdsTheMarksOfItsRecordsAndNoOther() throws IOException {
    append(record(1), record(2));
    try (SignLogFile file = open(new FaultyDisk())) {
      Mark end = file.end();
      Mark first = file.reread(Mark.beginningOf(GENESIS), end.offset(), 1, (r, at) -> {});
      assertThat(first.at()).isEqualTo(at(1));
      assertThat(file.holds(first)).isTrue();
      assertThat(file.holds(end)).isTrue();
      assertThat(file.holds(new Mark(end.at(), first.offset()))).as("another head").isFalse();
      for (long offset : new long[] {1, 31, 32, first.offset() - 1, end.offset() + 1}) {
        assertThat(file.holds(new Mark(first.at(), offset))).as("at %d", offset).isFalse();
      }
      assertThat(file.holds(Mark.beginningOf(GENESIS))).as("behind what was verified").isFalse();
    }
    LogPosition other = HashChain.genesis(new NetworkId("log-test"), 2);
    try (SignLogFile file = SignLogFile.open(path, GENESIS, DurableFiles.OF_THE_FILE_SYSTEM)) {
      assertThat(file.holds(Mark.beginningOf(GENESIS))).as("before it is verified").isTrue();
      assertThat(file.holds(Mark.beginningOf(other))).as("of another authority").isFalse();
    }
  }

  @Test
  void verifiesFromAMarkToTheEnd() throws IOException {
    LogPosition end = append(record(1), record(2), record(3));
    Mark first;
    try (SignLogFile file = open(new FaultyDisk())) {
      first = file.reread(Mark.beginningOf(GENESIS), file.end().offset(), 1, (r, at) -> {});
    }
    List<LogPosition> seen = new ArrayList<>();
    try (SignLogFile file = SignLogFile.open(path, GENESIS, DurableFiles.OF_THE_FILE_SYSTEM)) {
      file.verify(first, (r, at) -> seen.add(at));
      assertThat(file.position()).isEqualTo(end);
      assertThat(file.end().offset()).isEqualTo(Files.size(path));
      assertThat(file.cutTornTail()).isZero();
      assertThat(file.append(List.of(record(4)))).isEqualTo(at(4));
    }
    assertThat(seen).containsExactly(at(2), at(3));
  }

  /** Attack: somebody changes the file while a signer has it open. */
  @Test
  void aRecordThatChangedIsNoticedWhenItIsReadAgain() throws IOException {
    append(record(1), record(2), record(3));
    byte[] bytes = Files.readAllBytes(path);
    try (SignLogFile file = open(new FaultyDisk())) {
      Mark start = Mark.beginningOf(GENESIS);
      long end = file.end().offset();
      List<SignRecord> seen = new ArrayList<>();
      file.replay(start, (r, at) -> seen.add(r));
      assertThat(seen).containsExactly(record(1), record(2), record(3));
      seen.clear();
      assertThat(file.reread(start, end, 2, (r, at) -> seen.add(r)).at()).isEqualTo(at(2));
      assertThat(seen).as("as many as were asked for").hasSize(2);
      assertThat(file.reread(start, end, 9, (r, at) -> {})).as("to the end").isEqualTo(file.end());
      Mark second = file.reread(start, end, 2, (r, at) -> {});
      assertThat(file.reread(start, second.offset(), 9, (r, at) -> {}))
          .as("to the end of a record")
          .isEqualTo(second);

      bytes[(int) second.offset() + 20] ^= 1;
      Files.write(path, bytes);
      assertThat(file.reread(start, end, 2, (r, at) -> {})).as("before it").isEqualTo(second);
      assertThatThrownBy(() -> file.reread(start, end, 3, (r, at) -> {}))
          .isInstanceOf(LogDamagedException.class)
          .hasMessageContaining("after record 2");
      assertThatThrownBy(() -> file.replay(start, (r, at) -> {}))
          .isInstanceOf(LogDamagedException.class);
    }
  }

  @Test
  void aVolumeWithoutRoomForTheLargestAppendIsRefused() throws IOException {
    append(record(1));
    byte[] before = Files.readAllBytes(path);
    FaultyDisk disk = new FaultyDisk();
    try (SignLogFile file = open(disk)) {
      disk.fillUpAfter(SignLogFile.MAX_APPEND_BYTES - 1);
      assertThatThrownBy(file::cutTornTail).hasMessageContaining("No space left");
      assertThat(Files.readAllBytes(path)).as("the attempt leaves nothing").isEqualTo(before);
      assertThatThrownBy(() -> file.append(List.of(record(2))))
          .hasMessageContaining("takes no record");
      disk.fillUpAfter(SignLogFile.MAX_APPEND_BYTES);
      assertThat(file.cutTornTail()).isZero();
      assertThat(Files.readAllBytes(path)).as("nor does a success").isEqualTo(before);
      assertThat(file.append(List.of(record(2)))).isEqualTo(at(2));
    }
    assertThat(append(record(3))).as("no gap between the records").isEqualTo(at(3));
  }

  @Test
  void nothingIsAppendedAfterAFailedFsync() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    try (SignLogFile file = open(disk)) {
      disk.failOneSync();
      assertThatThrownBy(file::cutTornTail).isInstanceOf(SyncFailedException.class);
      assertThatThrownBy(() -> file.append(List.of(record(1))))
          .as("what was verified is not on the disk")
          .hasMessageContaining("takes no record");
      file.cutTornTail();
      disk.failOneSync();
      assertThatThrownBy(() -> file.append(List.of(record(1))))
          .isInstanceOf(SyncFailedException.class);
      assertThat(file.position()).isEqualTo(GENESIS);
      assertThatThrownBy(() -> file.append(List.of(record(1))))
          .as("although the next fsync would succeed")
          .hasMessageContaining("takes no record");
      disk.failOneSync();
      assertThatThrownBy(file::sync).isInstanceOf(SyncFailedException.class);
      file.sync();
    }
  }

  @Test
  void theEntryOfANewLogIsOnTheDisk() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    disk.failFolders();
    assertThatThrownBy(() -> open(disk)).isInstanceOf(SyncFailedException.class);
    append(record(1));
    open(disk).close(); // that of an existing log is
  }

  @Test
  void aFailedAttemptLeavesNoFileOpen() throws IOException {
    List<FileChannel> opened = new ArrayList<>();
    DurableFiles.Opener opener =
        place -> {
          FileChannel channel = DurableFiles.OF_THE_FILE_SYSTEM.open(place);
          opened.add(channel);
          return channel;
        };
    try (SignLogFile first = SignLogFile.open(path, GENESIS, (r, at) -> {}, opener)) {
      assertThat(first.position()).isEqualTo(GENESIS);
      assertThatThrownBy(() -> SignLogFile.open(path, GENESIS, (r, at) -> {}, opener))
          .hasMessageContaining("another signer");
    }
    Files.write(path, new byte[SignLogFile.MAX_APPEND_BYTES + 1]);
    assertThatThrownBy(() -> SignLogFile.open(path, GENESIS, (r, at) -> {}, opener))
        .isInstanceOf(LogDamagedException.class);
    assertThat(opened).hasSize(3).noneMatch(FileChannel::isOpen);
  }

  private SignLogFile open(FaultyDisk disk) throws IOException {
    return SignLogFile.open(path, GENESIS, (r, at) -> {}, disk);
  }

  /** The position after the records 1 to {@code n}. */
  private static LogPosition at(int n) {
    LogPosition at = GENESIS;
    for (int i = 1; i <= n; i++) {
      at = HashChain.next(at, record(i).toBytes());
    }
    return at;
  }

  private LogPosition append(SignRecord... records) throws IOException {
    try (SignLogFile file = SignLogFile.open(path, GENESIS, (r, at) -> {})) {
      file.cutTornTail();
      for (SignRecord record : records) {
        file.append(List.of(record));
      }
      return file.position();
    }
  }

  static SignRecord record(int n) {
    byte[] number = {(byte) (n >> 8), (byte) n};
    return new SignRecord(
        Family.TRANSFER,
        new TxCore(Digest32.sha256(number)),
        1,
        List.of(serial(3L * n + 1), serial(3L * n + 2), serial(3L * n + 3)),
        Digest32.sha256(number, number));
  }

  /** A recover over {@code record(n)}: it rests on its lead row, and has a row of its own. */
  static SignRecord recover(int n) {
    SignRecord below = record(n);
    TxCore core = new TxCore(Digest32.sha256(below.core().bytes()));
    return new SignRecord(
        Family.RECOVER,
        core,
        1,
        List.of(below.serials().getFirst(), serial(1000L + n)),
        List.of(below.core(), core),
        Digest32.sha256(core.bytes()));
  }

  @Test
  @Spec("X-26")
  void aRecoversRecordHasTheHolderOfEachSerialNumber() {
    SignRecord recover = recover(0);
    assertThat(SignRecord.fromBytes(recover.toBytes())).isEqualTo(recover);
    byte[] cut = Arrays.copyOf(recover.toBytes(), recover.toBytes().length - 32);
    assertThatThrownBy(() -> SignRecord.fromBytes(cut))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() ->
            new SignRecord(
                Family.TRANSFER,
                recover.core(),
                1,
                recover.serials(),
                recover.holders(),
                recover.points()))
        .as("a transfer rests on its own rows")
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The longest record is that of a recover over 16 cores. */
  @Test
  void theLongestRecordFitsIntoAFrame() throws IOException {
    List<SerialNumber> serials =
        LongStream.rangeClosed(1, SignRecord.MAX_SERIALS)
            .mapToObj(SignLogFileTest::serial)
            .toList();
    SignRecord longest =
        new SignRecord(
            Family.RECOVER,
            recover(0).core(),
            1,
            serials,
            Collections.nCopies(serials.size(), record(0).core()),
            recover(0).points());
    assertThat(longest.toBytes()).hasSize(SignRecord.MAX_BYTES);
    append(record(0), longest, record(1));
    List<SignRecord> read = new ArrayList<>();
    SignLogFile.open(path, GENESIS, (r, at) -> read.add(r)).close();
    assertThat(read).containsExactly(record(0), longest, record(1));
  }

  private static SerialNumber serial(long value) {
    return new SerialNumber(FieldElement.ofLong(value));
  }
}
