package io.solidus.operator.console.people;

import org.jspecify.annotations.Nullable;

/** The registration's catalogue of what a refused applicant reads. */
enum RefusalCode {
  COME_TO_THE_BANK(
      "come-to-the-bank",
      "The registration could not be completed. Please come to the bank with a document."),
  DOCUMENT_UNREADABLE("document-unreadable", "The document could not be read."),
  DOCUMENT_EXPIRED("document-expired", "The document has expired."),
  DETAILS_DIFFER("details-differ", "The details are not those of the document.");

  private final String id;
  private final String text;

  RefusalCode(String id, String text) {
    this.id = id;
    this.text = text;
  }

  public String id() {
    return id;
  }

  /** The sentence that the applicant reads. */
  public String text() {
    return text;
  }

  /** What the applicant read; the code itself if it is unknown here. */
  static String textOf(@Nullable String id) {
    for (RefusalCode code : values()) {
      if (code.id.equals(id)) {
        return code.text;
      }
    }
    return id == null ? "" : id;
  }
}
