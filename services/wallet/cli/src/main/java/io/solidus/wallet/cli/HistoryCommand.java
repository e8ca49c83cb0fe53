package io.solidus.wallet.cli;

import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** The command {@code history}. */
@Command(
    name = "history",
    description =
        "Lists payments, claims, withdrawals and mints, oldest first. Only this wallet has its"
            + " history.")
final class HistoryCommand extends OpenWalletCommand {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  HistoryCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    List<HistoryItem> items = wallet.history();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("currency", wallet.profile().currency().value());
    json.put("history", items.stream().map(HistoryCommand::json).toList());
    String text = items.stream().map(item -> line(wallet, item)).collect(Collectors.joining("\n"));
    return Result.done(json, text.isEmpty() ? "Nothing has happened yet." : text);
  }

  private static Map<String, Object> json(HistoryItem item) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", EnumText.of(item.kind()));
    json.put("atMillis", item.atMillis());
    json.put("amountMinor", item.amount().minor());
    if (item.core() != null) {
      json.put("core", item.core().hex());
      if (item.kind() == HistoryItem.Kind.PAID) {
        json.put("number", item.payee() + 1);
      }
    }
    json.put("reference", item.reference());
    return json;
  }

  private static String line(Wallet wallet, HistoryItem item) {
    return String.format(
            "%s  %-9s  %14s  %s",
            TIME.format(Instant.ofEpochMilli(item.atMillis())),
            EnumText.of(item.kind()),
            money(wallet, item.amount()),
            item.reference())
        .stripTrailing();
  }
}
