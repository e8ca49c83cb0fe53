package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bytes of a record and of the chain, which every later version of a signer has to read. */
class SignRecordTest {

  private final Generators random = new Generators(5);

  @Test
  void everyNumberOfSerialNumbersIsReadAgain() {
    for (int count = 0; count <= SignRecord.MAX_SERIALS; count++) {
      SignRecord record = record(count);
      byte[] bytes = record.toBytes();
      assertThat(bytes).hasSize(70 + 32 * count);
      assertThat(SignRecord.fromBytes(bytes)).isEqualTo(record);

      SignRecord recover = recover(count);
      bytes = recover.toBytes();
      assertThat(bytes).hasSize(70 + 64 * count);
      assertThat(SignRecord.fromBytes(bytes)).isEqualTo(recover);
    }
    assertThat(recover(SignRecord.MAX_SERIALS).toBytes()).hasSize(SignRecord.MAX_BYTES);
    assertThatThrownBy(() -> record(SignRecord.MAX_SERIALS + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theBytesAreInTheOrderOfTheDescription() {
    SignRecord record = record(2);
    assertThat(record.toBytes())
        .isEqualTo(
            ByteBuffer.allocate(70 + 64)
                .put((byte) Family.TRANSFER.code())
                .put(record.core().bytes())
                .putInt(record.shareEpoch())
                .put((byte) 2)
                .put(record.serials().get(0).bytes())
                .put(record.serials().get(1).bytes())
                .put(record.points().bytes())
                .array());
  }

  /** Attack: a record with a byte more or less, or that names more serial numbers than it has. */
  @Test
  void aRecordOfAnotherLengthIsNoRecord() {
    byte[] bytes = record(2).toBytes();
    for (int length : new int[] {0, 1, 69, 70, bytes.length - 1, bytes.length + 1}) {
      assertThatThrownBy(() -> SignRecord.fromBytes(Arrays.copyOf(bytes, length)))
          .as("%d bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
    int tooMany = SignRecord.MAX_SERIALS + 1;
    byte[] long17 = new byte[70 + 32 * tooMany];
    long17[0] = (byte) Family.TRANSFER.code();
    long17[37] = (byte) tooMany;
    assertThatThrownBy(() -> SignRecord.fromBytes(long17))
        .hasMessageContaining("record of the wrong length");
  }

  @Test
  void theChainBindsNetworkAuthorityAndEveryRecord() {
    NetworkId network = new NetworkId("chain-test");
    LogPosition genesis = HashChain.genesis(network, 258);
    assertThat(genesis)
        .isEqualTo(
            new LogPosition(
                0,
                Digest32.sha256(
                    ascii("solidus/sign-log-genesis/v1"),
                    network.digest().bytes(),
                    new byte[] {0, 0, 1, 2})));
    byte[] record = record(1).toBytes();
    assertThat(HashChain.next(genesis, record))
        .isEqualTo(
            new LogPosition(
                1, Digest32.sha256(ascii("solidus/sign-log/v1"), genesis.head().bytes(), record)));
  }

  private SignRecord record(int serials) {
    List<SerialNumber> numbers = Stream.generate(random::serial).limit(serials).toList();
    return new SignRecord(
        Family.TRANSFER, new TxCore(random.digest()), 0x01020304, numbers, random.digest());
  }

  private SignRecord recover(int serials) {
    return new SignRecord(
        Family.RECOVER,
        new TxCore(random.digest()),
        0x01020304,
        Stream.generate(random::serial).limit(serials).toList(),
        Stream.generate(() -> new TxCore(random.digest())).limit(serials).toList(),
        random.digest());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
