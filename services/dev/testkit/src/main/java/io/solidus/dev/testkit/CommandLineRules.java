package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Rules for every command of a program with a command line. */
public final class CommandLineRules {
  private static final String UNKNOWN = "--no-such-option";

  private CommandLineRules() {}

  /**
   * {@code --help} prints the options and exits with 0. An unknown option is named and gives
   * another exit status. Neither runs the command.
   */
  public static void everyCommandHelpsAndRefuses(CommandLine program) {
    check(program, program, List.of());
  }

  private static void check(CommandLine program, CommandLine command, List<String> path) {
    Answer help = answer(program, path, "--help");
    assertThat(help.status()).as("%s --help: %s", path, help.err()).isZero();
    assertThat(help.out()).as("%s --help", path).contains("Usage:", "--help");
    Answer unknown = answer(program, path, UNKNOWN);
    assertThat(unknown.status()).as("%s %s", path, UNKNOWN).isNotZero();
    // a missing required option is reported first
    assertThat(unknown.err()).as("%s %s", path, UNKNOWN).containsAnyOf(UNKNOWN, "Missing required");
    command.getSubcommands().forEach((name, below) -> check(program, below, and(path, name)));
  }

  private record Answer(int status, String out, String err) {}

  private static Answer answer(CommandLine program, List<String> path, String option) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    int status = program.execute(and(path, option).toArray(String[]::new));
    return new Answer(status, out.toString(), err.toString());
  }

  private static List<String> and(List<String> path, String last) {
    List<String> all = new ArrayList<>(path);
    all.add(last);
    return all;
  }
}
