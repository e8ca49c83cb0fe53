package io.solidus.wallet.cli;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads secrets from a file, an environment variable or a prompt; never from arguments, which every
 * process on the machine can read.
 */
final class SecretInput {
  static final String VARIABLE = "SOLIDUS_WALLET_PASSPHRASE";

  private SecretInput() {}

  /**
   * The passphrase of the wallet; the caller clears it.
   *
   * @param file whose first line is the passphrase; null for the variable or the prompt
   * @param twice whether a prompt asks twice
   */
  static char[] read(
      @Nullable Path file, Map<String, String> environment, Terminal terminal, boolean twice) {
    if (file != null) {
      return firstLine(file, "the passphrase file");
    }
    String variable = environment.get(VARIABLE);
    if (variable != null) {
      return nonEmpty(variable.toCharArray());
    }
    return ask(terminal, "Passphrase of the wallet", twice);
  }

  /**
   * Another passphrase than the wallet's, not from the variable; the caller clears it.
   *
   * @param question of the prompt
   * @param file whose first line is the passphrase; null for the prompt
   * @param twice whether a prompt asks twice
   */
  static char[] another(String question, @Nullable Path file, Terminal terminal, boolean twice) {
    return file != null
        ? firstLine(file, "the file of the passphrase")
        : ask(terminal, question, twice);
  }

  private static char[] ask(Terminal terminal, String question, boolean twice) {
    char[] first = nonEmpty(ask(terminal, question));
    if (twice && terminal.progress()) {
      char[] second = ask(terminal, "The same again");
      if (!Arrays.equals(first, second)) {
        throw new WalletException(WalletError.WRONG_PASSPHRASE, "the two passphrases differ");
      }
      Arrays.fill(second, '\0');
    }
    return first;
  }

  /** The first line of a file; the caller clears it. */
  static char[] firstLine(Path file, String what) {
    try {
      byte[] content = Files.readAllBytes(file);
      CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(content));
      Arrays.fill(content, (byte) 0);
      int end = 0;
      while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
        end++;
      }
      char[] line = new char[end];
      text.get(line);
      Arrays.fill(text.array(), '\0');
      return nonEmpty(line);
    } catch (IOException e) {
      throw new WalletException(WalletError.STORE_MISSING, what + " cannot be read: " + file, e);
    }
  }

  /** The answer to a prompt; the caller clears it. */
  static char[] ask(Terminal terminal, String question) {
    char[] answer = terminal.prompt().secret(question);
    if (answer == null) {
      throw new WalletException(
          WalletError.WRONG_PASSPHRASE,
          question + " is needed, and there is no terminal or input to read it from");
    }
    return answer;
  }

  private static char[] nonEmpty(char[] passphrase) {
    if (passphrase.length == 0) {
      throw new WalletException(WalletError.WRONG_PASSPHRASE, "the passphrase or secret is empty");
    }
    return passphrase;
  }
}
