package io.solidus.operator.issuance.message;

/** The messages that the desk exchanges with its bank. */
public enum MessageType {
  /** The statement of a day. */
  CAMT_053("camt.053.001.08"),
  /** A notification of single entries, before the statement. */
  CAMT_054("camt.054.001.08"),
  /** The bank's answer to payment instructions. */
  PAIN_002("pain.002.001.12"),
  /** Payment instructions to the bank. */
  PAIN_001("pain.001.001.09"),
  /** Payments of a member of a real-time gross settlement system. */
  PACS_008("pacs.008.001.08");

  private final String id;

  MessageType(String id) {
    this.id = id;
  }

  /** The name of ISO 20022, for example camt.053.001.08. */
  public String id() {
    return id;
  }

  /** The namespace of its documents. */
  String namespace() {
    return "urn:iso:std:iso:20022:tech:xsd:" + id;
  }
}
