package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An authority that does what it likes with its own share. */
final class Byzantine implements Peer {

  private enum Conduct {
    SIGN_ANYTHING,
    WITHHOLD,
    SIGN_ANOTHER,
    REPLAY,
    LIE_ABOUT_CONFLICT,
    LIE_ABOUT_POLICY
  }

  private final World world;
  private final int index;
  private final Partial.Share share;
  private final boolean alwaysSigns;
  private @Nullable Partial last;

  Byzantine(World world, int index, boolean alwaysSigns) {
    this.world = world;
    this.index = index;
    this.share = new Partial.Share(index);
    this.alwaysSigns = alwaysSigns;
  }

  @Override
  public void submit(Request request, int shard, Consumer<Outcome<Partial>> reply) {
    Conduct conduct =
        alwaysSigns ? Conduct.SIGN_ANYTHING : world.dice().pick(List.of(Conduct.values()));
    switch (conduct) {
      case SIGN_ANYTHING -> reply.accept(Outcome.done(sign(request.transfer())));
      case WITHHOLD -> {}
      case SIGN_ANOTHER -> reply.accept(Outcome.done(sign(another(request.transfer()))));
      case REPLAY ->
          reply.accept(Outcome.done(last == null ? sign(another(request.transfer())) : last));
      case LIE_ABOUT_CONFLICT -> reply.accept(Outcome.failed(lie(RejectionCode.SERIAL_CONFLICT)));
      case LIE_ABOUT_POLICY -> reply.accept(Outcome.failed(lie(RejectionCode.STALE_POLICY)));
    }
  }

  Partial sign(Transfer transfer) {
    Partial partial = share.sign(transfer);
    last = partial;
    world.oracle().byzantineSigned(index, transfer);
    return partial;
  }

  private Transfer another(Transfer transfer) {
    return Transfer.of(transfer.inputs(), 0, 0, 0, world.dice().next());
  }

  private static ProtocolException lie(RejectionCode code) {
    return new ProtocolException(code, "a lie");
  }
}
