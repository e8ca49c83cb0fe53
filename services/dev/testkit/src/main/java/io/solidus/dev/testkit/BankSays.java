package io.solidus.dev.testkit;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a bank's messages as a bank does. */
public final class BankSays {
  public static final String ACCOUNT = "DE89370400440532013000";

  private final String messageId;
  private final LocalDate day;
  private final List<String> entries = new ArrayList<>();
  private long change;

  public BankSays(String messageId, LocalDate day) {
    this.messageId = messageId;
    this.day = day;
  }

  /** Adds a booked entry with one transaction. */
  public BankSays entry(
      String reference,
      boolean credit,
      long minor,
      @Nullable String endToEndId,
      @Nullable String text) {
    return entry(reference, credit, minor, endToEndId, text, null);
  }

  /** Adds a booked entry with one transaction, of money that came back when it has a code. */
  public BankSays entry(
      String reference,
      boolean credit,
      long minor,
      @Nullable String endToEndId,
      @Nullable String text,
      @Nullable String returnCode) {
    String side = credit ? "Dbtr" : "Cdtr";
    entries.add(
        "<Ntry><Amt Ccy=\"EUR\">"
            + amount(minor)
            + "</Amt><CdtDbtInd>"
            + indicator(credit)
            + "</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>"
            + day
            + "</Dt></BookgDt><AcctSvcrRef>"
            + reference
            + "</AcctSvcrRef><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls><TxDtls>"
            + (endToEndId == null ? "" : "<Refs><EndToEndId>" + endToEndId + "</EndToEndId></Refs>")
            + "<RltdPties><"
            + side
            + "><Pty><Nm>Ingeborg Payer</Nm></Pty></"
            + side
            + "><"
            + side
            + "Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></"
            + side
            + "Acct></RltdPties>"
            + (text == null ? "" : "<RmtInf><Ustrd>" + text + "</Ustrd></RmtInf>")
            + (returnCode == null ? "" : "<RtrInf><Rsn><Cd>" + returnCode + "</Cd></Rsn></RtrInf>")
            + "</TxDtls></NtryDtls></Ntry>");
    change += credit ? minor : -minor;
    return this;
  }

  /** Adds an entry as it is. */
  public BankSays raw(String entry, long signedMinor) {
    entries.add(entry);
    change += signedMinor;
    return this;
  }

  /** The statement, camt.053.001.08. */
  public String statement(long openingMinor) {
    return statement(openingMinor, openingMinor + change);
  }

  public String statement(long openingMinor, long closingMinor) {
    return head("camt.053.001.08", "BkToCstmrStmt", "Stmt")
        + balance("OPBD", openingMinor, day.minusDays(1))
        + balance("CLBD", closingMinor, day)
        + String.join("", entries)
        + "</Stmt></BkToCstmrStmt></Document>";
  }

  /** The notification, camt.054.001.08. */
  public String notification() {
    return head("camt.054.001.08", "BkToCstmrDbtCdtNtfctn", "Ntfctn")
        + String.join("", entries)
        + "</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>";
  }

  private String head(String type, String message, String report) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:"
        + type
        + "\"><"
        + message
        + "><GrpHdr><MsgId>"
        + messageId
        + "</MsgId><CreDtTm>"
        + day
        + "T23:00:00Z</CreDtTm></GrpHdr><"
        + report
        + "><Id>"
        + messageId
        + "</Id><Acct><Id><IBAN>"
        + ACCOUNT
        + "</IBAN></Id></Acct>";
  }

  private static String balance(String code, long minor, LocalDate day) {
    return "<Bal><Tp><CdOrPrtry><Cd>"
        + code
        + "</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">"
        + amount(Math.abs(minor))
        + "</Amt><CdtDbtInd>"
        + indicator(minor >= 0)
        + "</CdtDbtInd><Dt><Dt>"
        + day
        + "</Dt></Dt></Bal>";
  }

  /** The answer to a batch, pain.002.001.12, that refuses one payment or (null) all. */
  public static String refusal(
      String messageId, String batchId, @Nullable String endToEndId, String code) {
    String reason = "<StsRsnInf><Rsn><Cd>" + code + "</Cd></Rsn></StsRsnInf>";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.002.001.12\">"
        + "<CstmrPmtStsRpt><GrpHdr><MsgId>"
        + messageId
        + "</MsgId><CreDtTm>2026-01-02T10:00:00Z</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>"
        + batchId
        + "</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>"
        + (endToEndId == null ? "<GrpSts>RJCT</GrpSts>" + reason : "<GrpSts>PART</GrpSts>")
        + "</OrgnlGrpInfAndSts>"
        + (endToEndId == null
            ? ""
            : "<OrgnlPmtInfAndSts><OrgnlPmtInfId>"
                + batchId
                + "</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>"
                + endToEndId
                + "</OrgnlEndToEndId><TxSts>RJCT</TxSts>"
                + reason
                + "</TxInfAndSts></OrgnlPmtInfAndSts>")
        + "</CstmrPmtStsRpt></Document>";
  }

  private static String indicator(boolean credit) {
    return credit ? "CRDT" : "DBIT";
  }

  private static String amount(long minor) {
    return BigDecimal.valueOf(minor, 2).toPlainString();
  }
}
