package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkStatus;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes what became of each line of a list of payments. */
final class PaymentResults {
  private static final String HEADER =
      "line," + PaymentFile.HEADER + ",state,transfer,number,delivered";

  /** More than 1,000 lines with the longest names and addresses. */
  private static final int MAX_BYTES = 4 << 20;

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
      json.put("number", line.payee() + 1);
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
      try {
        Files.writeString(written, text, StandardCharsets.UTF_8);
        Files.move(
            written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * Requires that a file does not exist yet, or has the results of these payments.
   *
   * @throws WalletException {@code store-unwritable}
   */
  static void requireMayReplace(Path file, Wallet wallet, PaymentFile payments) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Files.size(file) <= MAX_BYTES
          && isOf(Files.readAllLines(file, StandardCharsets.UTF_8), wallet, payments)) {
        return;
      }
    } catch (CharacterCodingException e) {
      // no text, so no results
    } catch (IOException e) {
      throw unwritable(file, e);
    }
    throw new WalletException(
        WalletError.STORE_UNWRITABLE,
        "there is a file already that has not the results of this list, and is not replaced: "
            + file
            + "; name another one with --result");
  }

  private static boolean isOf(List<String> rows, Wallet wallet, PaymentFile payments) {
    List<PaymentFile.Line> lines = payments.lines();
    if (rows.size() != lines.size() + 1 || !rows.getFirst().equals(HEADER)) {
      return false;
    }
    return IntStream.range(0, lines.size())
        .allMatch(i -> rows.get(i + 1).startsWith(joined(payment(wallet, lines.get(i))) + ","));
  }

  private static WalletException unwritable(Path file, IOException cause) {
    return new WalletException(
        WalletError.STORE_UNWRITABLE, "the file of results cannot be written: " + file, cause);
  }

  private static Stream<String> payment(Wallet wallet, PaymentFile.Line from) {
    String[] money = OpenWalletCommand.money(wallet, from.order().amount()).split(" ", -1);
    return Stream.of(
        String.valueOf(from.number()), from.payee(), money[0], money[1], from.order().reference());
  }

  private static String row(Wallet wallet, PaymentFile.Line from, BulkLine line) {
    Stream<String> outcome =
        Stream.of(
            EnumText.of(line.state()),
            line.core() == null ? "" : line.core().hex(),
            line.core() == null ? "" : String.valueOf(line.payee() + 1),
            line.state() == BulkLine.State.PAID ? String.valueOf(line.delivered()) : "");
    return joined(Stream.concat(payment(wallet, from), outcome));
  }

  private static String joined(Stream<String> values) {
    return values.map(PaymentResults::quoted).collect(Collectors.joining(","));
  }

  private static String quoted(String value) {
    return value.contains(",") || value.contains("\"")
        ? "\"" + value.replace("\"", "\"\"") + "\""
        : value;
  }
}
