package io.solidus.authority.spend.simulation;

/**
 * A broken invariant. An Error, so that the code under simulation does not catch it as a rejection.
 */
final class Violation extends Error {
  private static final long serialVersionUID = 1L;

  /** The promise that is broken. */
  enum Kind {
    DOUBLE_SPEND("no serial number has two cores with a quorum of partial signatures"),
    TWO_DIGESTS("a correct authority signs one core for each serial number"),
    SIGNATURE_LOST("what left is in the log and the database"),
    OTHER_BYTES("the same core gets the same bytes"),
    ANSWER_WITHHELD("a stored answer is given again, whatever the evidence"),
    CONSERVATION("amounts are conserved"),
    TWO_OWNERS("a serial number belongs to one shard"),
    PARTLY_HELD("a core holds all of its serial numbers of a shard, or none"),
    LEAD_NOT_FIRST("the lead serial number is held before any other"),
    HOPELESS_HELD("a transfer that cannot succeed uses up nothing"),
    UNPROVEN_HELD("nothing is reserved that the signer did not check"),
    NOT_IN_TIME("a core outside its window was admitted in time by a correct authority"),
    REFUSED("no correct wallet is refused for good"),
    FALSE_CERTIFICATE("what a gateway hands out is a certificate"),
    HALTED_WITHOUT_CAUSE("a signer refuses to sign only when storage lost what it promised"),
    NOT_FINISHED("after the faults everything pending finishes"),
    NOT_DETERMINISTIC("the order of work depends on nothing but its ports");

    private final String promise;

    Kind(String promise) {
      this.promise = promise;
    }
  }

  private final Kind kind;

  Violation(Kind kind, String detail) {
    super(kind + " (" + kind.promise + "): " + detail);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }
}
