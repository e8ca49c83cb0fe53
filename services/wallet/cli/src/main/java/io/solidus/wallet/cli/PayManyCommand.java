package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkDoubts;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.BulkStatus;
import io.solidus.wallet.transfer.BulkPlanner;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
      "Nothing is paid either when a payee got the same amount by another list in the last 21 days:"
          + " repeat a list that was cut off as it was, under its id.",
      "What became of each line is in the file of results, which is written anew after each proof."
    })
final class PayManyCommand extends OpenWalletCommand {
  /** Of a day, where the gateway asks for tokens and the network sets nothing else. */
  private static final int TOKENS = 64;

  @Parameters(index = "0", paramLabel = "FILE", description = "the payments")
  private Path file = Path.of("");

  @Option(
      names = "--list-id",
      required = true,
      paramLabel = "ID",
      description =
          "your name of this list, for example payroll-2026-11; another list needs another one")
  private String listId = "";

  @Option(
      names = "--again",
      description = {
        "pay also those who may have been paid lately, whom --dry-run shows: you have asked them,"
            + " or mean it",
        "It confirms what this run shows before the first proof. Where more turns up while it pays,"
            + " it stops."
      })
  private boolean again;

  @Option(
      names = "--one-by-one",
      description =
          "pay one by one where only the gateway takes no eight payees: it sees how many are paid")
  private boolean oneByOne;

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
    try {
      return run(wallet, payments);
    } catch (ProtocolException e) {
      throw new ProtocolException(e.code(), PaymentFile.inRows(e.detail()), e);
    } catch (WalletException e) {
      String advice =
          e.error() == WalletError.PAYMENTS_REPEATED
              ? "; nothing more was paid. Finish the list that was begun under its own id, leave"
                  + " these lines out, or give --again if they are to be paid once more"
              : "";
      throw new WalletException(
          e.error(), PaymentFile.inRows(String.valueOf(e.getMessage())) + advice, e);
    }
  }

  private Result run(Wallet wallet, PaymentFile payments) {
    if (top.output() == OutputFormat.TEXT && wallet.profile().kind() == NetworkKind.REGULATED) {
      LimitsCommand.show(wallet, top.terminal().err());
    }
    BulkPlan plan = wallet.planMany(listId, payments.orders());
    if (top.output() == OutputFormat.TEXT) {
      top.clearProgress();
      top.terminal().err().println(text(wallet, payments, plan));
    }
    if (dryRun) {
      return Result.done(json(payments, plan), "Nothing was paid.");
    }
    if (!again) {
      plan.doubts().requireNone();
    }
    requireShape(plan);
    return pay(wallet, payments, plan);
  }

  /** A gateway that keeps silent about a shape learns from single payments how many are paid. */
  private void requireShape(BulkPlan plan) {
    if (plan.isDenied()
        && !oneByOne
        && plan.status().lines(BulkLine.State.OPEN).size() >= BulkPlanner.MANY) {
      throw new WalletException(
          WalletError.NOT_SUPPORTED,
          "this wallet's keys have payments to eight, and the gateway does not take them: paid one"
              + " by one, it sees how many are paid. Use another gateway, or give --one-by-one");
    }
  }

  private Path results() {
    Path results = result == null ? PaymentResults.beside(file) : result;
    if (isSame(results, file) || isSame(results, top.store())) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the results would replace another file: " + results);
    }
    return results;
  }

  private static boolean isSame(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  private Result pay(Wallet wallet, PaymentFile payments, BulkPlan plan) {
    Path results = results();
    PaymentResults.requireMayReplace(results, wallet, payments);
    // before anything is paid: the file can be written
    PaymentResults.write(results, wallet, payments, plan.status());
    int[] proofs = {0};
    BulkStatus status;
    try {
      status =
          pay(
              wallet,
              payments,
              plan,
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
    json.put("listId", listId);
    json.put("proofs", proofs[0]);
    putDoubts(json, plan);
    json.put("lines", PaymentResults.json(payments, status));
    boolean all = status.lines(BulkLine.State.PAID).size() == status.lines().size();
    return new Result(
        json,
        text(wallet, payments, status) + "\nResults: " + results,
        all ? WalletError.Exit.OK : WalletError.Exit.REFUSED);
  }

  private BulkStatus pay(
      Wallet wallet, PaymentFile payments, BulkPlan plan, Consumer<BulkStatus> after) {
    return again
        ? wallet.payManyAgain(listId, payments.orders(), plan.doubts(), after)
        : wallet.payMany(listId, payments.orders(), after);
  }

  /** What is paid, and what is in flight, after a failure, which is told in any case. */
  private void writeAfter(
      RuntimeException failure, Path results, Wallet wallet, PaymentFile payments, BulkPlan plan) {
    try {
      PaymentResults.write(
          results,
          wallet,
          payments,
          wallet.manyStatus(listId, payments.orders()).listed(plan.status()::isListed));
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

  /** The messages that are posted: eight after each transfer to several. */
  private static int messages(BulkPlan plan) {
    int open = plan.status().lines(BulkLine.State.OPEN).size();
    int messages = 0;
    while (open > 0) {
      int next = BulkPlanner.next(open, plan.payeesPerProof());
      messages += next == 1 ? 1 : plan.payeesPerProof();
      open -= next;
    }
    return messages;
  }

  private Map<String, Object> json(PaymentFile payments, BulkPlan plan) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("listId", listId);
    json.put("openMinor", plan.status().sum(BulkLine.State.OPEN).minor());
    json.put("open", plan.status().lines(BulkLine.State.OPEN).size());
    json.put("proofs", plan.proofs());
    json.put("payeesPerProof", plan.payeesPerProof());
    json.put("messages", messages(plan));
    putDoubts(json, plan);
    json.put("lines", PaymentResults.json(payments, plan.status()));
    return json;
  }

  private static void putDoubts(Map<String, Object> json, BulkPlan plan) {
    json.put(
        "paidBefore",
        plan.doubts().paid().stream().map(line -> PaymentFile.row(line.number())).toList());
    json.put("burntBefore", plan.doubts().burnt());
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
    text.append(doubts(payments, plan));
    if (messages(plan) >= TOKENS) {
      text.append("\nTokens:  ")
          .append(messages(plan))
          .append(" messages; where the gateway asks for tokens, a wallet has ")
          .append(TOKENS)
          .append(" a day, and further messages may wait: 'solidus wallet settle' repeats them");
    }
    if (plan.proofs() > 0
        && plan.payeesPerProof() == 1
        && wallet.profile().kind() == NetworkKind.REGULATED) {
      text.append("\nNote:    one proof for each payment: network, gateway or this wallet's keys")
          .append(" have none for eight payees");
    }
    return text.toString();
  }

  private static String doubts(PaymentFile payments, BulkPlan plan) {
    StringBuilder text = new StringBuilder();
    exceptions(
        text,
        payments,
        plan.doubts().paid(),
        "Doubt:   ",
        "the payee got this amount by another payment in the last "
            + BulkDoubts.WINDOW.toDays()
            + " days");
    if (plan.doubts().burnt()) {
      text.append("\nDoubt:   a recover burnt transfers that may have paid lines of this list");
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
        text,
        payments,
        status.lines(BulkLine.State.LISTED),
        "Refused: ",
        "on the sanction list, not paid");
    exceptions(
        text,
        payments,
        status.lines(BulkLine.State.BURNT),
        "Refused: ",
        "a recover burnt the payment, and the payee may have been paid: ask the payee");
  }

  private static void exceptions(
      StringBuilder text, PaymentFile payments, List<BulkLine> lines, String what, String why) {
    if (!lines.isEmpty()) {
      text.append(
          lines.stream()
              .map(line -> payments.lines().get(line.number() - 1))
              .map(line -> "line " + line.number() + " (" + line.payee() + ")")
              .collect(Collectors.joining(", ", "\n" + what, ": " + why)));
    }
  }
}
