package io.solidus.dev.testkit.world;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.CoreOpening;
import java.util.List;

/**
 * A core with what its owner knows about it, so that a recover may be made over it.
 *
 * @param request without positions of other requests: {@link #position} sets them
 * @param over the two cores of a recover; empty for a transfer
 * @param opening without credits
 * @param history of the compliance coin that the core creates
 */
public record KnownCore(
    TxCore core,
    RequestBelow request,
    List<KnownCore> over,
    CoreOpening opening,
    FieldElement history) {

  public KnownCore {
    over = List.copyOf(over);
  }

  static KnownCore of(
      TxCore core, TransferRequest request, CoreOpening opening, FieldElement history) {
    return new KnownCore(
        core,
        new TransferBelow(request.statement(), request.evidence()),
        List.of(),
        opening,
        history);
  }

  static KnownCore of(
      TxCore core,
      RecoverRequest request,
      List<KnownCore> over,
      CoreOpening opening,
      FieldElement history) {
    return new KnownCore(
        core, new RecoverBelow(request.statement(), request.evidence()), over, opening, history);
  }

  /** The same core with other evidence. */
  public KnownCore with(RequestBelow other) {
    return new KnownCore(core, other, over, opening, history);
  }

  /**
   * The position of this core in a list of requests. It is added at the end when it is not there,
   * after the cores that it is over.
   *
   * @param cores of the requests, which grow together
   */
  int position(List<RequestBelow> requests, List<TxCore> cores) {
    int known = cores.indexOf(core);
    if (known >= 0) {
      return known;
    }
    RequestBelow placed = request;
    if (request instanceof RecoverBelow recover) {
      int first = over.getFirst().position(requests, cores);
      int second = over.getLast().position(requests, cores);
      RecoverStatement s = recover.statement();
      placed =
          new RecoverBelow(
              new RecoverStatement(
                  first, second, s.next(), s.returned(), s.credits(), s.outputs(), s.context()),
              recover.evidence());
    }
    requests.add(placed);
    cores.add(core);
    return requests.size() - 1;
  }
}
