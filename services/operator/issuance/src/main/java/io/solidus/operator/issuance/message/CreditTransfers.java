package io.solidus.operator.issuance.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes payments to the bank: pain.001.001.09 for a bank's customer, pacs.008.001.08 for a member
 * of a real-time gross settlement system. The same payments give the same bytes, and every document
 * is held against its schema before it leaves.
 */
public final class CreditTransfers {
  private static final Pattern IBAN = Pattern.compile("[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}");
  private static final int MAX_NAME = 140;

  private final Schemas schemas;
  private final Money money;
  private final Payer payer;

  /**
   * The account that pays.
   *
   * @param account IBAN or another id
   * @param bic of its bank, or of the member itself
   * @param clearingSystem for pacs.008, a code such as TGT
   */
  public record Payer(String name, String account, String bic, String clearingSystem) {}

  /**
   * A payment.
   *
   * @param instructionId at most 35 characters, another one for each attempt
   * @param endToEndId at most 35 characters
   * @param agentBic the payee's bank; null when the bank finds it by the IBAN
   * @param remittance at most 140 characters, or null
   */
  public record Payment(
      String instructionId,
      String endToEndId,
      long amountMinor,
      String creditorName,
      String iban,
      @Nullable String agentBic,
      @Nullable String remittance) {
    @Override
    public String toString() {
      return "Payment[" + endToEndId + "]";
    }
  }

  /**
   * Creates a writer.
   *
   * @param currency ISO 4217 code
   */
  public CreditTransfers(Schemas schemas, Payer payer, String currency) {
    this.schemas = schemas;
    this.payer = payer;
    this.money = Money.of(currency);
  }

  /**
   * Writes payment instructions, pain.001.001.09.
   *
   * @param messageId at most 35 characters
   * @param execution the day on which the bank is asked to pay
   */
  public byte[] pain001(
      String messageId, Instant created, LocalDate execution, List<Payment> payments) {
    return write(
        MessageType.PAIN_001,
        xml -> {
          xml.open("CstmrCdtTrfInitn").open("GrpHdr");
          xml.text("MsgId", messageId).text("CreDtTm", time(created));
          sums(xml, payments);
          xml.open("InitgPty").text("Nm", payer.name()).close().close();
          xml.open("PmtInf").text("PmtInfId", messageId).text("PmtMtd", "TRF");
          xml.text("BtchBookg", "false");
          sums(xml, payments);
          xml.open("ReqdExctnDt").text("Dt", execution.toString()).close();
          xml.open("Dbtr").text("Nm", payer.name()).close();
          account(xml, "DbtrAcct", payer.account());
          agent(xml, "DbtrAgt", payer.bic());
          xml.text("ChrgBr", "SLEV");
          for (Payment payment : payments) {
            xml.open("CdtTrfTxInf").open("PmtId");
            xml.text("InstrId", payment.instructionId()).text("EndToEndId", payment.endToEndId());
            xml.close().open("Amt");
            xml.amount("InstdAmt", money, payment.amountMinor()).close();
            if (payment.agentBic() != null) {
              agent(xml, "CdtrAgt", payment.agentBic());
            }
            creditor(xml, payment);
            xml.close();
          }
          xml.close().close();
        });
  }

  /**
   * Writes payments between members of a settlement system, pacs.008.001.08.
   *
   * @param messageId at most 35 characters
   * @throws BankMessageException unsupported when the bank of a payee is not known
   */
  public byte[] pacs008(
      String messageId, Instant created, LocalDate settlement, List<Payment> payments) {
    if (payments.stream().anyMatch(payment -> payment.agentBic() == null)) {
      throw BankMessageException.unsupported("the bank of a payee is not known");
    }
    return write(
        MessageType.PACS_008,
        xml -> {
          xml.open("FIToFICstmrCdtTrf").open("GrpHdr");
          xml.text("MsgId", messageId).text("CreDtTm", time(created));
          xml.text("NbOfTxs", Integer.toString(payments.size()));
          xml.amount("TtlIntrBkSttlmAmt", money, total(payments));
          xml.text("IntrBkSttlmDt", settlement.toString());
          xml.open("SttlmInf").text("SttlmMtd", "CLRG");
          xml.open("ClrSys").text("Cd", payer.clearingSystem()).close().close();
          agent(xml, "InstgAgt", payer.bic());
          xml.close();
          for (Payment payment : payments) {
            xml.open("CdtTrfTxInf").open("PmtId");
            xml.text("InstrId", payment.instructionId()).text("EndToEndId", payment.endToEndId());
            xml.text("TxId", payment.instructionId()).text("UETR", uetr(payment));
            xml.close();
            xml.amount("IntrBkSttlmAmt", money, payment.amountMinor());
            xml.text("ChrgBr", "SLEV");
            xml.open("Dbtr").text("Nm", payer.name()).close();
            account(xml, "DbtrAcct", payer.account());
            agent(xml, "DbtrAgt", payer.bic());
            agent(xml, "CdtrAgt", String.valueOf(payment.agentBic()));
            creditor(xml, payment);
            xml.close();
          }
          xml.close();
        });
  }

