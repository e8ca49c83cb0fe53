package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.simulation.Transfer.Coin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** The attackers outside the committee. */
final class Attackers {

  private final World world;
  private final List<Coin> coins;

  /**
   * Makes attackers.
   *
   * @param coins issued coins that they will double-spend
   */
  Attackers(World world, List<Coin> coins) {
    this.world = world;
    this.coins = coins;
  }

  void schedule() {
    if (coins.size() >= 3) {
      equivocate();
    }
    if (world.random().chance(0.3)) {
      at(world.random().between(0, World.FAULTS_END), this::spendTwiceInOne);
    }
    if (world.random().chance(0.2)) {
      at(world.random().between(0, World.FAULTS_END), this::spendInvented);
    }
    if (world.rules().policies().size() > 1 && coins.size() >= 4) {
      long closed = world.rules().policies().get(1).effectiveAt() + CommitteeRules.GRACE;
      at((int) closed + world.random().between(40, 120), this::sendLate);
    }
  }

  /**
   * Observes a request of a correct wallet. A carrier may copy it with a broken proof, or send an
   * unproven request for the same serial numbers.
   */
  void sees(Request request) {
    if (world.fault(0.12)) {
      Request copy = request.unproven();
      at(world.random().between(0, 6), () -> send(copy, world.everyAuthority()));
    }
    if (world.fault(0.06)) {
      Transfer stolen = transfer(request.transfer().inputs(), 1);
      send(new Request(stolen, false, request.policy(), List.of()), world.everyAuthority());
    }
    if (world.fault(0.05)) {
      at(world.random().between(0, 400), () -> send(request, world.everyAuthority()));
    }
  }

  /**
   * Sends different cores of one coin to different authorities; every partition of the committee
   * occurs for some seeds.
   */
  private void equivocate() {
    Coin lead = coins.get(0);
    Coin other = coins.get(1);
    Coin shared = coins.get(2);
    List<Transfer> cores = new ArrayList<>();
    cores.add(transfer(List.of(lead, shared), 1));
    cores.add(transfer(List.of(lead, shared), 2));
    if (world.random().chance(0.85)) {
      cores.add(transfer(List.of(other, shared), 3));
    }
    int waves = world.random().between(2, 5);
    int at = world.random().between(0, 100);
    for (int wave = 0; wave < waves; wave++) {
      BitSet[] targets = split(cores.size());
      int apart = world.random().chance(0.5) ? 0 : 30;
      for (int i = 0; i < cores.size(); i++) {
        Transfer core = cores.get(i);
        BitSet chosen = targets[i];
        at(
            at + world.random().between(0, apart),
            () -> send(new Request(core, true, world.rules().newest(), List.of()), chosen));
      }
      at += world.random().between(10, 250);
    }
    if (world.tokenStolen() && world.random().chance(0.3) && !world.authorities().isEmpty()) {
      Authority careless = world.random().pick(world.authorities());
      Transfer unreserved = transfer(List.of(lead, shared), 4);
      at(
          world.random().between(50, World.FAULTS_END),
          () -> signWithoutReserving(careless, unreserved));
    }
  }

  private BitSet[] split(int cores) {
    BitSet[] targets = new BitSet[cores];
    for (int i = 0; i < cores; i++) {
      targets[i] = new BitSet();
    }
    boolean everyCoreToAll = world.random().chance(0.3);
    for (int authority = 1; authority <= world.peers().size(); authority++) {
      if (everyCoreToAll || world.isByzantine(authority)) {
        for (BitSet each : targets) {
          each.set(authority);
        }
      } else {
        targets[world.random().below(cores)].set(authority);
      }
    }
    return targets;
  }

  /** Uses a stolen internal token to call the signer as a shard does. */
  private void signWithoutReserving(Authority authority, Transfer transfer) {
    if (authority.signer().up()) {
      world.cover(CoveragePoint.TOKEN_ABUSED);
      Request request = new Request(transfer, true, world.rules().newest(), List.of());
      world.note(() -> "an attacker asks " + authority.name() + "'s signer for " + transfer.name());
      authority
          .signer()
          .sign(
              List.of(ShardNode.spend(request)),
              outcomes -> {
                if (outcomes.getFirst() instanceof Outcome.Done<SimulatedPartial>) {
                  world.note(() -> "and the signer signs");
                }
              });
    }
  }

  /** Sends a statement that names one coin twice. */
  private void spendTwiceInOne() {
    if (coins.isEmpty()) {
      return;
    }
    Coin coin = coins.getFirst();
    send(
        new Request(transfer(List.of(coin, coin), 1), true, world.rules().newest(), List.of()),
        world.everyAuthority());
  }

  private void spendInvented() {
    Coin invented =
        new Coin(
            Transfer.serial(world.random().next()),
            1000,
            0,
            Transfer.of(coins, 0, 0, 1, world.random().next()).core());
    send(
        new Request(transfer(List.of(invented), 1), true, world.rules().newest(), List.of()),
        world.everyAuthority());
  }

  /**
   * Sends a new core under a policy whose window has closed, with the partial signatures that
   * Byzantine authorities give to anyone.
   */
  private void sendLate() {
    Transfer transfer = transfer(List.of(coins.get(3)), 1);
    List<SimulatedPartial> certificate =
        new ArrayList<>(world.byzantine().stream().map(b -> b.sign(transfer)).toList());
    if (!certificate.isEmpty() && world.random().chance(0.5)) {
      certificate.addAll(Collections.nCopies(world.rules().f(), certificate.getFirst()));
    }
    send(new Request(transfer, true, 0, certificate), world.everyAuthority());
  }

  private void send(Request request, BitSet targets) {
    GatewayRound.start(
        world,
        request,
        targets,
        result -> {
          if (result.quorum()) {
            world.deliver(request.transfer());
          }
        });
  }

  private Transfer transfer(List<Coin> inputs, int paid) {
    long total = inputs.stream().mapToLong(Coin::amount).sum();
    Transfer transfer =
        Transfer.of(
            inputs,
            -1,
            world.random().below(world.wallets().size()),
            Math.min(paid, total),
            world.random().next());
    world.oracle().knows(transfer, false);
    return transfer;
  }

  private void at(int ticks, Runnable work) {
    world.events().in(ticks, work);
  }
}
