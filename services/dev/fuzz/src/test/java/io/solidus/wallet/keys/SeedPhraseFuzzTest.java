package io.solidus.wallet.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.PayoutInstruction;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Parsers of user input: seed phrases and bank accounts. */
class SeedPhraseFuzzTest {
  static Stream<String> phrases() {
    String good = SeedPhrase.ofEntropy(new byte[32]).words();
    return Stream.of(
        good,
        "  " + good.toUpperCase(java.util.Locale.ROOT) + "\n",
        good + " art",
        "abandon ".repeat(24),
        "",
        "\u0000",
        "\u212a".repeat(24));
  }

  @MethodSource("phrases")
  @FuzzTest
  void readsPhrases(@NotNull String phrase) {
    Hostile.decoded(phrase.length(), WalletException.class, () -> SeedPhrase.parse(phrase))
        .ifPresent(
            read -> assertThat(SeedPhrase.parse(read.words()).entropy()).isEqualTo(read.entropy()));
  }

  static Stream<Arguments> accounts() {
    return Stream.of(
        Arguments.of("Ann Example", "DE89 3704 0044 0532 0130 00", ""),
        Arguments.of("", "DE89370400440532013000", "r"),
        Arguments.of("\u202eAnn", "de89\u0661", "\u0000"));
  }

  @MethodSource("accounts")
  @FuzzTest
  void readsAccounts(@NotNull String name, @NotNull String iban, @NotNull String reference) {
    int length = name.length() + iban.length() + reference.length();
    Hostile.decoded(
            length, ProtocolException.class, () -> new PayoutInstruction(name, iban, reference))
        .ifPresent(read -> {
          assertThat(read.iban()).matches("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}");
          assertThat(read.creditorName() + read.reference()).doesNotMatch("(?s).*\\p{Cc}.*");
        });
  }
}
