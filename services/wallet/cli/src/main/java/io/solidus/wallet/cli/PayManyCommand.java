package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.BulkStatus;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code pay-many}. */
@Command(
    name = "pay-many",
    description = {
      "Pays the payments of a file, such as a payroll or refunds: eight with one proof where the"
          + " network has it, otherwise one by one.",
      "The file has comma-separated values below the line "
          + PaymentFile.HEADER
          + ". A payee is an"
          + " address or the name of a contact. Nothing is paid when a line is wrong, or when limits"
          + " or balance do not suffice for all.",
      "A payee on the sanction list is not paid; all others are. Each line is paid once, however"
          + " often the command is repeated with this id and file, also after it was cut off.",
      "What became of each line is in the file of results, which is written anew after each proof."
    })
final class PayManyCommand extends OpenWalletCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "the payments")
  private Path file = Path.of("");

  @Option(
      names = "--payment-id",
      required = true,
      paramLabel = "ID",
      description =
          "your name of this list, for example payroll-2026-11; another list needs another one")
  private String paymentId = "";

  @Option(
      names = "--dry-run",
      description = "pay nothing: show sum, limits and the number of proofs")
  private boolean dryRun;

  @Option(
      names = "--result",
      paramLabel = "FILE",
      description = "the file of results; otherwise beside FILE, with .result.csv in place of .csv")
  private @Nullable Path result;

  PayManyCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    PaymentFile payments = PaymentFile.read(wallet, file);
    if (top.output() == OutputFormat.TEXT && wallet.profile().kind() == NetworkKind.REGULATED) {
      LimitsCommand.show(wallet, top.terminal().err());
    }
    BulkPlan plan = wallet.planMany(paymentId, payments.orders());
    if (top.output() == OutputFormat.TEXT) {
      top.clearProgress();
      top.terminal().err().println(text(wallet, payments, plan));
    }
    if (dryRun) {
      return Result.done(json(payments, plan), "Nothing was paid.");
    }
    return pay(wallet, payments, plan);
  }

  private Result pay(Wallet wallet, PaymentFile payments, BulkPlan plan) {
    Path results = result == null ? PaymentResults.beside(file) : result;
    // before anything is paid: the file can be written
    PaymentResults.write(results, wallet, payments, plan.status());
    int[] proofs = {0};
    BulkStatus status;
    try {
      status =
          wallet.payMany(
              paymentId,
              payments.orders(),
              now -> {
                proofs[0]++;
                PaymentResults.write(results, wallet, payments, now);
                show(proofs[0], plan.proofs(), now);
              });
    } catch (RuntimeException e) {
      writeAfter(e, results, wallet, payments, plan);
      throw e;
    }
    PaymentResults.write(results, wallet, payments, status);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("paymentId", paymentId);
    json.put("proofs", proofs[0]);
    json.put("lines", PaymentResults.json(payments, status));
    boolean all = status.lines(BulkLine.State.PAID).size() == status.lines().size();
    return new Result(
        json,
        text(wallet, payments, status) + "\nResults: " + results,
        all ? WalletError.Exit.OK : WalletError.Exit.REFUSED);
  }

  /** What is paid, and what is in flight, after a failure, which is told in any case. */
  private void writeAfter(
      RuntimeException failure, Path results, Wallet wallet, PaymentFile payments, BulkPlan plan) {
    try {
      PaymentResults.write(
          results,
          wallet,
          payments,
          wallet.manyStatus(paymentId, payments.orders()).listed(plan.status()::isListed));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void show(int proof, int proofs, BulkStatus now) {
    if (top.output() == OutputFormat.TEXT) {
      top.clearProgress();
      top.terminal()
          .err()
          .println(
              "Proof "
                  + proof
                  + " of "
                  + Math.max(proof, proofs)
                  + ": "
                  + now.lines(BulkLine.State.PAID).size()
                  + " of "
                  + now.lines().size()
                  + " paid");
    }
  }

  private Map<String, Object> json(PaymentFile payments, BulkPlan plan) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("paymentId", paymentId);
    json.put("openMinor", plan.status().sum(BulkLine.State.OPEN).minor());
    json.put("open", plan.status().lines(BulkLine.State.OPEN).size());
    json.put("proofs", plan.proofs());
    json.put("payeesPerProof", plan.payeesPerProof());
    json.put("lines", PaymentResults.json(payments, plan.status()));
    return json;
  }

  private static String text(Wallet wallet, PaymentFile payments, BulkPlan plan) {
    BulkStatus status = plan.status();
    StringBuilder text = new StringBuilder();
    text.append("To pay:  ")
        .append(money(wallet, status.sum(BulkLine.State.OPEN)))
        .append(", ")
        .append(status.lines(BulkLine.State.OPEN).size())
        .append(" payments, ")
        .append(plan.proofs())
        .append(" proofs; there is no fee");
    int paid = status.lines(BulkLine.State.PAID).size();
    if (paid > 0) {
      text.append("\nPaid:    ").append(paid).append(" before, which are not paid again");
    }
    exceptions(text, payments, status);
    if (plan.proofs() > 0
        && plan.payeesPerProof() == 1
        && wallet.profile().kind() == NetworkKind.REGULATED) {
      text.append("\nNote:    one proof for each payment: network, gateway or this wallet's keys")
          .append(" have none for eight payees");
    }
    return text.toString();
  }

  private static String text(Wallet wallet, PaymentFile payments, BulkStatus status) {
    StringBuilder text = new StringBuilder();
    text.append("Paid:    ")
        .append(money(wallet, status.sum(BulkLine.State.PAID)))
        .append(", ")
        .append(status.lines(BulkLine.State.PAID).size())
        .append(" of ")
        .append(status.lines().size())
        .append(" payments");
    exceptions(text, payments, status);
    long waiting =
        status.lines(BulkLine.State.PAID).stream().filter(line -> !line.delivered()).count();
    if (waiting > 0) {
      text.append("\nWaiting: ")
          .append(waiting)
          .append(" deliveries; the next command or 'solidus wallet settle' repeats them");
    }
    return text.toString();
  }

  private static void exceptions(StringBuilder text, PaymentFile payments, BulkStatus status) {
    exceptions(
        text, payments, status.lines(BulkLine.State.LISTED), "on the sanction list, not paid");
    exceptions(
        text,
        payments,
        status.lines(BulkLine.State.BURNT),
        "a recover burnt the payment, and the payee may have been paid: ask the payee");
  }

  private static void exceptions(
      StringBuilder text, PaymentFile payments, List<BulkLine> lines, String why) {
    if (!lines.isEmpty()) {
      text.append(
          lines.stream()
              .map(line -> payments.lines().get(line.number() - 1))
              .map(line -> "line " + line.number() + " (" + line.payee() + ")")
              .collect(Collectors.joining(", ", "\nRefused: ", ": " + why)));
    }
  }
}
