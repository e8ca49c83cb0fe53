package io.solidus.wallet.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the command line writes and asks.
 *
 * @param progress whether the error stream is a terminal that progress may be shown on
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean progress, Prompt prompt) {
  /** Asks a person. */
  @FunctionalInterface
  public interface Prompt {
    /** The answer, or null when nobody is there to ask. */
    char @Nullable [] secret(String question);
  }

  static Terminal ofProcess(PrintWriter out, PrintWriter err) {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    return new Terminal(out, err, isTerminal(2), question -> ask(question, lines));
  }

  /** With a terminal the answer is not shown; without one it is the next line of standard input. */
  private static char @Nullable [] ask(String question, BufferedReader lines) {
    Console console = System.console();
    if (console != null && isTerminal(0)) {
      return console.readPassword("%s: ", question);
    }
    try {
      String line = lines.readLine();
      return line == null ? null : line.toCharArray();
    } catch (IOException e) {
      return null;
    }
  }

  /** Java tells whether there is a console, not which stream is one; Linux does. */
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
