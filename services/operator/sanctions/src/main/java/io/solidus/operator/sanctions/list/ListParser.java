package io.solidus.operator.sanctions.list;

import java.io.IOException;
import java.io.InputStream;

/** Reads the published format of one list in one pass. */
interface ListParser {
  /**
   * Rises when the readers read more of a file: then a file that an earlier reader read can be
   * imported again.
   */
  int READER = 1;

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
