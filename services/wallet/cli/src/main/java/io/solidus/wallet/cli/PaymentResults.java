package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what became of each line of a list of payments. */
final class PaymentResults {
  private static final String HEADER =
      "line," + PaymentFile.HEADER + ",state,transfer,number,delivered";

  private PaymentResults() {}

  /** The file beside the list. */
  static Path beside(Path list) {
    String name = String.valueOf(list.getFileName());
    String stem = name.endsWith(".csv") ? name.substring(0, name.length() - 4) : name;
    return list.resolveSibling(stem + ".result.csv");
  }

  /** A line of JSON for each line of the list. */
  static List<Map<String, Object>> json(PaymentFile payments, BulkStatus status) {
    return status.lines().stream().map(line -> json(payments, line)).toList();
  }

  private static Map<String, Object> json(PaymentFile payments, BulkLine line) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("line", payments.lines().get(line.number() - 1).number());
    json.put("amountMinor", line.order().amount().minor());
    json.put("state", EnumText.of(line.state()));
    if (line.core() != null) {
      json.put("core", line.core().hex());
      json.put("payee", line.payee() + 1);
      json.put("delivered", line.delivered());
    }
    return json;
  }

  /**
   * Writes the file anew, readable for its owner only: it says who is paid.
   *
   * @throws WalletException {@code store-unwritable}
   */
  static void write(Path file, Wallet wallet, PaymentFile payments, BulkStatus status) {
    String text =
        status.lines().stream()
            .map(line -> row(wallet, payments.lines().get(line.number() - 1), line))
            .collect(Collectors.joining("\n", HEADER + "\n", "\n"));
    Path folder = file.toAbsolutePath().getParent();
    try {
      Path written =
          Files.createTempFile(
              folder,
              ".payments",
              ".csv",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(written, text, StandardCharsets.UTF_8);
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE, "the file of results cannot be written: " + file, e);
    }
  }

  private static String row(Wallet wallet, PaymentFile.Line from, BulkLine line) {
    String[] money = OpenWalletCommand.money(wallet, line.order().amount()).split(" ", -1);
    return List.of(
            String.valueOf(from.number()),
            from.payee(),
            money[0],
            money[1],
            line.order().reference(),
            EnumText.of(line.state()),
            line.core() == null ? "" : line.core().hex(),
            line.core() == null ? "" : String.valueOf(line.payee() + 1),
            line.state() == BulkLine.State.PAID ? String.valueOf(line.delivered()) : "")
        .stream()
        .map(PaymentResults::quoted)
        .collect(Collectors.joining(","));
  }

  private static String quoted(String value) {
    return value.contains(",") || value.contains("\"")
        ? "\"" + value.replace("\"", "\"\"") + "\""
        : value;
  }
}
