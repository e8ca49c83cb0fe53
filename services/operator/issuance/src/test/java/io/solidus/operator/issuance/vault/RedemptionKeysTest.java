package io.solidus.operator.issuance.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedemptionKeysTest {
  private static final NetworkId NETWORK = new NetworkId("vault-test");

  @TempDir private Path dir;

  private Path key(int value, int length) throws IOException {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) value);
    return Files.write(dir.resolve("key-" + value + "-" + length), key);
  }

  @Test
  void opensRecordsThatWereSealedToAFormerKey() throws IOException {
    byte[] record = "an account".getBytes(StandardCharsets.UTF_8);
    byte[] sealed;
    try (RedemptionKeys before = RedemptionKeys.load(NETWORK, List.of(key(1, 32)))) {
      sealed = before.sealRecord(record);
    }
    try (RedemptionKeys after = RedemptionKeys.load(NETWORK, List.of(key(2, 32), key(1, 32)))) {
      assertThat(after.openRecord(sealed)).isEqualTo(record);
    }
    try (RedemptionKeys without = RedemptionKeys.load(NETWORK, List.of(key(2, 32)))) {
      assertThatThrownBy(() -> without.openRecord(sealed))
          .isInstanceOf(IllegalStateException.class);
    }
    try (RedemptionKeys elsewhere =
        RedemptionKeys.load(new NetworkId("vault-other"), List.of(key(1, 32)))) {
      assertThatThrownBy(() -> elsewhere.openRecord(sealed))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void doesNotOpenARecordAsAPayout() throws IOException {
    try (RedemptionKeys keys = RedemptionKeys.load(NETWORK, List.of(key(1, 32)))) {
      byte[] sealed = keys.sealRecord(new byte[464]);
      assertThat(sealed).hasSize(512);
      assertThat(keys.openPayout(sealed)).isEmpty();
      assertThat(keys.openPayout(new byte[512])).isEmpty();
      assertThat(keys.openPayout(new byte[3])).isEmpty();
    }
  }

  @Test
  void refusesAnInvalidKeyFile() throws IOException {
    Path zeros = key(0, 32);
    Path shorter = key(1, 31);
    assertThatThrownBy(() -> RedemptionKeys.load(NETWORK, List.of(zeros)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> RedemptionKeys.load(NETWORK, List.of(shorter)))
        .isInstanceOf(IllegalStateException.class);
  }
}
