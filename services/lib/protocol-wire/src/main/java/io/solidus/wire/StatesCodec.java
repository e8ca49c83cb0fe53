package io.solidus.wire;

import static io.solidus.wire.StrictDecoding.all;
import static io.solidus.wire.StrictDecoding.bytes;
import static io.solidus.wire.StrictDecoding.known;
import static io.solidus.wire.StrictDecoding.present;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.SignedState;
import java.util.Optional;
import java.util.function.Function;

/** Converts signed states of serial numbers. */
final class StatesCodec {
  private StatesCodec() {}

  static io.solidus.wire.v1.SignedStates encode(SignedStates signed) {
    SerialStates states = signed.states();
    io.solidus.wire.v1.SignedStates.Builder out =
        io.solidus.wire.v1.SignedStates.newBuilder()
            .setAuthority(signed.authority())
            .setMapVersion(states.mapVersion())
            .setFloors(encode(states.floors()))
            .setSignature(bytes(signed.signature().bytes()));
    states.states().forEach(state -> out.addStates(encode(state)));
    return out.build();
  }

  static SignedStates decode(io.solidus.wire.v1.SignedStates in) {
    known(in);
    present(in.hasFloors(), "floors");
    return new SignedStates(
        in.getAuthority(),
        new SerialStates(
            in.getMapVersion(),
            decode(in.getFloors()),
            all(in.getStatesList(), SerialStates.MAX_STATES, "states", StatesCodec::decode)),
        new SignedStates.StateSignature(in.getSignature().toByteArray()));
  }

  private static io.solidus.wire.v1.StateFloors encode(StateFloors floors) {
    return io.solidus.wire.v1.StateFloors.newBuilder()
        .setPolicyVersion(floors.policyVersion())
        .setCheckpointVersion(floors.checkpointVersion())
        .setPeriod(floors.period().yyyymm())
        .build();
  }

  private static StateFloors decode(io.solidus.wire.v1.StateFloors in) {
    known(in);
    return new StateFloors(
        in.getPolicyVersion(), in.getCheckpointVersion(), new Period(in.getPeriod()));
  }

  private static SignedState encode(SerialStates.State state) {
    SignedState.Builder out = SignedState.newBuilder().setSerial(bytes(state.serial().bytes()));
    state.core().ifPresent(core -> out.setCore(bytes(core.bytes())));
    state.request().ifPresent(digest -> out.setRequest(bytes(digest.bytes())));
    return out.build();
  }

  private static SerialStates.State decode(SignedState in) {
    known(in);
    return new SerialStates.State(
        SerialNumber.of(in.getSerial().toByteArray()),
        optional(in.getCore(), TxCore::of),
        optional(in.getRequest(), Digest32::of));
  }

  private static <T> Optional<T> optional(ByteString value, Function<byte[], T> read) {
    return value.isEmpty() ? Optional.empty() : Optional.of(read.apply(value.toByteArray()));
  }
}
