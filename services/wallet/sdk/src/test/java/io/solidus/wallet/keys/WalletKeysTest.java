package io.solidus.wallet.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.RegistrationCase;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Known answers were computed with an independent HKDF-SHA-512 and big integers. */
class WalletKeysTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final Digest32 CONTEXT = Digest32.sha256();
  private static final SerialNumber LEAD = new SerialNumber(FieldElement.ofLong(7));

  private static WalletKeys keys(NetworkId network) {
    try (SeedPhrase phrase = SeedPhrase.parse("abandon ".repeat(23) + "art")) {
      return WalletKeys.derive(phrase, network);
    }
  }

  @Test
  @Spec({"O-01", "W-01"})
  void derivesTheKnownLongLivedKeys() {
    try (WalletKeys keys = keys(NETWORK)) {
      assertThat(keys.nullifierKey().hex())
          .isEqualTo(
              "00f6c4f22469e004500f5349ea53c63879168a65687a4d6ebbdeb126a1cc1f71cd75b36351894368d6792b994cc8ebb5");
      assertThat(hex(keys.spendKey()))
          .isEqualTo("051083c19a32124c2f89e972450312ee9d4764ea3e7f0db8e2b0a59306f95773");
      assertThat(keys.encryptionKey().bytes())
          .isEqualTo(hex("bfceb44605f9bbb384fc2493d13aedea1a9bfeb62ad65a3928eafbc1a1a1b09f"));
      assertThat(keys.memoKey())
          .isEqualTo(hex("5f2d6f1d6d28625ba275963877feb8e17b304bf4998c985d6d04d504d48a6591"));
    }
  }

  @Test
  @Spec("W-02")
  void derivesTheKnownSecretsOfATransfer() {
    try (WalletKeys keys = keys(NETWORK);
        TransferSecrets secrets = keys.transfer(LEAD, 3, CONTEXT)) {
      assertThat(secrets.seed().hex())
          .isEqualTo(
              "00e30beb469e3e11641e19746fb70f6a1d83825ecb5a22bb6e30a677e499305b74c91fd0f6079057e565d6bbdb35a731");
      assertThat(secrets.s().get(1).hex())
          .isEqualTo(
              "00d4fa762de9a200b4ae4c546d3038af517546b83dbff23f9e2263cd71b8075fc9d5837c92109ae5c1f1e392d48b52a9");
      assertThat(hex(secrets.b().get(0)))
          .isEqualTo("056fb2a3ef0d18bec18fbe74ad476821e7158ab08896374ab4a1db0ac7e24f1c");
      assertThat(secrets.historyRandomness().hex())
          .isEqualTo(
              "017cb6198ee92b493a9787de88126296826c79840ed77e1580e56233073d3954ba93c1bdef9de72a3795af046383a39c");
      assertThat(secrets.dummyRhos().get(1).hex())
          .isEqualTo(
              "00408185ac7d65ee249c764c7bfe056c62d1e88de32a0ec21acda3b6f2520db48e011c113d54310887fd901ef25dab5c");
    }
  }

  @Test
  @Spec("W-02")
  void derivesTheKnownSecretsOfMintAndRegistration() {
    MintId id = new MintId(new Digest32(hex("00".repeat(31) + "09")));
    try (WalletKeys keys = keys(NETWORK);
        OutputSecrets mint = keys.mint(id, 0);
        OutputSecrets registration = keys.registration(2)) {
      assertThat(mint.seed().hex())
          .isEqualTo(
              "01a709dfe361b6835c8a9890fb8571d992b6bb464f2fe086c819838abc85d8e41db6690dd9e3703de986668eeee557f3");
      assertThat(hex(mint.b()))
          .isEqualTo("10637ddc4f2ed54398cea1dcd9d287b75164a271ede6960159dc9149124bfe37");
      assertThat(registration.s().hex())
          .isEqualTo(
              "014b7f264c2c91d1f409d1c9cbd124b16603d1cfa632c9b114c3b8b4b0a5363cbef85ea420351a4eec534aaa69ae120a");
      assertThat(keys.mintId("F-1", 0).hex())
          .isEqualTo("a36d79f658423a5c08f212a8ed6c9a00b45a5afa3cb4ea1fb5195601c042d7c5");
    }
  }

  @Test
  void oneSeedGivesUnrelatedKeysOnEveryNetwork() {
    try (WalletKeys one = keys(NETWORK);
        WalletKeys other = keys(new NetworkId("solidus-else"))) {
      assertThat(one.nullifierKey()).isNotEqualTo(other.nullifierKey());
      assertThat(one.spendKey()).isNotEqualTo(other.spendKey());
      assertThat(one.encryptionKey().publicKey()).isNotEqualTo(other.encryptionKey().publicKey());
      assertThat(one.memoKey()).isNotEqualTo(other.memoKey());
    }
  }

  @Test
  void everyUseHasItsOwnSecret() {
    Set<String> seen = new HashSet<>();
    try (WalletKeys keys = keys(NETWORK)) {
      for (long serial = 1; serial <= 3; serial++) {
        for (int counter = 0; counter < 3; counter++) {
          try (TransferSecrets t =
              keys.transfer(new SerialNumber(FieldElement.ofLong(serial)), counter, CONTEXT)) {
            seen.add(t.seed().hex());
            t.s().forEach(s -> seen.add(s.hex()));
            t.b().forEach(b -> seen.add(hex(b)));
            t.dummyRhos().forEach(rho -> seen.add(rho.hex()));
            seen.add(t.historyRandomness().hex());
          }
        }
      }
    }
    assertThat(seen).hasSize(3 * 3 * 8);
  }

  @Test
  @Spec("W-02")
  void twoTransfersOutOfOneCoinShareNoSecret() {
    Set<String> seen = new HashSet<>();
    try (WalletKeys keys = keys(NETWORK)) {
      for (Digest32 context : List.of(CONTEXT, Digest32.sha256(new byte[1]))) {
        for (int counter = 0; counter < 2; counter++) {
          try (TransferSecrets t = keys.transfer(LEAD, counter, context)) {
            seen.add(t.seed().hex());
            t.s().forEach(s -> seen.add(s.hex()));
            t.b().forEach(b -> seen.add(hex(b)));
            t.dummyRhos().forEach(rho -> seen.add(rho.hex()));
            seen.add(t.historyRandomness().hex());
          }
        }
      }
    }
    assertThat(seen).hasSize(2 * 2 * 8);
  }

  @Test
  void onlyItsOwnerCanTagARegistrationCase() {
    RegistrationCase opened = new RegistrationCase("case", "token");
    try (WalletKeys one = keys(NETWORK);
        WalletKeys other = keys(new NetworkId("solidus-else"))) {
      assertThat(one.caseTag(opened)).isEqualTo(one.caseTag(new RegistrationCase("case", "token")));
      assertThat(one.caseTag(opened)).isNotEqualTo(other.caseTag(opened));
      assertThat(one.caseTag(opened))
          .isNotEqualTo(one.caseTag(new RegistrationCase("cas", "etoken")));
    }
  }

  @Test
  void closingOverwritesTheSpendKey() {
    WalletKeys keys = keys(NETWORK);
    Scalar spendKey = keys.spendKey();
    keys.close();
    assertThatThrownBy(spendKey::bytes).isInstanceOf(IllegalStateException.class);
    assertThat(keys.memoKey()).containsOnly(0);
    assertThat(keys.toString()).isEqualTo("WalletKeys[redacted]");
  }

  @Test
  void freshScalarsAreInRangeAndDiffer() {
    RandomScalars scalars = new RandomScalars(new SecureRandom());
    Set<String> drawn = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      try (Scalar scalar = scalars.next()) {
        assertThat(scalar.isZero()).isFalse();
        drawn.add(hex(scalar));
      }
    }
    assertThat(drawn).hasSize(100);
  }

  private static String hex(Scalar scalar) {
    return HexFormat.of().formatHex(scalar.bytes());
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
