package io.solidus.operator.sanctions.list;

import java.io.IOException;
import java.io.InputStream;

/** Reads one list's published format in one pass. */
interface ListParser {
  /**
   * Hands every well formed entry to the sink.
   *
   * @throws ListRefusedException when the file as a whole cannot be trusted to be of this format;
   *     what the sink took is then void
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
