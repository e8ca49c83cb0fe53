package io.solidus.operator.issuance.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Holds documents against the schemas of ISO 20022. A document with a document type is refused, no
 * entity is expanded, and nothing outside the document is read.
 */
public final class Schemas {
  /** The longest document: a day of some 2,000 entries with their details. */
  public static final int MAX_BYTES = 8 * 1024 * 1024;

  private final Map<MessageType, Schema> schemas = new EnumMap<>(MessageType.class);

  /** Reads all schemas, which takes about a second. */
  public Schemas() {
    for (MessageType type : MessageType.values()) {
      schemas.put(type, read(type));
    }
  }

  private static Schema read(MessageType type) {
    try {
      SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      URL file =
          Objects.requireNonNull(
              Schemas.class.getResource("/iso20022/" + type.id() + ".xsd"), type.id());
      return factory.newSchema(file);
    } catch (SAXException e) {
      throw new IllegalStateException("the schema of " + type.id() + " cannot be read", e);
    }
  }

  /**
   * Parses a document of one of some types.
   *
   * @return its type and the child of the element {@code Document}
   * @throws BankMessageException invalid, or unsupported for a document of another type
   */
  Parsed parse(byte[] xml, MessageType... types) {
    if (xml.length > MAX_BYTES) {
      throw BankMessageException.invalid("a message has at most " + MAX_BYTES + " bytes");
    }
    Document document;
    try {
      document = builder().parse(new ByteArrayInputStream(xml));
    } catch (SAXException | IOException e) {
      throw BankMessageException.invalid(
          "the message is no XML, or has a document type" + place(e));
    }
    MessageType type =
        typeOf(document, types)
            .orElseThrow(() -> BankMessageException.unsupported("no message that is taken here"));
    validate(document, type);
    return new Parsed(type, new Node(document.getDocumentElement()).children().getFirst());
  }

  /**
   * Whether the root element of a document is that of a type. The document is not held against the
   * schema.
   */
  public boolean isOf(byte[] xml, MessageType type) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(xml));
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.START_ELEMENT) {
          return type.namespace().equals(reader.getNamespaceURI());
        }
      }
      return false;
    } catch (XMLStreamException e) {
      return false;
    }
  }

  /** A valid document. */
  record Parsed(MessageType type, Node message) {}

  private static Optional<MessageType> typeOf(Document document, MessageType... types) {
    Element root = document.getDocumentElement();
    for (MessageType type : types) {
      if ("Document".equals(root.getLocalName())
          && type.namespace().equals(root.getNamespaceURI())) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /**
   * Holds a document against the schema of a type.
   *
   * @throws BankMessageException invalid
   */
  void validate(Document document, MessageType type) {
    try {
      Validator validator = Objects.requireNonNull(schemas.get(type)).newValidator();
      validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      validator.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      validator.setErrorHandler(Strict.INSTANCE);
      validator.validate(new DOMSource(document));
    } catch (SAXException | IOException e) {
      throw BankMessageException.invalid("the message is not of the schema " + type.id() + rule(e));
    }
  }

  static DocumentBuilder builder() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(false);
      factory.setExpandEntityReferences(false);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(Strict.INSTANCE);
      return builder;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this JDK has no safe XML parser", e);
    }
  }

  private static String place(Exception e) {
    return e instanceof SAXParseException parse ? ": line " + parse.getLineNumber() : "";
  }

  /** The name of the rule, such as cvc-datatype-valid.1.2.1; its text quotes the message. */
  private static String rule(Exception e) {
    String text = String.valueOf(e.getMessage());
    int end = text.indexOf(':');
    return end > 0 && text.startsWith("cvc-") ? ": " + text.substring(0, end) : "";
  }

  private enum Strict implements ErrorHandler {
    INSTANCE;

    @Override
    public void warning(SAXParseException e) {
      // no deviation from the schema
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }
}
