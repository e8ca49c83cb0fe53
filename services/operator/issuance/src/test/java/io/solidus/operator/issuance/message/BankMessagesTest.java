package io.solidus.operator.issuance.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.BankSays;
import io.solidus.operator.issuance.message.BankMessageException.Reason;
import io.solidus.operator.issuance.message.CreditTransfers.Payer;
import io.solidus.operator.issuance.message.CreditTransfers.Payment;
import io.solidus.operator.issuance.message.StatusReader.StatusReport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reading and writing the bank's messages; attacks by documents. */
class BankMessagesTest {
  private static final LocalDate DAY = LocalDate.parse("2026-03-02");
  private static final Schemas SCHEMAS = new Schemas();
  private static final ReportReader READER = new ReportReader(SCHEMAS, BankSays.ACCOUNT, "EUR");

  @Test
  void aStatementIsRead() {
    BankReport report =
        read(
            new BankSays("M-1", DAY)
                .entry("R1", true, 12_345, "NOTPROVIDED", "for  DEPOSIT-7")
                .entry("R2", false, 45, "SLD1", null)
                .entry("R3", true, 45, "SLD1", null, "AC04")
                .statement(1_000));
    assertThat(report.openingMinor()).isEqualTo(1_000);
    assertThat(report.closingMinor()).isEqualTo(13_345);
    assertThat(report.day()).isEqualTo(DAY);
    assertThat(report.lines())
        .extracting(BankReport.Line::amountMinor)
        .containsExactly(12_345L, 45L, 45L);
    assertThat(report.lines().getFirst().endToEndId()).isNull();
    assertThat(report.lines().getFirst().counterparty()).isEqualTo("Ingeborg Payer");
    assertThat(report.lines().getFirst().toString()).isEqualTo("Line[R1]");
    assertThat(report.lines().get(2).returnCode()).isEqualTo("AC04");
  }

  @Test
  void aNotificationIsRead() {
    BankReport report =
        read(new BankSays("M-2", DAY).entry("R1", true, 5, null, null).notification());
    assertThat(report.type()).isEqualTo(MessageType.CAMT_054);
    assertThat(report.closingMinor()).isNull();
    assertThat(report.lines()).hasSize(1);
  }

  @Test
  void anEntryOfSeveralTransactionsIsSeveralLines() {
    String batch =
        "<Ntry><Amt Ccy=\"EUR\">3.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-03-02T10:00:00+01:00</DtTm></BookgDt>"
            + "<AcctSvcrRef>B</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd><NtryDtls><Btch><PmtInfId>SLD-1</PmtInfId></Btch>"
            + "<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><Amt Ccy=\"EUR\">1.00</Amt></TxDtls>"
            + "<TxDtls><Refs><EndToEndId>E2</EndToEndId></Refs><Amt Ccy=\"EUR\">%s</Amt></TxDtls></NtryDtls></Ntry>";
    BankReport report =
        read(new BankSays("M-3", DAY).raw(batch.formatted("2.00"), -300).statement(300));
    assertThat(report.lines()).extracting(BankReport.Line::reference).containsExactly("B/1", "B/2");
    assertThat(report.lines()).extracting(BankReport.Line::batchId).containsOnly("SLD-1");
    assertThat(refusal(new BankSays("M-3", DAY).raw(batch.formatted("2.01"), -300).statement(300)))
        .isEqualTo(Reason.INCONSISTENT);
  }

  /** The entry's own reference counts within its message alone. */
  @Test
  void aReferenceThatIsNoneOfTheServicerIsNotTakenForOne() {
    BankSays says = new BankSays("M-9", DAY).entry("R1", true, 5, null, null);
    assertThat(refusal(says.notification().replace("AcctSvcrRef>", "NtryRef>")))
        .isEqualTo(Reason.INVALID);
    String own = says.statement(0).replace("<AcctSvcrRef>R1</AcctSvcrRef>", "");
    assertThat(refusal(own)).isEqualTo(Reason.UNSUPPORTED);
    BankReport report = read(own.replace("<Ntry>", "<Ntry><NtryRef>1</NtryRef>"));
    assertThat(report.lines().getFirst().entry()).isEqualTo("2026-03-02#1");
    assertThat(report.lines().getFirst().unsure()).isTrue();
    assertThat(
            refusal(
                says.notification()
                    .replace("<AcctSvcrRef>R1</AcctSvcrRef>", "")
                    .replace("<Ntry>", "<Ntry><NtryRef>1</NtryRef>")))
        .isEqualTo(Reason.UNSUPPORTED);
  }

