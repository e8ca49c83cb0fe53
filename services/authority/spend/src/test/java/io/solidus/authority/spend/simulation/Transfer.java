package io.solidus.authority.spend.simulation;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its openings, which only the test harness sees.
 *
 * @param inputs the compliance coin, whose serial number leads, and received coins
 * @param outputs the payee's coin and the next compliance coin
 * @param paid the amount that the policy limits, in minor units
 */
record Transfer(
    TxCore core, List<Coin> inputs, List<Coin> outputs, List<SerialNumber> serials, long paid) {

  /**
   * A coin.
   *
   * @param origin the core that made the coin; null for issued money
   */
  record Coin(SerialNumber serial, long amount, int owner, @Nullable TxCore origin) {}

  static Coin issued(long hash, long amount, int owner) {
    return new Coin(serial(hash), amount, owner, null);
  }

  /**
   * Makes a transfer.
   *
   * @param nonce distinguishes transfers of the same inputs
   */
  static Transfer of(List<Coin> inputs, int payer, int payee, long paid, long nonce) {
    long hash = SeededRandom.mix(nonce ^ SeededRandom.mix(payee * 31L + paid));
    for (Coin input : inputs) {
      hash = SeededRandom.mix(hash ^ input.serial().hashCode());
    }
    TxCore core = core(hash);
    long total = inputs.stream().mapToLong(Coin::amount).sum();
    List<Coin> outputs =
        List.of(
            new Coin(serial(SeededRandom.mix(hash + 1)), paid, payee, core),
            new Coin(serial(SeededRandom.mix(hash + 2)), total - paid, payer, core));
    return new Transfer(
        core, List.copyOf(inputs), outputs, inputs.stream().map(Coin::serial).toList(), paid);
  }

  SerialNumber lead() {
    return serials.getFirst();
  }

  String name() {
    return core.hex().substring(0, 6);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Transfer that && core.equals(that.core);
  }

  @Override
  public int hashCode() {
    return core.hashCode();
  }

  private static TxCore core(long hash) {
    ByteBuffer bytes = ByteBuffer.allocate(Digest32.BYTES);
    bytes
        .putLong(hash)
        .putLong(SeededRandom.mix(hash))
        .putLong(SeededRandom.mix(hash + 7))
        .putLong(SeededRandom.mix(hash + 13));
    return TxCore.of(bytes.array());
  }

  /**
   * Makes a serial number from a hash, its first eight bytes modulo r. So serial numbers spread
   * over the field almost like real ones.
   */
  static SerialNumber serial(long hash) {
    return new SerialNumber(
        FieldElement.reduce(ByteBuffer.allocate(FieldElement.BYTES).putLong(hash).array()));
  }
}
