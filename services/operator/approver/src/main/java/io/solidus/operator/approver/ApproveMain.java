package io.solidus.operator.approver;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point of {@code solidus approve}. */
public final class ApproveMain {
  private ApproveMain() {}

  public static void main(String[] args) {
    System.exit(
        ApproveCommand.run(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            args));
  }
}
