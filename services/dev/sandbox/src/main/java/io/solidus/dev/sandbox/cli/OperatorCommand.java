package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.MintId;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      OperatorCommand.PayOut.class,
      OperatorCommand.Supply.class,
      OperatorCommand.ImportList.class,
      OperatorCommand.AcceptImport.class
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
      for (String status : new String[] {"pending", "review", "possible-duplicate"}) {
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

    @Option(
        names = "--organisation",
        description = "the case is of an organisation: both officers approve it")
    private boolean organisation;

    @Override
    void act(Operators operators) throws Exception {
      if (organisation) {
        operators.approveOrganisation(caseId);
      } else {
        operators.approveCase(caseId);
      }
      System.out.println("approved");
    }
  }

  /** Refuses a case. */
  @Command(name = "refuse-case", description = "Refuses a registration case.")
  static final class RefuseCase extends Action {
    @Parameters(index = "0", paramLabel = "CASE")
    private String caseId = "";

    @Option(
        names = "--code",
        defaultValue = "come-to-the-bank",
        description =
            "all that the applicant reads: document-unreadable, document-expired, details-differ"
                + " or come-to-the-bank (default: ${DEFAULT-VALUE})")
    private String code = "";

    @Option(names = "--reason", required = true, description = "for the file")
    private String reason = "";

    @Override
    void act(Operators operators) throws Exception {
      operators.refuseCase(caseId, code, reason);
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

  /** Imports a list file; nothing changes before another person accepts it. */
  @Command(
      name = "import-list",
      description = "Imports a sanction list file; another person accepts it with accept-import.")
  static final class ImportList extends Action {
    @Parameters(index = "0", paramLabel = "LIST", description = "un, ofac or ofac-alt")
    private String list = "";

    @Parameters(index = "1", paramLabel = "FILE")
    private Path file = Path.of("");

    @Option(names = "--reason", description = "why the file is right, when it is objected to")
    private @Nullable String reason;

    @Override
    void act(Operators operators) throws Exception {
      JsonNode proposal = operators.proposeList(list, file, reason).path("proposal");
      if (proposal.isNull()) {
        System.out.println("this file is in force already");
        return;
      }
      JsonNode delta = proposal.path("payload");
      System.out.printf(
          "import   %s%nentries  %d: %d added, %d removed, %d changed, %d malformed%n",
          proposal.path("id").asString(),
          delta.path("entries").asInt(),
          delta.path("added").asInt(),
          delta.path("removed").asInt(),
          delta.path("changed").asInt(),
          delta.path("malformed").asInt());
      delta.path("objections").forEach(each -> System.out.println("objection  " + each.asString()));
    }
  }

  /** Accepts an imported list file as another person. */
  @Command(name = "accept-import", description = "Puts an imported list file in force.")
  static final class AcceptImport extends Action {
    @Parameters(index = "0", paramLabel = "IMPORT")
    private String proposal = "";

    @Option(names = "--confirmation", description = "the answer to the objections")
    private @Nullable String confirmation;

    @Override
    void act(Operators operators) throws Exception {
      JsonNode outcome = operators.accept(proposal, confirmation).path("outcome");
      System.out.printf(
          "%s version %d in force%n",
          outcome.path("list").asString(), outcome.path("version").asLong());
    }
  }

  /** Sends the accepted payouts to the simulated bank. */
  @Command(
      name = "pay-out",
      description = "Two operators send the accepted payouts to the bank, which pays them at once.")
  static final class PayOut extends Action {
    @Override
    void act(Operators operators) throws Exception {
      System.out.println(operators.payOut() + " paid out");
    }
  }

  /** Prints the issued, redeemed and outstanding amounts. */
  @Command(name = "supply", description = "What was issued and redeemed, in cents.")
  static final class Supply extends Action {
    @Override
    void act(Operators operators) throws Exception {
      JsonNode supply = operators.supply();
      System.out.printf(
          "issued %d, redeemed %d, outstanding %d, at the bank %d%n",
          supply.path("issuedMinor").asLong(),
          supply.path("redeemedMinor").asLong(),
          supply.path("outstandingMinor").asLong(),
          supply.path("bankBalanceMinor").asLong());
    }
  }
}
