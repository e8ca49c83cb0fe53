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

    /** As {@link #secret}, with an echo on a terminal. */
    default @Nullable String line(String question) {
      char[] answer = secret(question);
      return answer == null ? null : new String(answer);
    }
  }

  static Terminal ofProcess(PrintWriter out, PrintWriter err) {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    return new Terminal(out, err, isTerminal(2), new ProcessPrompt(lines));
  }

  /** Asks on a terminal, and otherwise reads the next line of standard input. */
  private record ProcessPrompt(BufferedReader lines) implements Prompt {
    @Override
    public char @Nullable [] secret(String question) {
      Console console = console();
      if (console != null) {
        return console.readPassword("%s: ", question);
      }
      String line = nextLine();
      return line == null ? null : line.toCharArray();
    }

    @Override
    public @Nullable String line(String question) {
      Console console = console();
      return console == null ? nextLine() : console.readLine("%s: ", question);
    }

    private static @Nullable Console console() {
      return isTerminal(0) ? System.console() : null;
    }

    private @Nullable String nextLine() {
      try {
        return lines.readLine();
      } catch (IOException e) {
        return null;
      }
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
