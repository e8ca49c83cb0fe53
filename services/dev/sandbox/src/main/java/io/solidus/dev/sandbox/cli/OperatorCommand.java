package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.MintId;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * The actions of the bank's operators on a running sandbox, through the admin APIs with a token for
 * each operator.
 */
@Command(
    name = "operator",
    description = "Plays the bank's people of a running sandbox.",
    subcommands = {
      OperatorCommand.Cases.class,
      OperatorCommand.ApproveCase.class,
      OperatorCommand.RefuseCase.class,
      OperatorCommand.Fund.class,
      OperatorCommand.ApproveMints.class,
      OperatorCommand.Supply.class
    })
public final class OperatorCommand {
  private OperatorCommand() {}

  /** The common part of all actions. */
  abstract static class Action implements Callable<Integer> {
    @Mixin private Location location = new Location();

    abstract void act(Operators operators) throws Exception;

    @Override
    public Integer call() throws Exception {
      SandboxOptions options = location.options();
      act(new Operators(options.ports(), Sandbox.open(options, line -> {})));
      return 0;
    }
  }

  /** Lists registration cases that wait for a decision. */
  @Command(name = "cases", description = "Registration cases that wait for a decision.")
  static final class Cases extends Action {
    @Override
    void act(Operators operators) throws Exception {
      for (String status : new String[] {"pending", "review"}) {
        for (JsonNode summary : operators.cases(status)) {
          System.out.printf(
              "%s  %s  %d match(es)%n",
              summary.path("caseId").asString(), status, summary.path("matches").asInt());
        }
      }
    }
  }

  /** Approves a case. */
  @Command(name = "approve-case", description = "Approves a registration case.")
  static final class ApproveCase extends Action {
    @Parameters(index = "0", paramLabel = "CASE")
    private String caseId = "";

    @Override
    void act(Operators operators) throws Exception {
      operators.approveCase(caseId);
      System.out.println("approved");
    }
  }

  /** Refuses a case. */
  @Command(name = "refuse-case", description = "Refuses a registration case.")
  static final class RefuseCase extends Action {
    @Parameters(index = "0", paramLabel = "CASE")
    private String caseId = "";

    @Option(names = "--reason", required = true, description = "the applicant reads it")
    private String reason = "";

    @Override
    void act(Operators operators) throws Exception {
      operators.refuseCase(caseId, reason);
      System.out.println("refused");
    }
  }

  /** Records money received at the bank. */
  @Command(
      name = "fund",
      description = "Records money received at the bank; prints what the holder mints against.")
  static final class Fund extends Action {
    @Option(names = "--amount-minor", required = true, description = "in cents")
    private long amountMinor;

    @Override
    void act(Operators operators) throws Exception {
      JsonNode funding = operators.recordFunding("funding-" + UUID.randomUUID(), amountMinor);
      System.out.println("funding  " + funding.path("fundingId").asString());
      System.out.println("token    " + funding.path("accessToken").asString());
    }
  }

  /** Approves every waiting mint in the name of both approvers. */
  @Command(name = "approve-mints", description = "Both approvers sign every mint that waits.")
  static final class ApproveMints extends Action {
    @Override
    void act(Operators operators) throws Exception {
      int approved = 0;
      for (MintId mint : operators.waitingMints()) {
        operators.approveMint(mint);
        approved++;
      }
      System.out.println(approved + " approved");
    }
  }

  /** Prints the issued, redeemed and outstanding amounts. */
  @Command(name = "supply", description = "What was issued and redeemed, in cents.")
  static final class Supply extends Action {
    @Override
    void act(Operators operators) throws Exception {
      JsonNode supply = operators.supply();
      System.out.printf(
          "issued %d, redeemed %d, outstanding %d%n",
          supply.path("issuedMinor").asLong(),
          supply.path("redeemedMinor").asLong(),
          supply.path("outstandingMinor").asLong());
    }
  }
}
