package io.solidus.wallet.transfer;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The requests below a recover that is being made, each once. A recover among them names its own by
 * their positions, so the positions are written anew for every list.
 */
public final class BelowList {
  private final Map<TxCore, Integer> positions = new LinkedHashMap<>();
  private final List<Entry> entries = new ArrayList<>();

  /**
   * A request with its core.
   *
   * @param cores those that a recover is over; empty for a transfer
   */
  public record Entry(TxCore core, RequestBelow request, List<TxCore> cores) {
    public Entry {
      cores = List.copyOf(cores);
    }

    boolean recover() {
      return request instanceof RecoverBelow;
    }
  }

  /** The entries of a request's list. */
  static List<Entry> entries(NetworkId network, List<RequestBelow> requests) {
    List<TxCore> cores = ResolvedRecover.cores(network, requests);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      entries.add(new Entry(cores.get(i), requests.get(i), over(requests.get(i), cores)));
    }
    return entries;
  }

  private static List<TxCore> over(RequestBelow request, List<TxCore> cores) {
    return switch (request) {
      case TransferBelow transfer -> List.of();
      case RecoverBelow recover ->
          List.of(cores.get(recover.statement().first()), cores.get(recover.statement().second()));
    };
  }

  /** Adds the requests that are not there yet, in their order. */
  BelowList add(List<Entry> more) {
    for (Entry entry : more) {
      if (positions.putIfAbsent(entry.core(), entries.size()) == null) {
        entries.add(entry);
      }
    }
    return this;
  }

  int position(TxCore core) {
    return Objects.requireNonNull(positions.get(core));
  }

  List<RequestBelow> requests() {
    return entries.stream().map(this::placed).toList();
  }

  private RequestBelow placed(Entry entry) {
    return switch (entry.request()) {
      case TransferBelow transfer -> transfer;
      case RecoverBelow recover -> {
        RecoverStatement old = recover.statement();
        yield new RecoverBelow(
            new RecoverStatement(
                position(entry.cores().getFirst()),
                position(entry.cores().getLast()),
                old.next(),
                old.returned(),
                old.credits(),
                old.outputs(),
                old.context()),
            recover.evidence());
      }
    };
  }
}
