package io.solidus.wallet.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SecretNumber;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
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
  private static final Period PERIOD = new Period(202611);
  private static final SerialNumber LEAD = new SerialNumber(FieldElement.ofLong(7));

  private static WalletKeys keys(NetworkId network) {
    try (SeedPhrase phrase = SeedPhrase.parse("abandon ".repeat(23) + "art")) {
      return WalletKeys.derive(phrase, network);
    }
  }

  @Test
  @Spec({"O-01", "W-01", "F-02", "F-03"})
  void derivesTheKnownLongLivedKeys() {
    try (WalletKeys keys = keys(NETWORK)) {
      assertThat(keys.nullifierKey().hex())
          .isEqualTo("474067bec2c8f94cbbfc3929a0612ae5b589d8f7c0be1cca5c192fe1d9b391b5");
      assertThat(hex(keys.spendKey()))
          .isEqualTo("00727d03f4c28c46ab66634fabd8e93f05b60c1f861aa1702d520fe5fd02724f");
      assertThat(keys.encryptionKey().bytes())
          .isEqualTo(hex("bfceb44605f9bbb384fc2493d13aedea1a9bfeb62ad65a3928eafbc1a1a1b09f"));
      assertThat(keys.memoKey())
          .isEqualTo(hex("5f2d6f1d6d28625ba275963877feb8e17b304bf4998c985d6d04d504d48a6591"));
    }
  }

  @Test
  @Spec({"W-02", "F-04"})
  void derivesTheKnownSecretsOfATransfer() {
    try (WalletKeys keys = keys(NETWORK);
        TransferSecrets secrets = keys.transfer(LEAD, 3, PERIOD, CONTEXT)) {
      assertThat(secrets.seed().hex())
          .isEqualTo("05e17bbc4b33fa194c655748157f3da37703e4c33de82cd57fd1067a80926cf9");
      assertThat(secrets.s().get(1).hex())
          .isEqualTo("20056ceda5f1e8f6b652ddfb1c0da697481aace0a502b53930a4d05d9ab3fc80");
      assertThat(hex(secrets.b().get(0)))
          .isEqualTo("5ebf0454abfe49ce5ac240c1bc426a1d5c6acac3ad77698b9b271162fdc0579c");
      assertThat(secrets.historyRandomness().hex())
          .isEqualTo("2b5354811299d1d2f13f7dae4eee1d19a9676e8ed2e2a3bfc3ae4dbecc3db093");
      assertThat(secrets.dummyRhos().get(1).hex())
          .isEqualTo("387e2a5f5ca8c8cbd3c913a9e1573356b26611c98bbc495badbdd53058ef4662");
    }
  }

  @Test
  @Spec({"W-02", "F-04"})
  void derivesTheKnownSecretsOfMintAndRegistration() {
    MintId id = new MintId(new Digest32(hex("00".repeat(31) + "09")));
    try (WalletKeys keys = keys(NETWORK);
        OutputSecrets mint = keys.mint(id);
        OutputSecrets registration = keys.registration()) {
      assertThat(mint.seed().hex())
          .isEqualTo("4f88e1767ab824c3c661d8173d23c6958386314f84773a2d2e920076654d5e8e");
      assertThat(hex(mint.b()))
          .isEqualTo("6108ebaf6c4515c3ae2d9a255de8c151b6078bb55b905fa5424697d60c7e7de8");
      assertThat(registration.s().hex())
          .isEqualTo("1939d85fc272f913a9ab29278384ee119060c5baa80dce04b3162d3e29b608d2");
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

  /** The same for the same payees in any order, and another one for each place and group. */
  @Test
  @Spec({"F-04", "W-53"})
  void theAddressOfNobodyFollowsFromPayeesAndPlace() {
    Apk one = new Apk(FieldElement.ofLong(1));
    Apk other = new Apk(FieldElement.ofLong(256));
    Set<Apk> seen = new HashSet<>();
    try (WalletKeys keys = keys(NETWORK);
        WalletKeys elsewhere = keys(new NetworkId("solidus-else"))) {
      assertThat(keys.nobody(List.of(one, other), 7))
          .isEqualTo(keys.nobody(List.of(other, one), 7));
      for (int place = 1; place < 8; place++) {
        seen.add(keys.nobody(List.of(one, other), place));
        seen.add(keys.nobody(List.of(one), place));
        seen.add(keys.nobody(List.of(other), place));
        seen.add(elsewhere.nobody(List.of(one), place));
      }
    }
    assertThat(seen).hasSize(28);
  }

  @Test
  void everyUseHasASeparateSecret() {
    Set<String> seen = new HashSet<>();
    try (WalletKeys keys = keys(NETWORK)) {
      for (long serial = 1; serial <= 3; serial++) {
        for (int counter = 0; counter < 3; counter++) {
          try (TransferSecrets t =
              keys.transfer(
                  new SerialNumber(FieldElement.ofLong(serial)), counter, PERIOD, CONTEXT)) {
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
  void twoTransfersFromOneCoinShareNoSecret() {
    Set<String> seen = new HashSet<>();
    try (WalletKeys keys = keys(NETWORK)) {
      for (Digest32 context : List.of(CONTEXT, Digest32.sha256(new byte[1]))) {
        for (Period period : List.of(PERIOD, new Period(202612))) {
          for (int counter = 0; counter < 2; counter++) {
            try (TransferSecrets t = keys.transfer(LEAD, counter, period, context)) {
              seen.add(t.seed().hex());
              t.s().forEach(s -> seen.add(s.hex()));
              t.b().forEach(b -> seen.add(hex(b)));
              t.dummyRhos().forEach(rho -> seen.add(rho.hex()));
              seen.add(t.historyRandomness().hex());
            }
          }
        }
      }
    }
    assertThat(seen).hasSize(2 * 2 * 2 * 8);
  }

  @Test
  @Spec({"W-02", "F-04"})
  void recoversOverOtherCoresShareNoSecret() {
    Set<String> seen = new HashSet<>();
    TxCore one = new TxCore(Digest32.sha256());
    TxCore other = new TxCore(Digest32.sha256(new byte[1]));
    try (WalletKeys keys = keys(NETWORK);
        RecoverSecrets twice = keys.recover(LEAD, one, other, 1);
        RecoverSecrets again = keys.recover(LEAD, one, other, 1)) {
      assertThat(twice.seed()).isEqualTo(again.seed());
      assertThat(twice.payoutBlock()).isEqualTo(again.payoutBlock()).hasSize(512);
      for (SerialNumber lead : List.of(LEAD, new SerialNumber(FieldElement.ofLong(8)))) {
        for (List<TxCore> cores :
            List.of(List.of(one, other), List.of(other, one), List.of(one, one))) {
          for (int credits : new int[] {0, 5}) {
            try (RecoverSecrets r =
                keys.recover(lead, cores.getFirst(), cores.getLast(), credits)) {
              seen.add(r.seed().hex());
              r.s().forEach(s -> seen.add(s.hex()));
              r.b().forEach(b -> seen.add(hex(b)));
              seen.add(r.historyRandomness().hex());
              seen.add(HexFormat.of().formatHex(r.payoutBlock()));
            }
          }
        }
      }
    }
    assertThat(seen).hasSize(2 * 3 * 2 * 7);
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
    KeyScalar spendKey = keys.spendKey();
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
      try (Scalar scalar = scalars.next();
          KeyScalar keyScalar = scalars.nextKey()) {
        assertThat(scalar.isZero()).isFalse();
        assertThat(keyScalar.isZero()).isFalse();
        drawn.add(hex(scalar));
        drawn.add(hex(keyScalar));
      }
    }
    assertThat(drawn).hasSize(200);
  }

  private static String hex(SecretNumber scalar) {
    return HexFormat.of().formatHex(scalar.bytes());
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
