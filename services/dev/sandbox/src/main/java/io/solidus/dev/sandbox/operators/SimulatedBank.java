package io.solidus.dev.sandbox.operators;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The bank of a sandbox. It pays whatever it is told (pain.001.001.09) at once, and says so with a
 * notification (camt.054.001.08).
 */
public final class SimulatedBank {
  static final String ACCOUNT = "DE89370400440532013000";
  static final String BIC = "COBADEFFXXX";
  static final String OWNER = "Central Bank of Examples";

  private final Clock clock;

  public SimulatedBank(Clock clock) {
    this.clock = clock;
  }

  /** Pays a batch; returns the notification of its debits. */
  public byte[] pay(byte[] pain001) throws IOException {
    Document batch = read(pain001);
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
    String message = "N-" + text(batch.getDocumentElement(), "MsgId");
    StringBuilder out =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
            .append("<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.054.001.08\">")
            .append("<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>")
            .append(message)
            .append("</MsgId><CreDtTm>")
            .append(now)
            .append("</CreDtTm></GrpHdr><Ntfctn><Id>")
            .append(message)
            .append("</Id><Acct><Id><IBAN>")
            .append(ACCOUNT)
            .append("</IBAN></Id></Acct>");
    NodeList payments = batch.getElementsByTagNameNS("*", "CdtTrfTxInf");
    for (int i = 0; i < payments.getLength(); i++) {
      Element payment = (Element) payments.item(i);
      Element amount = (Element) payment.getElementsByTagNameNS("*", "InstdAmt").item(0);
      out.append("<Ntry><Amt Ccy=\"")
          .append(amount.getAttribute("Ccy"))
          .append("\">")
          .append(amount.getTextContent())
          .append("</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>")
          .append(day)
          .append("</Dt></BookgDt><AcctSvcrRef>")
          .append(text(payment, "InstrId"))
          .append("</AcctSvcrRef><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls><TxDtls>")
          .append("<Refs><EndToEndId>")
          .append(text(payment, "EndToEndId"))
          .append("</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>");
    }
    return out.append("</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>")
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Document read(byte[] xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("the bank cannot read the batch", e);
    }
  }

  /** The identifiers of a batch are of the desk: letters, digits and hyphens. */
  private static String text(Element of, String name) {
    return of.getElementsByTagNameNS("*", name).item(0).getTextContent();
  }
}
