package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A list of payments as comma-separated values (RFC 4180, UTF-8, no line breaks within a value),
 * below a line of names. Nothing is taken from it when any line is wrong.
 *
 * @param lines in the order of the file
 */
record PaymentFile(List<Line> lines) {
  static final String HEADER = "payee,amount,currency,reference";

  /** How the library names a line, which has the number of its row in the file. */
  private static final Pattern NUMBERS =
      Pattern.compile("payment(s?) ([0-9]+(?:, [0-9]+)*)( and [0-9]+ more)? of the list");

  private static final int MAX_BYTES = 1 << 20;
  private static final int FIELDS = 4;
  private static final int SHOWN_FAULTS = 20;
  private static final char BYTE_ORDER_MARK = '\ufeff';

  PaymentFile {
    lines = List.copyOf(lines);
  }

  /**
   * One line.
   *
   * @param number in the file, from 1; the names are line 1
   * @param payee as the file has it
   */
  record Line(int number, String payee, PaymentOrder order) {}

  List<PaymentOrder> orders() {
    return lines.stream().map(Line::order).toList();
  }

  /**
   * Reads a file.
   *
   * @throws WalletException {@code payments-invalid} with the numbers of all wrong lines
   */
  static PaymentFile read(Wallet wallet, Path file) {
    List<String> rows = new ArrayList<>(text(file).lines().toList());
    while (!rows.isEmpty() && rows.getLast().isBlank()) {
      rows.removeLast();
    }
    if (rows.isEmpty() || !rows.getFirst().strip().equals(HEADER)) {
      throw invalid("line 1 has to be: " + HEADER);
    }
    if (rows.size() == 1 || rows.size() > BulkLines.MAX_LINES + 1) {
      throw invalid("it has to have 1 to " + BulkLines.MAX_LINES + " payments");
    }
    List<Line> lines = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    Map<PaymentOrder, Integer> seen = new HashMap<>();
    for (int i = 1; i < rows.size(); i++) {
      try {
        Line line = line(wallet, i + 1, rows.get(i));
        Integer before = seen.putIfAbsent(line.order(), line.number());
        if (before != null) {
          throw new IllegalArgumentException(
              "it is the same as line " + before + ": give it another reference if both are meant");
        }
        lines.add(line);
      } catch (IllegalArgumentException e) {
        faults.add("line " + (i + 1) + ": " + e.getMessage());
      }
    }
    if (!faults.isEmpty()) {
      int more = faults.size() - SHOWN_FAULTS;
      throw invalid(
          String.join("; ", faults.subList(0, Math.min(SHOWN_FAULTS, faults.size())))
              + (more > 0 ? "; and " + more + " more lines" : ""));
    }
    return new PaymentFile(lines);
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw invalid("it has more than " + MAX_BYTES + " bytes");
      }
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
              .toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw invalid("it is not UTF-8");
    } catch (IOException e) {
      throw new WalletException(
          WalletError.PAYMENTS_INVALID, "the list of payments cannot be read: " + file, e);
    }
  }

  /**
   * Reads one line.
   *
   * @throws IllegalArgumentException what is wrong with it
   */
  private static Line line(Wallet wallet, int number, String row) {
    List<String> fields = fields(row);
    if (fields.size() != FIELDS) {
      throw new IllegalArgumentException(
          "it has " + fields.size() + " values in place of " + FIELDS);
    }
    String currency = wallet.profile().currency().value();
    if (!fields.get(2).equals(currency)) {
      throw new IllegalArgumentException("the network's money is in " + currency);
    }
    String reference = fields.get(3);
    if (reference.getBytes(StandardCharsets.UTF_8).length > Memo.MAX_REFERENCE_BYTES
        || reference.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a reference has at most "
              + Memo.MAX_REFERENCE_BYTES
              + " bytes and no control characters");
    }
    Address payee = payee(wallet, fields.get(0));
    if (payee.apk().equals(wallet.address().apk())) {
      throw new IllegalArgumentException("the payee is this wallet itself");
    }
    return new Line(
        number, fields.get(0), new PaymentOrder(payee, amount(wallet, fields.get(1)), reference));
  }

  private static Address payee(Wallet wallet, String text) {
    try {
      return wallet.parseAddress(text);
    } catch (WalletException e) {
      // a contact, or nothing; an address goes first, whatever name a contact has
    }
    try {
      return wallet.contact(text).address();
    } catch (WalletException e) {
      throw new IllegalArgumentException(
          "the payee is neither a contact nor an address of this network", e);
    }
  }

  private static Amount amount(Wallet wallet, String text) {
    try {
      Amount amount = OpenWalletCommand.amount(wallet, text);
      if (amount.isZero()) {
        throw new IllegalArgumentException("the amount has to be more than zero");
      }
      return amount;
    } catch (ProtocolException e) {
      throw new IllegalArgumentException(e.detail(), e);
    }
  }

  /** The row of a payment by its place in the list, from 1: the names stand above the first. */
  static int row(int number) {
    return number + 1;
  }

  /** A message of the library, with the rows of the file in place of numbers of payments. */
  static String inRows(String message) {
    return NUMBERS
        .matcher(message)
        .replaceAll(found ->
            "line"
                + found.group(1)
                + " "
                + Arrays.stream(found.group(2).split(", ", -1))
                    .map(number -> String.valueOf(row(Integer.parseInt(number))))
                    .collect(Collectors.joining(", "))
                + Objects.requireNonNullElse(found.group(3), ""));
  }

  /**
   * The values of a row.
   *
   * @throws IllegalArgumentException when its quotes are wrong
   */
  static List<String> fields(String row) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    int i = 0;
    while (true) {
      if (i < row.length() && row.charAt(i) == '"') {
        i = quoted(row, i + 1, field);
      } else {
        while (i < row.length() && row.charAt(i) != ',') {
          if (row.charAt(i) == '"') {
            throw new IllegalArgumentException("a quote stands within a value without quotes");
          }
          field.append(row.charAt(i++));
        }
      }
      fields.add(field.toString());
      field.setLength(0);
      if (i == row.length()) {
        return fields;
      }
      if (row.charAt(i++) != ',') {
        throw new IllegalArgumentException("a comma has to follow a value in quotes");
      }
    }
  }

  /** Reads a value from behind its first quote, and returns the place behind its last one. */
  private static int quoted(String row, int start, StringBuilder field) {
    int i = start;
    while (i < row.length()) {
      char next = row.charAt(i++);
      if (next != '"') {
        field.append(next);
      } else if (i < row.length() && row.charAt(i) == '"') {
        field.append(row.charAt(i++));
      } else {
        return i;
      }
    }
    throw new IllegalArgumentException("a quote is not closed");
  }

  private static WalletException invalid(String detail) {
    return new WalletException(
        WalletError.PAYMENTS_INVALID, "the list of payments is not valid: " + detail);
  }
}