  @Test
  void pagesInOneMessageAreOneStatementAndOtherAccountsAreLeftOut() {
    String first = new BankSays("MX", DAY).entry("R1", true, 5, null, null).statement(0, 5);
    String second = new BankSays("MX", DAY).entry("R2", true, 7, null, null).statement(5, 12);
    String other = second.replace(BankSays.ACCOUNT, "DE02120300000000202051");
    String message =
        first
                .replace("</BkToCstmrStmt>", "")
                .replace("</Document>", "")
                .replace("<Acct>", page(1, false))
            + report(second).replace("<Acct>", page(2, true))
            + report(other)
            + "</BkToCstmrStmt></Document>";
    BankReport report = read(message);
    assertThat(report.lines()).hasSize(2);
    assertThat(report.openingMinor()).isZero();
    assertThat(report.closingMinor()).isEqualTo(12);
    assertThat(refusal(message.replace("<PgNb>2<", "<PgNb>3<"))).isEqualTo(Reason.UNSUPPORTED);
  }

  private static String page(int number, boolean last) {
    return "<StmtPgntn><PgNb>"
        + number
        + "</PgNb><LastPgInd>"
        + last
        + "</LastPgInd></StmtPgntn><Acct>";
  }

  private static String report(String message) {
    return message.substring(message.indexOf("<Stmt>"), message.indexOf("</Stmt>") + 7);
  }

  @Test
  void pendingEntriesAreLeftOut() {
    String statement =
        new BankSays("M-4", DAY)
            .entry("R1", true, 5, null, null)
            .statement(0, 0)
            .replace("<Cd>BOOK</Cd>", "<Cd>PDNG</Cd>");
    assertThat(read(statement).pending()).isEqualTo(1);
    assertThat(read(statement).lines()).isEmpty();
  }

  /** Attack: a document that reads files, calls others or grows without bound. */
  @Test
  void documentTypesAreRefused() {
    String good = new BankSays("M-5", DAY).statement(0);
    String doctype =
        "<!DOCTYPE Document [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y \"aaaa\">]>";
    assertThat(refusal(good.replace("<Document", doctype + "<Document"))).isEqualTo(Reason.INVALID);
    assertThat(
            refusal(
                good.replace(
                    "<Document", "<!DOCTYPE Document SYSTEM \"http://127.0.0.1:1/x\"><Document")))
        .isEqualTo(Reason.INVALID);
    assertThat(refusal(good.replace("<Document", "<!DOCTYPE Document><Document")))
        .isEqualTo(Reason.INVALID);
  }

  @Test
  void whatIsNotOfTheSchemaIsRefusedAndNotQuoted() {
    String good = new BankSays("M-6", DAY).entry("R1", true, 5, null, "secret").statement(0);
    assertThat(refusal("")).isEqualTo(Reason.INVALID);
    assertThat(refusal("no xml")).isEqualTo(Reason.INVALID);
    assertThat(refusal(good.replace("</Document>", ""))).isEqualTo(Reason.INVALID);
    assertThat(refusal(good.replace("CRDT", "SECRET"))).isEqualTo(Reason.INVALID);
    assertThat(refusal(good.replace("<Id>M-6</Id>", ""))).isEqualTo(Reason.INVALID);
    assertThat(refusal("<Document/>")).isEqualTo(Reason.UNSUPPORTED);
    assertThat(refusal(good.replace("camt.053.001.08", "camt.053.001.02")))
        .isEqualTo(Reason.UNSUPPORTED);
    BankMessageException e =
        catchThrowableOfType(
            BankMessageException.class, () -> read(good.replace("CRDT", "SECRET")));
    assertThat(e).hasMessageNotContaining("SECRET").hasMessageContaining("cvc-");
    byte[] large = new byte[Schemas.MAX_BYTES + 1];
    assertThat(catchThrowableOfType(BankMessageException.class, () -> READER.read(large)).reason())
        .isEqualTo(Reason.INVALID);
  }

  @Test
  void whatContradictsItselfIsRefused() {
    BankSays says = new BankSays("M-7", DAY).entry("R1", true, 5, null, null);
    assertThat(refusal(says.statement(0, 6))).isEqualTo(Reason.INCONSISTENT);
    assertThat(refusal(says.entry("R1", true, 5, null, null).statement(0)))
        .as("one reference twice")
        .isEqualTo(Reason.INCONSISTENT);
  }

