package io.solidus.operator.issuance.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.solidus.dev.fuzz.Hostile;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The bank's messages, which an operator hands in as they are. */
class BankMessageFuzzTest {
  private static final Schemas SCHEMAS = new Schemas();
  private static final ReportReader REPORTS =
      new ReportReader(SCHEMAS, "DE89370400440532013000", "EUR");
  private static final StatusReader ANSWERS = new StatusReader(SCHEMAS);

  private static final String STATEMENT =
      """
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId>\
      <CreDtTm>2026-03-02T23:00:00Z</CreDtTm></GrpHdr><Stmt><Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>\
      <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>\
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.05</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>\
      <Ntry><Amt Ccy="EUR">0.05</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>\
      <AcctSvcrRef>R</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd></Ntry></Stmt></BkToCstmrStmt></Document>\
      """;
  private static final String ANSWER =
      """
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.12"><CstmrPmtStsRpt><GrpHdr><MsgId>M</MsgId>\
      <CreDtTm>2026-03-02T23:00:00Z</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>B</OrgnlMsgId>\
      <OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>\
      """;

  static Stream<byte[]> documents() {
    return Stream.of(
            STATEMENT,
            ANSWER,
            STATEMENT.replace("camt.053.001.08", "camt.054.001.08"),
            STATEMENT.replace("2026-03-02<", "99999-03-02Z<"),
            STATEMENT.replace("0.05", "-0.05"),
            STATEMENT.replace("0.05", "99999999999999.9999"),
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<a/>",
            "")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("documents")
  @FuzzTest
  void readsStatements(byte @NotNull [] document) {
    Hostile.decoded(document.length, BankMessageException.class, () -> REPORTS.read(document))
        .ifPresent(report ->
            assertThat(report.lines())
                .allSatisfy(line -> {
                  assertThat(line.amountMinor()).isBetween(1L, 1L << 53);
                  assertThat(line.reference()).isNotBlank();
                }));
  }

  @MethodSource("documents")
  @FuzzTest
  void readsAnswers(byte @NotNull [] document) {
    SCHEMAS.isOf(document, MessageType.PAIN_002);
    Hostile.decoded(document.length, BankMessageException.class, () -> ANSWERS.read(document))
        .ifPresent(answer -> assertThat(answer.messageId()).isNotBlank());
  }
}
