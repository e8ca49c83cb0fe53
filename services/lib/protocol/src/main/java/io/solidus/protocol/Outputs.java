package io.solidus.protocol;

import java.util.List;

/**
 * The outputs of a statement, as a committee signs them. The base of each depends on D, the period
 * and every c_m, so a signature on one output belongs to all of them.
 *
 * @param d of the statement
 * @param period of a transfer; {@link Period#NONE} in a registration and a mint
 * @param coins in order
 */
public record Outputs(InputDigest d, Period period, List<BlindedCoin> coins) {
  public static final int MAX = Family.MAX_OUTPUTS;

  public Outputs {
    coins = List.copyOf(coins);
    if (coins.isEmpty() || coins.size() > MAX) {
      throw ProtocolException.malformed("a statement has 1 to " + MAX + " outputs");
    }
  }

  public static Outputs of(NetworkId network, TransferStatement statement) {
    return new Outputs(statement.inputDigest(network), statement.period(), statement.outputs());
  }

  public static Outputs of(NetworkId network, MintStatement statement) {
    return new Outputs(statement.inputDigest(network), Period.NONE, List.of(statement.coin()));
  }

  public static Outputs of(NetworkId network, RegisterStatement statement) {
    return new Outputs(statement.inputDigest(network), Period.NONE, List.of(statement.coin()));
  }
}
