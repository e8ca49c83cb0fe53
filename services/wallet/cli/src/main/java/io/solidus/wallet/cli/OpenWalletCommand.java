package io.solidus.wallet.cli;

import io.solidus.protocol.Amount;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.Money;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Base of the commands on an existing wallet, which write one result. */
@Command(mixinStandardHelpOptions = true)
abstract class OpenWalletCommand implements Callable<Integer> {
  final WalletCommand top;

  OpenWalletCommand(WalletCommand top) {
    this.top = top;
  }

  /**
   * The result of a command.
   *
   * @param json names and values, in order, for {@code --output json}
   * @param text for people, for {@code --output text}
   */
  record Result(Map<String, Object> json, String text, int exitStatus) {
    static Result done(Map<String, Object> json, String text) {
      return new Result(json, text, 0);
    }
  }

  abstract Result run(Wallet wallet);

  @Override
  public final Integer call() {
    try (Wallet wallet = top.open()) {
      Result result = run(wallet);
      return write(top, result);
    } finally {
      top.clearProgress();
    }
  }

  static int write(WalletCommand top, Result result) {
    top.clearProgress();
    top.terminal()
        .out()
        .println(top.output() == OutputFormat.JSON ? Json.write(result.json()) : result.text());
    return result.exitStatus();
  }

  static String money(Wallet wallet, Amount amount) {
    return Money.format(amount, wallet.profile().currency());
  }

  static Amount amount(Wallet wallet, String text) {
    return Money.parse(text, wallet.profile().currency());
  }
}
