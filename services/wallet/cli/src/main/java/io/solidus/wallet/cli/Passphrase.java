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
 * Where secrets come from: a file, an environment variable or a prompt; never the arguments, which
 * every process can read.
 */
final class Passphrase {
  static final String VARIABLE = "SOLIDUS_WALLET_PASSPHRASE";

  private Passphrase() {}

  /** The caller clears the result. */
  static char[] read(
      @Nullable Path file, Map<String, String> environment, Terminal terminal, boolean twice) {
    if (file != null) {
      return firstLine(file, "the passphrase file");
    }
    String variable = environment.get(VARIABLE);
    if (variable != null) {
      return nonEmpty(variable.toCharArray());
    }
    char[] first = nonEmpty(ask(terminal, "Passphrase of the wallet"));
    if (twice && terminal.progress()) {
      char[] second = ask(terminal, "The same again");
      if (!Arrays.equals(first, second)) {
        throw new WalletException(WalletError.WRONG_PASSPHRASE, "the two passphrases differ");
      }
      Arrays.fill(second, '\0');
    }
    return first;
  }

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

  static char[] ask(Terminal terminal, String question) {
    char[] answer = terminal.prompt().secret(question);
    if (answer == null) {
      throw new WalletException(
          WalletError.WRONG_PASSPHRASE, question + " is needed, and nobody is there to ask");
    }
    return answer;
  }

  private static char[] nonEmpty(char[] passphrase) {
    if (passphrase.length == 0) {
      throw new WalletException(
          WalletError.WRONG_PASSPHRASE, "an empty passphrase protects nothing");
    }
    return passphrase;
  }
}
