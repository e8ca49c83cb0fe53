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
    SIGN_TWICE,
    SIGN_THEN_REFUSE,
    LIE_ABOUT_CONFLICT,
    LIE_ABOUT_POLICY
  }

  private final World world;
  private final int index;
  private final boolean alwaysSigns;
  private @Nullable SimulatedPartial last;

  Byzantine(World world, int index, boolean alwaysSigns) {
    this.world = world;
    this.index = index;
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
      case SIGN_TWICE -> {
        reply.accept(Outcome.done(sign(request.transfer())));
        reply.accept(
            Outcome.done(
                world.extra().chance(0.5)
                    ? sign(another(request.transfer()))
                    : sign(request.transfer())));
      }
      case SIGN_THEN_REFUSE -> {
        reply.accept(Outcome.done(sign(request.transfer())));
        reply.accept(Outcome.failed(lie(RejectionCode.SERIAL_CONFLICT)));
      }
      case LIE_ABOUT_CONFLICT -> reply.accept(Outcome.failed(lie(RejectionCode.SERIAL_CONFLICT)));
      case LIE_ABOUT_POLICY -> reply.accept(Outcome.failed(lie(RejectionCode.STALE_POLICY)));
    }
  }

  SimulatedPartial sign(Transfer transfer) {
    // it keeps its former shares
    int epoch = world.extra().between(0, world.epoch());
    SimulatedPartial partial = new SimulatedPartial.Share(index, epoch).sign(transfer);
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
