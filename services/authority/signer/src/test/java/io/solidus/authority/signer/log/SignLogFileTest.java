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
        LongStream.rangeClosed(1, SignRecord.MAX_SERIALS).mapToObj(SignLogFileTest::serial).toList();
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
