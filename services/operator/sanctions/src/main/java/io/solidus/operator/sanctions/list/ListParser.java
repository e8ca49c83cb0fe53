package io.solidus.operator.sanctions.list;

import java.io.IOException;
import java.io.InputStream;

/** Reads the published format of one list in one pass. */
interface ListParser {
  /**
   * Passes every well-formed entry to the sink.
   *
   * @throws ListRefusedException when the file is not credible as a file of this format; the
   *     entries in the sink are then void
   */
  ParseReport parse(InputStream file, EntrySink sink) throws IOException, ListRefusedException;

  static ListParser of(ListId list) {
    return switch (list) {
      case UN -> new UnXmlParser();
      case OFAC -> new OfacCsvParser(OfacCsvParser.SDN);
      case OFAC_ALT -> new OfacCsvParser(OfacCsvParser.ALT);
    };
  }
}
