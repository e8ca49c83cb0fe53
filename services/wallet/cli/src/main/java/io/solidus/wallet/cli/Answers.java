package io.solidus.wallet.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Asks for what no argument may have, because other programs can read arguments. */
record Answers(Terminal terminal, CommandSpec spec) {
  /** The value of an option from a file, otherwise the answer to a question. */
  String orAsk(@Nullable String option, String question) {
    if (option != null) {
      return option;
    }
    String answer = terminal.prompt().line(question);
    if (answer == null || answer.isBlank()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "'" + question + "' needs an answer, from a terminal or a line of standard input");
    }
    return answer.strip();
  }

  String ask(String question) {
    return orAsk(null, question);
  }
}
