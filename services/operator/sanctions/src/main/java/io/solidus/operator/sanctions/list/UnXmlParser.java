package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Parses the UN Security Council's consolidated list as a stream. A file with a document type
 * declaration, an entity reference or too deep nesting is refused. Nothing outside the file is
 * read.
 */
final class UnXmlParser implements ListParser {
  private static final String ROOT = "CONSOLIDATED_LIST";
  private static final int MAX_DEPTH = 16;

  @Override
  public ParseReport parse(InputStream file, EntrySink sink) throws ListRefusedException {
    try {
      XMLStreamReader xml = factory().createXMLStreamReader(file);
      try {
        return read(xml, new ParseTally(sink));
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      throw new ListRefusedException(Reason.NOT_THIS_FORMAT, "the file is not well-formed XML", e);
    }
  }

  /**
   * The JDK's parser, even if the class path has other parsers. External references and document
   * type declarations are off.
   */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_VALIDATING, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setXMLResolver((publicId, systemId, base, namespace) -> {
      throw new XMLStreamException("external references are refused");
    });
    return factory;
  }

  private static ParseReport read(XMLStreamReader xml, ParseTally tally)
      throws XMLStreamException, ListRefusedException {
    String published = requireRoot(xml);
    UnEntryReader entry = new UnEntryReader(tally);
    int depth = 1;
    while (depth > 0) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (++depth > MAX_DEPTH) {
            throw new ListRefusedException(Reason.NOT_THIS_FORMAT, "the file is nested too deeply");
          }
          entry.start(xml.getLocalName(), depth);
        }
        case XMLStreamConstants.END_ELEMENT -> entry.end(xml.getLocalName(), depth--);
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
            entry.text(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE -> throw declaration();
        default -> {}
      }
    }
    // well-formed XML cannot be cut short
    return tally.finish(published, true);
  }

  /** Moves to the root element and returns its date of publication. */
  private static String requireRoot(XMLStreamReader xml)
      throws XMLStreamException, ListRefusedException {
    int event = xml.getEventType();
    while (event != XMLStreamConstants.START_ELEMENT) {
      event = xml.next();
      if (event == XMLStreamConstants.DTD) {
        throw declaration();
      }
    }
    if (!ROOT.equals(xml.getLocalName())) {
      throw new ListRefusedException(Reason.NOT_THIS_FORMAT, "the root element is not " + ROOT);
    }
    String generated = xml.getAttributeValue(null, "dateGenerated");
    return generated == null || generated.length() > 40 ? "" : generated;
  }

  private static ListRefusedException declaration() {
    return new ListRefusedException(
        Reason.NOT_THIS_FORMAT, "the file has a document type declaration or an entity reference");
  }
}
