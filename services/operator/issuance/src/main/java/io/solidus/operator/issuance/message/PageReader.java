package io.solidus.operator.issuance.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Reads pages of a statement that the bank sends in messages of their own, and makes one message of
 * them, as if the bank had sent them together.
 */
public final class PageReader {
  private static final int MAX_PAGE = 1_000;

  /** A document that has no such element is read once and not twice. */
  private static final String MARK = "LastPgInd";

  private final Schemas schemas;
  private final String account;

  /**
   * Creates a reader.
   *
   * @param account IBAN or other id of the settlement account
   */
  public PageReader(Schemas schemas, String account) {
    this.schemas = schemas;
    this.account = account;
  }

  /**
   * A page.
   *
   * @param reportId of the statement, the same in all of its pages
   * @param number from 1
   * @param last whether no page follows
   */
  public record Page(String messageId, String reportId, int number, boolean last) {}

  /**
   * Which page a message is; empty when it is a whole statement, or something else.
   *
   * @throws BankMessageException when it is not of its schema
   */
  public Optional<Page> page(byte[] xml) {
    if (!new String(xml, StandardCharsets.ISO_8859_1).contains(MARK)
        || !schemas.isOf(xml, MessageType.CAMT_053)) {
      return Optional.empty();
    }
    Node message = schemas.parse(xml, MessageType.CAMT_053).message();
    List<Node> statements = statements(message);
    if (statements.size() != 1) {
      return Optional.empty();
    }
    Optional<Node> pagination = pagination(message, statements.getFirst());
    int number = pagination.flatMap(p -> p.text("PgNb")).map(Integer::parseInt).orElse(1);
    boolean last = pagination.flatMap(p -> p.text("LastPgInd")).map(PageReader::yes).orElse(true);
    if (number == 1 && last) {
      return Optional.empty();
    }
    if (number < 1 || number > MAX_PAGE) {
      throw BankMessageException.unsupported("a page has the number 1 to " + MAX_PAGE);
    }
    return Optional.of(
        new Page(
            message.text("GrpHdr/MsgId").orElseThrow(),
            statements.getFirst().text("Id").orElseThrow(),
            number,
            last));
  }

  /**
   * One message with the statements of all pages: that of the first one, with its id.
   *
   * @param pages in their order, each of which {@link #page} has read
   */
  public byte[] together(List<byte[]> pages) {
    Node first = schemas.parse(pages.getFirst(), MessageType.CAMT_053).message();
    Document whole = first.element().getOwnerDocument();
    Element before = statement(first);
    paginate(before, 1, pages.size());
    for (int i = 1; i < pages.size(); i++) {
      Element next =
          (Element)
              whole.importNode(
                  statement(schemas.parse(pages.get(i), MessageType.CAMT_053).message()), true);
      paginate(next, i + 1, pages.size());
      first.element().insertBefore(next, before.getNextSibling());
      before = next;
    }
    first
        .find("GrpHdr/MsgPgntn")
        .map(Node::element)
        .ifPresent(pagination -> pagination.getParentNode().removeChild(pagination));
    return write(whole);
  }

  /** The header numbers the pages of the message, which are a statement's when it has no other. */
  private static Optional<Node> pagination(Node message, Node statement) {
    return statement
        .find("StmtPgntn")
        .or(() ->
            message.all("Stmt").size() == 1 ? message.find("GrpHdr/MsgPgntn") : Optional.empty());
  }

  private List<Node> statements(Node message) {
    return message.all("Stmt").stream()
        .filter(statement ->
            statement.firstText("Acct/Id/IBAN", "Acct/Id/Othr/Id").equals(Optional.of(account)))
        .toList();
  }

  private Element statement(Node message) {
    return statements(message).getFirst().element();
  }

  /** Writes which page a statement is behind its id, where the schema has it. */
  private static void paginate(Element statement, int number, int pages) {
    Node node = new Node(statement);
    node.find("StmtPgntn").ifPresent(former -> statement.removeChild(former.element()));
    Element pagination = child(statement, "StmtPgntn");
    pagination.appendChild(child(statement, "PgNb")).setTextContent(Integer.toString(number));
    pagination
        .appendChild(child(statement, MARK))
        .setTextContent(Boolean.toString(number == pages));
    statement.insertBefore(pagination, node.find("Id").orElseThrow().element().getNextSibling());
  }

  private static Element child(Element of, String name) {
    return of.getOwnerDocument()
        .createElementNS(
            of.getNamespaceURI(), of.getPrefix() == null ? name : of.getPrefix() + ":" + name);
  }

  private static boolean yes(String indicator) {
    return indicator.equals("true") || indicator.equals("1");
  }

  private static byte[] write(Document document) {
    try {
      TransformerFactory factory = TransformerFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      factory.newTransformer().transform(new DOMSource(document), new StreamResult(out));
      return out.toByteArray();
    } catch (TransformerException e) {
      throw new IllegalStateException("a message that was read cannot be written", e);
    }
  }
}
