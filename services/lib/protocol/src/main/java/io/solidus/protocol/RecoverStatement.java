package io.solidus.protocol;

import java.util.List;

/**
 * A recover over two requests, X1 and X2, of the list that comes with it.
 *
 * @param first the position of X1 in the list
 * @param second the position of X2; that of X1 when the recover is about one core
 * @param next serial numbers of the compliance coins that X1 and X2 would create
 * @param returned serial numbers of the coins that X1 and X2 would return; zero for a transfer
 * @param credits bit 2j + i for input i of the transfer X1 (j = 0) or X2 (j = 1)
 * @param outputs the returned coin, then the next compliance coin
 * @param context digest of the attachments
 */
public record RecoverStatement(
    int first,
    int second,
    List<SerialNumber> next,
    List<FieldElement> returned,
    int credits,
    List<BlindedCoin> outputs,
    Digest32 context) {
  private static final int CORES = 2;

  public RecoverStatement {
    next = List.copyOf(next);
    returned = List.copyOf(returned);
    outputs = List.copyOf(outputs);
    if (first < 0 || second < 0 || credits < 0 || credits >= 1 << (2 * CORES)) {
      throw ProtocolException.malformed("a position or the credits of a recover");
    }
    if (next.size() != CORES || returned.size() != CORES) {
      throw ProtocolException.malformed("a recover is about two cores");
    }
    if (outputs.size() != Family.RECOVER.outputs()) {
      throw ProtocolException.malformed("wrong number of outputs");
    }
  }

  /** Whether the recover credits an input of X1 (0) or X2 (1). */
  public boolean credits(int core, int input) {
    return (credits >> (2 * core + input) & 1) == 1;
  }
}
