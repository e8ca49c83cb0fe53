package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.SerialState;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Signs look-ups of serial numbers with the note key of the authority: one signature for all serial
 * numbers of a look-up.
 */
final class StateSigner {

  private final LookUpService lookUps;
  private final ShardFloors floors;
  private final LongSupplier mapVersion;
  private final NetworkId network;
  private final NoteSigner signer;
  private final int authority;

  /**
   * Makes a signer.
   *
   * @param mapVersion of the newest shard map known here
   */
  StateSigner(
      LookUpService lookUps,
      ShardFloors floors,
      LongSupplier mapVersion,
      NetworkId network,
      NoteSigner signer,
      int authority) {
    this.lookUps = lookUps;
    this.floors = floors;
    this.mapVersion = mapVersion;
    this.network = network;
    this.signer = signer;
    this.authority = authority;
  }

  /**
   * Looks up serial numbers.
   *
   * @param nonce for which the answer is signed; empty for an unsigned one
   * @throws io.solidus.protocol.ProtocolException as {@link LookUpService#serials};
   *     malformed-request for a signed look-up that names a serial number twice
   */
  LookUpSerialsReply answer(List<SerialNumber> wanted, Optional<Digest32> nonce) {
    // before the rows: a core that they do not show is then compared with these floors or higher
    // ones when it is reserved
    StateFloors promised = floors.promised();
    List<SerialState> states = lookUps.serials(wanted);
    LookUpSerialsReply.Builder reply = LookUpSerialsReply.newBuilder().addAllStates(states);
    nonce.ifPresent(drawn -> {
      SerialStates said =
          new SerialStates(
              mapVersion.getAsLong(), promised, states.stream().map(StateSigner::state).toList());
      reply.setSigned(Codecs.toWire(SignedStates.sign(signer, authority, network, drawn, said)));
    });
    return reply.build();
  }

  private static SerialStates.State state(SerialState state) {
    SerialNumber serial = SerialNumber.of(state.getSerial().toByteArray());
    ByteString core = state.getCore();
    return core.isEmpty()
        ? SerialStates.State.free(serial)
        : SerialStates.State.held(serial, TxCore.of(core.toByteArray()), digest(state));
  }

  private static Optional<Digest32> digest(SerialState state) {
    return state.hasRequest()
        ? Optional.of(Digest32.sha256(state.getRequest().toByteArray()))
        : Optional.empty();
  }
}
