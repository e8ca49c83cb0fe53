package io.solidus.wallet.cli;

/** Entry point of {@code solidus wallet}. */
public final class WalletMain {
  private WalletMain() {}

  public static void main(String[] args) {
    System.exit(WalletCli.standard().run(args));
  }
}
