package io.solidus.operator.issuance.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the bank's answers to payment instructions, pain.002.001.12. */
public final class StatusReader {
  /** The most transactions of an answer. */
  static final int MAX_TRANSACTIONS = 20_000;

  private final Schemas schemas;

  public StatusReader(Schemas schemas) {
    this.schemas = schemas;
  }

  /**
   * An answer.
   *
   * @param originalMessageId the id of the instructions
   * @param status of all transactions that are not listed, for example RJCT or ACCP, or null
   * @param reason the bank's code for {@code status}, or null
   */
  public record StatusReport(
      String messageId,
      String originalMessageId,
      @Nullable String status,
      @Nullable String reason,
      List<Transaction> transactions) {}

  /** The status of one payment. */
  public record Transaction(String endToEndId, String status, @Nullable String reason) {}

  /**
   * Reads a message.
   *
   * @throws BankMessageException when it is not of its schema, or answers other messages than
   *     payment instructions
   */
  public StatusReport read(byte[] xml) {
    Node message = schemas.parse(xml, MessageType.PAIN_002).message();
    Node group = message.find("OrgnlGrpInfAndSts").orElseThrow();
    String name = group.text("OrgnlMsgNmId").orElseThrow();
    if (!name.startsWith("pain.001") && !name.startsWith("pacs.008")) {
      throw BankMessageException.unsupported("the answer is not to payments");
    }
    String status = group.text("GrpSts").orElse(null);
    String reason = reason(group);
    List<Transaction> transactions = new ArrayList<>();
    for (Node payment : message.all("OrgnlPmtInfAndSts")) {
      String paymentStatus = payment.text("PmtInfSts").orElse(null);
      if (paymentStatus != null && (status == null || status.equals("PART"))) {
        // the desk's instructions have one payment information, with the message's id
        status = paymentStatus;
        reason = reason(payment);
      }
      for (Node transaction : payment.all("TxInfAndSts")) {
        String own = transaction.text("TxSts").orElse(paymentStatus);
        String id = transaction.text("OrgnlEndToEndId").orElse(null);
        if (own == null || id == null) {
          throw BankMessageException.unsupported("a transaction has no status or no end-to-end id");
        }
        transactions.add(new Transaction(id, own, reason(transaction)));
        if (transactions.size() > MAX_TRANSACTIONS) {
          throw BankMessageException.unsupported(
              "an answer has at most " + MAX_TRANSACTIONS + " transactions");
        }
      }
    }
    return new StatusReport(
        message.text("GrpHdr/MsgId").orElseThrow(),
        group.text("OrgnlMsgId").orElseThrow(),
        status,
        reason,
        transactions);
  }

  private static @Nullable String reason(Node of) {
    return of.firstText("StsRsnInf/Rsn/Cd", "StsRsnInf/Rsn/Prtry").orElse(null);
  }
}
