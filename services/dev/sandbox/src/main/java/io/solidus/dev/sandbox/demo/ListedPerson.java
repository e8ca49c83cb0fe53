package io.solidus.dev.sandbox.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An individual of an imported UN list, who tries to register in one step of the story. On a real
 * list this is a real person, so the name goes to the registration service only, never to the
 * screen, a file or a log.
 */
record ListedPerson(String givenName, String familyName) {
  /** The first individual with two names. */
  static ListedPerson first(Path unList) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try (InputStream in = Files.newInputStream(unList)) {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      String first = "";
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.START_ELEMENT) {
          switch (reader.getLocalName()) {
            case "FIRST_NAME" -> first = reader.getElementText().strip();
            case "SECOND_NAME" -> {
              String second = reader.getElementText().strip();
              if (!first.isEmpty() && !second.isEmpty()) {
                return new ListedPerson(first, second);
              }
            }
            default -> {}
          }
        }
      }
      throw new IOException("the UN list names no individual");
    } catch (XMLStreamException invalid) {
      throw new IOException("the UN list is not XML of the expected form", invalid);
    }
  }

  @Override
  public String toString() {
    return "ListedPerson[redacted]";
  }
}
