package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A Byzantine authority: it signs, withholds, replays and lies at random. */
final class Byzantine implements AuthorityEndpoint {

  private enum Behaviour {
    SIGN_ANYTHING,
    WITHHOLD,
    SIGN_ANOTHER,
    REPLAY,
    LIE_ABOUT_CONFLICT,
    LIE_ABOUT_POLICY
  }

  private final World world;
  private final int index;
  private final SimulatedPartial.Share share;
  private final boolean alwaysSigns;
  private @Nullable SimulatedPartial last;

  Byzantine(World world, int index, boolean alwaysSigns) {
    this.world = world;
    this.index = index;
    this.share = new SimulatedPartial.Share(index);
    this.alwaysSigns = alwaysSigns;
  }

  @Override
  public void submit(Request request, int shard, Consumer<Outcome<SimulatedPartial>> reply) {
    Behaviour behaviour =
        alwaysSigns ? Behaviour.SIGN_ANYTHING : world.random().pick(List.of(Behaviour.values()));
    switch (behaviour) {
      case SIGN_ANYTHING -> reply.accept(Outcome.done(sign(request.transfer())));
      case WITHHOLD -> {}
      case SIGN_ANOTHER -> reply.accept(Outcome.done(sign(another(request.transfer()))));
      case REPLAY ->
          reply.accept(Outcome.done(last == null ? sign(another(request.transfer())) : last));
      case LIE_ABOUT_CONFLICT -> reply.accept(Outcome.failed(lie(RejectionCode.SERIAL_CONFLICT)));
      case LIE_ABOUT_POLICY -> reply.accept(Outcome.failed(lie(RejectionCode.STALE_POLICY)));
    }
  }

  SimulatedPartial sign(Transfer transfer) {
    SimulatedPartial partial = share.sign(transfer);
    last = partial;
    world.oracle().byzantineSigned(index, transfer);
    return partial;
  }

  private Transfer another(Transfer transfer) {
    return Transfer.of(transfer.inputs(), 0, 0, 0, world.random().next());
  }

  private static ProtocolException lie(RejectionCode code) {
    return new ProtocolException(code, "a lie");
  }
}