  @Test
  void whatIsOfAnotherAccountCurrencyOrFormIsRefused() {
    String good = new BankSays("M-8", DAY).entry("R1", true, 5, null, null).statement(0);
    assertThat(refusal(good.replace(BankSays.ACCOUNT, "DE02120300000000202051")))
        .isEqualTo(Reason.UNSUPPORTED);
    assertThat(refusal(good.replace("EUR", "USD"))).isEqualTo(Reason.UNSUPPORTED);
    assertThat(refusal(good.replace(">0.05<", ">0.055<"))).isEqualTo(Reason.UNSUPPORTED);
    BankReport nothing = read(good.replace(">0.05<", ">0.00<"));
    assertThat(nothing.lines()).isEmpty();
    assertThat(nothing.skipped()).as("an entry that moves no money").isEqualTo(1);
    assertThat(refusal(good.replace(">0.05<", ">999999999999999.99<")))
        .isEqualTo(Reason.UNSUPPORTED);
    assertThat(refusal(good.replace("CLBD", "CLAV"))).isEqualTo(Reason.UNSUPPORTED);
    assertThat(
            refusal(
                good.replace(
                    "</GrpHdr>",
                    "<MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>")))
        .isEqualTo(Reason.UNSUPPORTED);
  }

  @Test
  void paymentsAreWrittenByTheirSchemaAndAlwaysTheSame() {
    CreditTransfers writer =
        new CreditTransfers(
            SCHEMAS, new Payer("Issuer <&>", BankSays.ACCOUNT, "COBADEFFXXX", "TGT"), "EUR");
    Instant at = Instant.parse("2026-03-02T09:00:00.123Z");
    List<Payment> payments =
        List.of(
            payment("1", "BYLADEM1001", "Zoë \u0001\ud800 <script>"),
            payment("2", "BYLADEM1001", "x".repeat(140)));
    String pain = text(writer.pain001("SLD-20260302-AB", at, DAY, payments));
    assertThat(pain)
        .contains("<CtrlSum>24.68</CtrlSum>", "<InstrId>1</InstrId>", "Issuer &lt;&amp;&gt;")
        .contains("Zoë ?? &lt;script");
    assertThat(text(writer.pain001("SLD-20260302-AB", at, DAY, payments))).isEqualTo(pain);
    String pacs = text(writer.pacs008("SLD-20260302-AB", at, DAY, payments));
    assertThat(pacs)
        .contains("<TtlIntrBkSttlmAmt Ccy=\"EUR\">24.68</TtlIntrBkSttlmAmt>", "<BICFI>BYLADEM1001");
    assertThat(
            catchThrowableOfType(
                    BankMessageException.class,
                    () -> writer.pacs008("M", at, DAY, List.of(payment("1", null, "A"))))
                .reason())
        .isEqualTo(Reason.UNSUPPORTED);
    assertThat(
            catchThrowableOfType(
                    BankMessageException.class,
                    () -> writer.pain001("M".repeat(36), at, DAY, payments))
                .reason())
        .as("what is not of the schema does not leave")
        .isEqualTo(Reason.INVALID);
  }

  private static Payment payment(String id, @Nullable String agent, String name) {
    return new Payment(
        id, "SLD" + id, 1_234, name, "DE02120300000000202051", agent, "rent for March");
  }

  @Test
  void answersAreRead() {
    StatusReader reader = new StatusReader(SCHEMAS);
    StatusReport one = reader.read(bytes(BankSays.refusal("A-1", "SLD-1", "SLDE2E", "AC04")));
    assertThat(one.originalMessageId()).isEqualTo("SLD-1");
    assertThat(one.transactions())
        .containsExactly(new StatusReader.Transaction("SLDE2E", "RJCT", "AC04"));
    StatusReport all = reader.read(bytes(BankSays.refusal("A-2", "SLD-1", null, "FF01")));
    assertThat(all.status()).isEqualTo("RJCT");
    assertThat(all.reason()).isEqualTo("FF01");
    assertThat(
            catchThrowableOfType(
                    BankMessageException.class,
                    () ->
                        reader.read(
                            bytes(
                                BankSays.refusal("A-3", "SLD-1", null, "FF01")
                                    .replace("pain.001.001.09", "pain.008.001.08"))))
                .reason())
        .isEqualTo(Reason.UNSUPPORTED);
  }

  private static BankReport read(String xml) {
    return READER.read(bytes(xml));
  }

  private static Reason refusal(String xml) {
    return catchThrowableOfType(BankMessageException.class, () -> read(xml)).reason();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] xml) {
    return new String(xml, StandardCharsets.UTF_8);
  }
}
