package io.solidus.wallet.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SeedPhraseTest {
  private static final String ABANDON_ART = "abandon ".repeat(23) + "art";

  static Stream<Arguments> vectors() throws IOException {
    try (InputStream in = SeedPhraseTest.class.getResourceAsStream("/bip39/english-24-words.tsv")) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return lines.stream()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Arguments.of((Object[]) line.split("\t")));
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  @Spec({"W-01", "F-01"})
  void agreesWithThePublishedVectors(String entropy, String phrase, String seed) {
    try (SeedPhrase parsed = SeedPhrase.parse(phrase);
        SeedPhrase made = SeedPhrase.ofEntropy(HexFormat.of().parseHex(entropy))) {
      assertThat(parsed.entropy()).isEqualTo(HexFormat.of().parseHex(entropy));
      assertThat(made.words()).isEqualTo(phrase);
      assertThat(made.seed("TREZOR")).isEqualTo(HexFormat.of().parseHex(seed));
    }
  }

  @Test
  void hasAllPublishedVectors() throws IOException {
    assertThat(vectors()).hasSize(8);
  }

  @Test
  void theWordListIsSortedAndDistinctInFourLetters() {
    assertThat(WordList.words()).hasSize(2048).isSorted();
    assertThat(
            WordList.words().stream()
                .map(word -> word.substring(0, Math.min(4, word.length())))
                .distinct())
        .hasSize(2048);
  }

  @Test
  @Spec("F-01")
  void readsAnyCaseAndSpacing() {
    try (SeedPhrase phrase =
        SeedPhrase.parse("  " + ABANDON_ART.toUpperCase(Locale.ROOT).replace(" ", "\n\t ") + " ")) {
      assertThat(phrase.words()).isEqualTo(ABANDON_ART);
    }
  }

  @Test
  void refusesAWrongChecksum() {
    assertInvalid("abandon ".repeat(24), "do not belong together");
  }

  @Test
  void reportsThePositionOfAnUnknownWordAndNotTheWord() {
    WalletException refused =
        assertInvalid(ABANDON_ART.replaceFirst("abandon abandon", "abandon secretword"), "word 2 ");
    assertThat(refused).hasMessageNotContaining("secretword");
  }

  @Test
  void refusesTwelveWords() {
    assertInvalid("abandon ".repeat(11) + "about", "has 24 words, not 12");
  }

  @Test
  void generatesDifferentPhrasesThatReadBack() {
    SecureRandom random = new SecureRandom();
    try (SeedPhrase one = SeedPhrase.generate(random);
        SeedPhrase two = SeedPhrase.generate(random);
        SeedPhrase again = SeedPhrase.parse(one.words())) {
      assertThat(again.entropy()).isEqualTo(one.entropy()).isNotEqualTo(two.entropy());
    }
  }

  @Test
  void clearsItsSecretWhenClosedAndNeverPrintsIt() {
    SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
    assertThat(phrase.toString()).isEqualTo("SeedPhrase[redacted]");
    phrase.close();
    assertThat(phrase.entropy()).containsOnly(0);
  }

  private static WalletException assertInvalid(String phrase, String detail) {
    WalletException refused =
        catchThrowableOfType(WalletException.class, () -> SeedPhrase.parse(phrase).close());
    assertThat(refused.error()).isEqualTo(WalletError.SEED_PHRASE_INVALID);
    assertThat(refused).hasMessageContaining(detail);
    return refused;
  }
}
