package io.solidus.protocol;

import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What follows from a recover and the requests below it (protocol, page 9). The native library
 * computes the same, and compares the core.
 *
 * @param serials those it names, the lead first, the others in ascending order
 * @param below the cores below it
 * @param chain whether X2 spends the successor of a core in {X1} and below(X1)
 * @param covered whether every transfer in {X2} and below(X2) is in {X1} or below(X1)
 */
public record ResolvedRecover(
    TxCore core,
    InputDigest d,
    List<SerialNumber> serials,
    Set<TxCore> below,
    boolean chain,
    boolean covered,
    List<BlindedCoin> outputs) {
  /** The largest number of cores below a recover. */
  public static final int MAX_BELOW = 16;

  /**
   * The largest number of serial numbers that a recover names. Sixteen cores that claim two coins
   * each need 65 of them; half of a claim of 16 has eight.
   */
  public static final int MAX_SERIALS = 129;

  public ResolvedRecover {
    serials = List.copyOf(serials);
    below = Set.copyOf(below);
    outputs = List.copyOf(outputs);
  }

  /** The outputs, as a committee signs them. A recover has no period. */
  public Outputs signed() {
    return new Outputs(d, Period.NONE, outputs);
  }

  /**
   * Resolves a recover over requests. Every one of them is named by a later one, or by the recover.
   *
   * @throws ProtocolException malformed-request or serials-not-distinct, naming the broken rule
   */
  public static ResolvedRecover of(
      NetworkId network, List<RequestBelow> requests, RecoverStatement statement) {
    Set<Integer> named = new HashSet<>();
    List<Node> nodes = nodes(network, requests, named);
    Work work = new Work(nodes, named, statement);
    Node node = work.node(network);
    if (named.size() != requests.size()) {
      throw ProtocolException.malformed("a request that nothing names");
    }
    Set<TxCore> cores = new HashSet<>();
    node.below().forEach(b -> cores.add(b.core()));
    return new ResolvedRecover(
        node.core(),
        work.d(network),
        work.serials,
        cores,
        work.chain,
        work.covered,
        statement.outputs());
  }

  /**
   * The cores of requests of which a recover names its own by their positions.
   *
   * @throws ProtocolException malformed-request or serials-not-distinct, naming the broken rule
   */
  public static List<TxCore> cores(NetworkId network, List<RequestBelow> requests) {
    return nodes(network, requests, new HashSet<>()).stream().map(Node::core).toList();
  }

  private static List<Node> nodes(
      NetworkId network, List<RequestBelow> requests, Set<Integer> named) {
    List<Node> nodes = new ArrayList<>();
    for (RequestBelow request : requests) {
      nodes.add(
          switch (request) {
            case TransferBelow transfer -> leaf(network, transfer.statement());
            case RecoverBelow recover -> new Work(nodes, named, recover.statement()).node(network);
          });
    }
    return nodes;
  }

  /** A core below a recover. */
  private record Below(TxCore core, boolean recover, SerialNumber next, FieldElement returned) {}

  /**
   * A request with what follows from it.
   *
   * @param coins that a transfer claims, in halves: one coin each, or eight of a claim of 16
   * @param credited by a recover
   * @param creditedIn by it or by one below
   */
  private record Node(
      TxCore core,
      boolean recover,
      SerialNumber lead,
      List<List<SerialNumber>> coins,
      List<Below> below,
      Set<SerialNumber> credited,
      Set<SerialNumber> creditedIn) {

    /** Whether a core is this one or below it. */
    boolean covers(TxCore other) {
      return core.equals(other) || below.stream().anyMatch(b -> b.core().equals(other));
    }
  }

  private static Node leaf(NetworkId network, TransferStatement transfer) {
    List<SerialNumber> serials = transfer.serials();
    int half = serials.size() / 2; // of the inputs behind the lead, the larger part
    return new Node(
        transfer.core(network),
        false,
        transfer.leadSerial(),
        List.of(serials.subList(1, 1 + half), serials.subList(1 + half, serials.size())),
        List.of(),
        Set.of(),
        Set.of());
  }

  /** The rules applied to one recover. */
  private static final class Work {
    private final RecoverStatement statement;
    private final List<Node> cores;
    private final List<Below> below = new ArrayList<>();
    private final Set<SerialNumber> credited = new HashSet<>();
    private final Set<SerialNumber> creditedIn = new HashSet<>();
    private final List<SerialNumber> serials = new ArrayList<>();
    private final boolean alone;
    private boolean chain;
    private boolean covered = true;

    Work(List<Node> nodes, Set<Integer> named, RecoverStatement statement) {
      this.statement = statement;
      this.alone = statement.first() == statement.second();
      if (statement.first() >= nodes.size() || statement.second() >= nodes.size()) {
        throw ProtocolException.malformed("no request at this position");
      }
      named.add(statement.first());
      named.add(statement.second());
      this.cores = List.of(nodes.get(statement.first()), nodes.get(statement.second()));
      if (!alone && cores.getFirst().core().equals(cores.getLast().core())) {
        throw ProtocolException.malformed("one request given twice");
      }
      gather();
      relate();
      credit();
      name();
    }

    Node node(NetworkId network) {
      return new Node(
          TxCore.recover(network, body(), statement.outputs()),
          true,
          lead(),
          List.of(),
          List.copyOf(below),
          Set.copyOf(credited),
          Set.copyOf(creditedIn));
    }

    InputDigest d(NetworkId network) {
      return InputDigest.recover(network, body());
    }

    private SerialNumber lead() {
      return cores.getFirst().lead();
    }

    /** Puts together what is below. */
    private void gather() {
      for (int j = 0; j < cores.size(); j++) {
        Node core = cores.get(j);
        SerialNumber next = statement.next().get(j);
        FieldElement returned = statement.returned().get(j);
        if (next.value().isZero() || core.recover() == returned.isZero()) {
          throw ProtocolException.malformed(
              "a core has a successor, and a recover returns a coin, a transfer none");
        }
        add(new Below(core.core(), core.recover(), next, returned));
        core.below().forEach(this::add);
      }
    }

    private void add(Below one) {
      for (Below other : below) {
        if (other.equals(one)) {
          return;
        }
        if (other.core().equals(one.core())) {
          throw ProtocolException.malformed("one core with two successors");
        }
        if (other.next().equals(one.next())) {
          throw new ProtocolException(
              RejectionCode.SERIALS_NOT_DISTINCT, "two cores have one successor");
        }
      }
      if (below.size() == MAX_BELOW) {
        throw ProtocolException.malformed("more than " + MAX_BELOW + " cores below a recover");
      }
      below.add(one);
    }

    /** Sets chain and covered. */
    private void relate() {
      Node first = cores.getFirst();
      SerialNumber lead = cores.getLast().lead();
      for (Below b : below) {
        boolean inFirst = first.covers(b.core());
        chain |= inFirst && b.next().equals(lead);
        covered &= inFirst || b.recover();
      }
      if (lead.equals(lead())) {
        chain = false;
      } else if (!chain) {
        throw ProtocolException.malformed(
            "the second core spends neither the lead nor a successor");
      }
    }

    /** Applies the rules about credited coins. */
    private void credit() {
      credited.addAll(cores.getFirst().credited());
      for (int j = 0; j < cores.size(); j++) {
        Node core = cores.get(j);
        for (int i = 0; i < 2; i++) {
          if (!statement.credits(j, i)) {
            continue;
          }
          if (core.recover()
              || (j == 1 && alone)
              || core.coins().get(i).stream().anyMatch(credited::contains)) {
            throw ProtocolException.malformed("a coin is credited twice, or none is there");
          }
          credited.addAll(core.coins().get(i));
        }
      }
      creditedIn.addAll(credited);
      cores.forEach(core -> creditedIn.addAll(core.creditedIn()));
      for (Below b : below) {
        if (b.recover() && creditedIn.contains(new SerialNumber(b.returned()))) {
          throw ProtocolException.malformed("a returned coin is credited");
        }
      }
    }

    /** Puts the serial numbers together. */
    private void name() {
      Set<SerialNumber> others = new TreeSet<>(credited);
      for (Below b : below) {
        others.add(b.next());
        if (b.recover()) {
          others.add(new SerialNumber(b.returned()));
        }
      }
      others.remove(lead());
      serials.add(lead());
      serials.addAll(others);
      if (serials.size() > MAX_SERIALS) {
        throw ProtocolException.malformed(
            "more than " + MAX_SERIALS + " serial numbers of a recover");
      }
    }

    private byte[] body() {
      Transcript body = new Transcript("").u8(serials.size());
      serials.forEach(serial -> body.bytes(serial.bytes()));
      cores.forEach(core -> body.bytes(core.core().bytes()));
      return body.u8(statement.credits()).bytes(statement.context().bytes()).toBytes();
    }
  }
}
