package io.solidus.operator.issuance.message;

import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the bank says of the settlement account: a statement of a day (camt.053) or a notification
 * (camt.054).
 *
 * @param messageId of the message, at most 35 characters
 * @param reportId of the statement or notification in it
 * @param day of the closing balance; null in a notification
 * @param openingMinor booked balance before the first line, in minor units; negative when
 *     overdrawn; null in a notification
 * @param closingMinor after the last line; null in a notification
 * @param pending how many entries are not booked; they are left out
 * @param skipped how many booked entries or transactions move no money; they are left out
 */
public record BankReport(
    MessageType type,
    String messageId,
    String reportId,
    @Nullable LocalDate day,
    @Nullable Long openingMinor,
    @Nullable Long closingMinor,
    List<Line> lines,
    int pending,
    int skipped) {

  /**
   * A booked movement. An entry with details of several transactions is several lines.
   *
   * @param entry what identifies its entry on the account: the account servicer's reference; of a
   *     statement that has none, the entry's own reference with the day
   * @param alias the servicer's reference of the only transaction of the entry if it is another
   *     one, or null
   * @param unsure whether a notification could have the entry by another name
   * @param reference of the line: that of its entry, and the place in it when there are several
   * @param credit whether money came in
   * @param amountMinor in minor units, positive
   * @param endToEndId the payer's reference, or null
   * @param batchId the message or payment information id of a booked batch, or null
   * @param returnCode the bank's code when the money came back, for example AC04, or null
   * @param counterparty name of the other side, or null
   * @param account of the other side, or null
   * @param remittance what the payer wrote, or null
   */
  public record Line(
      String entry,
      @Nullable String alias,
      boolean unsure,
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      @Nullable String endToEndId,
      @Nullable String batchId,
      @Nullable String returnCode,
      @Nullable String counterparty,
      @Nullable String account,
      @Nullable String remittance) {
    @Override
    public String toString() {
      return "Line[" + reference + "]";
    }
  }
}
