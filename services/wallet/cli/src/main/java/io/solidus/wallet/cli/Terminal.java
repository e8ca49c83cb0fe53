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
 * The streams and the prompt of the command line.
 *
 * @param progress whether the error stream is a terminal, so that progress can be shown
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean progress, Prompt prompt) {
  /** Asks the user. */
  @FunctionalInterface
  public interface Prompt {
    /** The answer; null when there is no terminal and no further input. */
    char @Nullable [] secret(String question);
  }

  static Terminal ofProcess(PrintWriter out, PrintWriter err) {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    return new Terminal(out, err, isTerminal(2), question -> ask(question, lines));
  }

  /** Reads without echo from a terminal, otherwise the next line of standard input. */
  private static char @Nullable [] ask(String question, BufferedReader lines) {
    Console console = isTerminal(0) ? System.console() : null;
    if (console != null) {
      return console.readPassword("%s: ", question);
    }
    try {
      String line = lines.readLine();
      return line == null ? null : line.toCharArray();
    } catch (IOException e) {
      return null;
    }
  }

  /** Asks Linux whether the stream is a terminal; Java tells it only for the process as a whole. */
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
