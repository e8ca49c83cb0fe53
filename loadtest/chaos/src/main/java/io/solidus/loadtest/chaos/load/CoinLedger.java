package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Every coin that the wallets ever made, whether its transfer finished or not. The checks compute
 * conservation of money from these openings, without trusting any wallet.
 */
public final class CoinLedger {

  /**
   * A coin.
   *
   * @param maker the core whose output it is; null for an issued coin
   */
  public record Made(SerialNumber serial, long minor, @Nullable TxCore maker) {}

  /** The serial numbers that a core spends and the amount that it withdraws. */
  public record Spending(TxCore core, List<SerialNumber> serials, long withdrawnMinor) {}

  /**
   * The content of the ledger.
   *
   * @param made all coins
   * @param spendings all cores
   */
  public record Entries(List<Made> made, List<Spending> spendings) {

    public long issuedMinor() {
      return made.stream().filter(coin -> coin.maker() == null).mapToLong(Made::minor).sum();
    }
  }

  private final Queue<Made> made = new ConcurrentLinkedQueue<>();
  private final Queue<Spending> spendings = new ConcurrentLinkedQueue<>();

  public void issued(SerialNumber serial, long minor) {
    made.add(new Made(serial, minor, null));
  }

  /** Records a transfer before it is sent. */
  public void drafted(Transfer transfer) {
    TxCore core = transfer.core();
    made.add(
        new Made(
            transfer.recipient().serial(transfer.prepared().recipientCoin().rho()),
            transfer.paid(),
            core));
    made.add(
        new Made(
            transfer.payer().serial(transfer.prepared().next().rho()),
            transfer.prepared().next().held().minor(),
            core));
    spendings.add(new Spending(core, transfer.statement().serials(), transfer.withdrawn()));
  }

  public Entries entries() {
    return new Entries(List.copyOf(made), List.copyOf(spendings));
  }
}
