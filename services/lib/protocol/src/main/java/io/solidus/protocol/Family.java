package io.solidus.protocol;

/** The families of statements that a network signs. The code is part of every digest. */
public enum Family {
  REGISTER(1, 0, 1),
  MINT(2, 0, 1),
  TRANSFER(3, 3, 2),
  TRANSFER_UNREGULATED(4, 2, 2),
  /** Names as many serial numbers as what is below it asks for. */
  RECOVER(5, 0, 2),
  /** Reserved; no validator accepts it yet. */
  DISCLOSE(6, 0, 0),
  /** A regulated transfer that claims up to 16 coins; only where a network has its shape. */
  CLAIM_16(7, 17, 2),
  /** A regulated transfer that pays up to eight payees; only where a network has its shape. */
  PAY_8(8, 3, 9);

  /** The most serial numbers and shown signatures of a transfer. */
  public static final int MAX_SERIALS = 17;

  /** The most outputs of a statement, and the most points of a partial signature. */
  public static final int MAX_OUTPUTS = 9;

  /** The place of a regulated transfer's next compliance coin among its outputs. */
  public static final int NEXT_OUTPUT = 1;

  private final int code;
  private final int serials;
  private final int outputs;

  Family(int code, int serials, int outputs) {
    this.code = code;
    this.serials = serials;
    this.outputs = outputs;
  }

  public int code() {
    return code;
  }

  /** How many serial numbers a statement of this family spends; a recover's number varies. */
  public int serials() {
    return serials;
  }

  /** How many blinded coins a statement of this family creates. */
  public int outputs() {
    return outputs;
  }

  /** How many payments a regulated transfer of this family makes, those to nobody included. */
  public int payments() {
    return outputs - 1;
  }

  /** The place of a payment among the outputs of a regulated transfer. */
  public static int outputOf(int payment) {
    return payment < NEXT_OUTPUT ? payment : payment + 1;
  }

  /** The length of the memo block of a transfer of this family. */
  @Spec("F-82")
  public int memoBytes() {
    return this == PAY_8 ? Attachments.LONG_MEMO_BYTES : Attachments.MEMO_BYTES;
  }

  /**
   * How many points a proof of this family links to its circuit: the shown signatures, one per
   * serial number, then the outputs.
   */
  public int links() {
    return serials + outputs;
  }

  /** The length of a proof of this family. */
  public int proofBytes() {
    return ProofBytes.length(links());
  }

  public boolean isTransfer() {
    return isTransferOf(NetworkKind.REGULATED) || isTransferOf(NetworkKind.UNREGULATED);
  }

  /** Whether it is a transfer of a kind of network. */
  public boolean isTransferOf(NetworkKind kind) {
    return this == kind.transferFamily() || (kind == NetworkKind.REGULATED && isShape());
  }

  /**
   * Whether it is a transfer of another shape, which a network has only where its file of shapes
   * names it (F-80).
   */
  public boolean isShape() {
    return this == CLAIM_16 || this == PAY_8;
  }

  /**
   * Returns the family of a code.
   *
   * @throws ProtocolException malformed-request for an unknown code
   */
  public static Family of(int code) {
    for (Family family : values()) {
      if (family.code == code) {
        return family;
      }
    }
    throw ProtocolException.malformed("unknown statement family");
  }
}
