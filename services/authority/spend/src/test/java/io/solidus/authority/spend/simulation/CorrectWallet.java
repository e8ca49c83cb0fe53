package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.simulation.Transfer.Coin;
import io.solidus.protocol.SerialNumber;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pays a few times; what it has sent once it sends again, the same core, until a quorum has signed
 * it.
 */
final class CorrectWallet {

  private final World world;
  private final int index;
  private final List<Coin> received = new ArrayList<>();
  private final Set<SerialNumber> seen = new HashSet<>();
  private Coin compliance;
  private int toDo;
  private int rounds;
  private @Nullable Request pending;

  CorrectWallet(World world, int index, Coin compliance, int payments) {
    this.world = world;
    this.index = index;
    this.compliance = compliance;
    this.toDo = payments;
    world.agenda().in(world.dice().between(0, 120), this::pay);
  }

  /** The same coin may come several times; only the first time counts. */
  void receive(Coin coin) {
    if (seen.add(coin.serial())) {
      received.add(coin);
    }
  }

  boolean idle() {
    return toDo == 0 && pending == null;
  }

  @Nullable Request pending() {
    return pending;
  }

  private void pay() {
    if (world.agenda().now() > World.LAST_PAYMENT) {
      toDo = 0;
    }
    if (toDo == 0) {
      return;
    }
    toDo--;
    List<Coin> inputs = new ArrayList<>();
    inputs.add(compliance);
    List<Coin> claimed = received.subList(0, Math.min(2, received.size()));
    inputs.addAll(claimed);
    claimed.clear();
    int policy = world.rules().newest();
    long held = inputs.stream().mapToLong(Coin::amount).sum();
    long paid =
        Math.min(held, world.dice().between(0, (int) world.rules().policies().get(policy).limit()));
    int payee = world.dice().below(world.wallets().size());
    Transfer transfer = Transfer.of(inputs, index, payee, paid, world.dice().next());
    world.oracle().knows(transfer, true);
    pending = new Request(transfer, true, policy, List.of());
    world.note(() -> "w" + index + " pays " + transfer.name());
    send();
  }

  /** From the wallet's disk, after a restart as well as after a round that brought no quorum. */
  private void send() {
    Request request = pending;
    if (request == null) {
      return;
    }
    rounds++;
    world.intruders().sees(request);
    Round.start(world, request, world.everybody(), result -> ended(request, result));
    if (world.fault(0.1)) {
      // a second device of the same owner sends what the first has sent
      world
          .agenda()
          .in(
              world.dice().between(0, 20),
              () ->
                  Round.start(world, request, world.everybody(), result -> ended(request, result)));
    }
  }

  private void ended(Request request, Round.Result result) {
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
      world.agenda().in(world.dice().between(0, 60), this::pay);
      return;
    }
    if (result.refusedForGood()) {
      throw new Violation(Violation.Kind.REFUSED, "w" + index + " " + transfer.name());
    }
    int newest = world.rules().newest();
    if (result.stalePolicy() && world.rules().provable(transfer, newest)) {
      pending = request.renewed(newest);
    }
    int pause = world.dice().between(5, 20 + 10 * Math.min(rounds, 10));
    world
        .agenda()
        .in(
            pause,
            () -> {
              if (pending != null && pending.transfer().equals(transfer)) {
                send();
              }
            });
  }
}
