package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code verify-phrase}. */
@Command(
    name = "verify-phrase",
    description = {
      "Asks for some of the 24 words, so that you know that you have written them down.",
      "Tells which word is wrong, and never shows one."
    })
final class VerifyPhraseCommand extends OpenWalletCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--words",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "how many words it asks for, in the order of the phrase (default 4, at most 24)")
  private int words;

  VerifyPhraseCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    if (words < 1 || words > SeedPhrase.WORDS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--words is a number from 1 to " + SeedPhrase.WORDS);
    }
    for (int place : places()) {
      char[] answer = SecretInput.ask(top.terminal(), "Word " + place);
      boolean right = wallet.hasWord(place, new String(answer));
      Arrays.fill(answer, '\0');
      if (!right) {
        throw new WalletException(
            WalletError.SEED_PHRASE_INVALID, "word " + place + " of this wallet is another one");
      }
    }
    return Result.done(Map.of("verified", words), "Right: " + words + " of 24 words.");
  }

  private List<Integer> places() {
    List<Integer> all =
        new ArrayList<>(IntStream.rangeClosed(1, SeedPhrase.WORDS).boxed().toList());
    Collections.shuffle(all, new SecureRandom());
    return all.subList(0, words).stream().sorted().toList();
  }
}
