package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Everything that a refused applicant can be told. Staff's own words never reach her: telling a
 * suspect that she is suspected is an offence. {@link #COME_TO_THE_BANK} is for every reason that
 * she may not learn.
 */
public enum RefusalCode {
  DOCUMENT_UNREADABLE("document-unreadable", "The document could not be read."),
  DOCUMENT_EXPIRED("document-expired", "The document has expired."),
  DETAILS_DIFFER("details-differ", "The details are not those of the document."),
  COME_TO_THE_BANK(
      "come-to-the-bank",
      "The registration could not be completed. Please come to the bank with a document.");

  private final String id;
  private final String text;

  RefusalCode(String id, String text) {
    this.id = id;
    this.text = text;
  }

  /** The code in the API and the database. */
  public String id() {
    return id;
  }

  /** The sentence that a wallet shows. */
  public String text() {
    return text;
  }

  /**
   * Finds a code by its id.
   *
   * @throws ProtocolException malformed-request when there is none
   */
  public static RefusalCode of(String id) {
    return Arrays.stream(values())
        .filter(code -> code.id.equals(id))
        .findFirst()
        .orElseThrow(() -> ProtocolException.malformed("a refusal needs a code of: " + ids()));
  }

  private static String ids() {
    return Arrays.stream(values()).map(RefusalCode::id).collect(Collectors.joining(", "));
  }
}