  private void sums(Xml xml, List<Payment> payments) throws XMLStreamException {
    xml.text("NbOfTxs", Integer.toString(payments.size()));
    xml.text("CtrlSum", money.text(total(payments)));
  }

  private static long total(List<Payment> payments) {
    return payments.stream().mapToLong(Payment::amountMinor).reduce(0, Math::addExact);
  }

  private static void creditor(Xml xml, Payment payment) throws XMLStreamException {
    xml.open("Cdtr").text("Nm", legible(payment.creditorName())).close();
    account(xml, "CdtrAcct", payment.iban());
    String remittance = payment.remittance();
    if (remittance != null && !remittance.isBlank()) {
      xml.open("RmtInf").text("Ustrd", legible(remittance)).close();
    }
  }

  private static void account(Xml xml, String name, String account) throws XMLStreamException {
    xml.open(name).open("Id");
    if (IBAN.matcher(account).matches()) {
      xml.text("IBAN", account);
    } else {
      xml.open("Othr").text("Id", account).close();
    }
    xml.close().close();
  }

  private static void agent(Xml xml, String name, String bic) throws XMLStreamException {
    xml.open(name).open("FinInstnId").text("BICFI", bic).close().close();
  }

  /** Replaces what XML cannot carry, which a wallet can put into a name. */
  private static String legible(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().map(c -> isLegible(c) ? c : '?').forEach(out::appendCodePoint);
    return out.codePointCount(0, out.length()) <= MAX_NAME
        ? out.toString()
        : out.substring(0, out.offsetByCodePoints(0, MAX_NAME));
  }

  private static boolean isLegible(int c) {
    return (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
  }

  private static String time(Instant at) {
    return DateTimeFormatter.ISO_INSTANT.format(at.truncatedTo(ChronoUnit.SECONDS));
  }

  /** A UUID of version 4 that depends only on the attempt, so that a repeated file repeats it. */
  private static String uetr(Payment payment) {
    UUID hash = UUID.nameUUIDFromBytes(payment.instructionId().getBytes(StandardCharsets.US_ASCII));
    return new UUID(
            (hash.getMostSignificantBits() & ~0xF000L) | 0x4000L, hash.getLeastSignificantBits())
        .toString();
  }

  private interface Body {
    void write(Xml xml) throws XMLStreamException;
  }

  private byte[] write(MessageType type, Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      XMLStreamWriter writer =
          XMLOutputFactory.newInstance().createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
      writer.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
      writer.writeStartElement("Document");
      writer.writeDefaultNamespace(type.namespace());
      body.write(new Xml(writer));
      writer.writeEndElement();
      writer.writeEndDocument();
      writer.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a message cannot be written", e);
    }
    byte[] document = out.toByteArray();
    schemas.parse(document, type);
    return document;
  }

  /** Elements without attributes. */
  private record Xml(XMLStreamWriter writer) {
    Xml open(String name) throws XMLStreamException {
      writer.writeStartElement(name);
      return this;
    }

    Xml close() throws XMLStreamException {
      writer.writeEndElement();
      return this;
    }

    Xml text(String name, String text) throws XMLStreamException {
      open(name);
      writer.writeCharacters(text);
      return close();
    }

    Xml amount(String name, Money money, long minor) throws XMLStreamException {
      open(name);
      writer.writeAttribute("Ccy", money.currency());
      writer.writeCharacters(money.text(minor));
      return close();
    }
  }
}
