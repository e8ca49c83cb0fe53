package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.simulation.Transfer.Coin;
import io.solidus.protocol.SerialNumber;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A correct wallet. It pays a few times and sends the same core again until a quorum has signed it.
 */
final class CorrectWallet {

  private final World world;
  private final int index;
  private final List<Coin> receivedCoins = new ArrayList<>();
  private final Set<SerialNumber> seen = new HashSet<>();
  private Coin compliance;
  private int paymentsLeft;
  private int rounds;
  private @Nullable Request pending;

  CorrectWallet(World world, int index, Coin compliance, int payments) {
    this.world = world;
    this.index = index;
    this.compliance = compliance;
    this.paymentsLeft = payments;
    world.events().in(world.random().between(0, 120), this::pay);
  }

  /** Receives a coin; the same coin may arrive several times and counts once. */
  void receive(Coin coin) {
    if (seen.add(coin.serial())) {
      receivedCoins.add(coin);
    }
  }

  boolean idle() {
    return paymentsLeft == 0 && pending == null;
  }

  @Nullable Request pending() {
    return pending;
  }

  private void pay() {
    if (world.events().now() > World.LAST_PAYMENT) {
      paymentsLeft = 0;
    }
    if (paymentsLeft == 0) {
      return;
    }
    paymentsLeft--;
    List<Coin> inputs = new ArrayList<>();
    inputs.add(compliance);
    List<Coin> claimed = receivedCoins.subList(0, Math.min(2, receivedCoins.size()));
    inputs.addAll(claimed);
    claimed.clear();
    int policy = world.rules().newest();
    long held = inputs.stream().mapToLong(Coin::amount).sum();
    long paid =
        Math.min(
            held, world.random().between(0, (int) world.rules().policies().get(policy).limit()));
    int payee = world.random().below(world.wallets().size());
    Transfer transfer = Transfer.of(inputs, index, payee, paid, world.random().next());
    world.oracle().knows(transfer, true);
    pending = new Request(transfer, true, policy, List.of());
    world.note(() -> "w" + index + " pays " + transfer.name());
    send();
  }

  /** Sends the stored request, after a restart as well as after a round without a quorum. */
  private void send() {
    Request request = pending;
    if (request == null) {
      return;
    }
    rounds++;
    world.attackers().sees(request);
    GatewayRound.start(world, request, world.everyAuthority(), result -> ended(request, result));
    if (world.fault(0.1)) {
      // a second device of the same owner sends the same request
      world
          .events()
          .in(
              world.random().between(0, 20),
              () ->
                  GatewayRound.start(
                      world, request, world.everyAuthority(), result -> ended(request, result)));
    }
  }

  private void ended(Request request, GatewayRound.Result result) {
    if (pending == null || !pending.transfer().equals(request.transfer())) {
      return;
    }
    Transfer transfer = request.transfer();
    if (result.quorum()) {
      world.oracle().handedOut(transfer, result.certificate());
      pending = null;
      compliance = transfer.outputs().getLast();
      world.deliver(transfer);
      world.note(() -> "w" + index + " has paid " + transfer.name());
      world.events().in(world.random().between(0, 60), this::pay);
      return;
    }
    if (result.rejectedForGood()) {
      throw new Violation(Violation.Kind.REFUSED, "w" + index + " " + transfer.name());
    }
    int newest = world.rules().newest();
    if (result.stalePolicy() && world.rules().provable(transfer, newest)) {
      pending = request.renewed(newest);
    }
    int pause = world.random().between(5, 20 + 10 * Math.min(rounds, 10));
    world
        .events()
        .in(
            pause,
            () -> {
              if (pending != null && pending.transfer().equals(transfer)) {
                send();
              }
            });
  }
}
