package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.TransferRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers look-ups of serial numbers and cores. Any caller that has the value may look it up, also
 * while the shard accepts no new core.
 */
class LookUpService {

  private final Ownership ownership;
  private final SerialStore serials;
  private final CoreStore cores;

  LookUpService(Ownership ownership, SerialStore serials, CoreStore cores) {
    this.ownership = ownership;
    this.serials = serials;
    this.cores = cores;
  }

  /**
   * The states of serial numbers, in the order of the request. Rejects a serial number of another
   * shard, because an unknown one would read as unspent.
   */
  List<SerialState> serials(List<SerialNumber> wanted) {
    wanted.forEach(ownership::requireOwned);
    Map<SerialNumber, TxCore> holders = serials.holders(wanted);
    Map<SerialNumber, CoreStore.Row> stored = cores.byLeadSerial(holders.keySet());
    ownership.requireStillOwned(wanted);
    return wanted.stream().map(s -> state(s, holders.get(s), stored.get(s))).toList();
  }

  /** The newest answer for a core. One of a former epoch is renewed when the core is submitted. */
  PartialSignature core(TxCore core, SerialNumber leadSerial) {
    ownership.requireOwned(leadSerial);
    Stored<PartialSignature> stored = cores.answers(List.of(core)).get(core);
    ownership.requireStillOwned(List.of(leadSerial));
    if (stored == null) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this core was not signed here");
    }
    return stored.answer();
  }

  private static SerialState state(
      SerialNumber serial, @Nullable TxCore holder, CoreStore.@Nullable Row stored) {
    SerialState.Builder state =
        SerialState.newBuilder()
            .setSerial(ByteString.copyFrom(serial.bytes()))
            .setStatus(SerialState.Status.STATUS_UNSPENT);
    if (holder == null) {
      return state.build();
    }
    state
        .setCore(ByteString.copyFrom(holder.bytes()))
        .setStatus(SerialState.Status.STATUS_RESERVED);
    if (stored != null) {
      addStored(state, stored);
    }
    return state.build();
  }

  private static void addStored(SerialState.Builder state, CoreStore.Row stored) {
    try {
      if (stored.family().isTransfer()) {
        state.setRequest(TransferRequest.parseFrom(stored.request()));
      }
      ByteString reply = stored.reply();
      if (reply != null) {
        state
            .setStatus(SerialState.Status.STATUS_SIGNED)
            .setSigned(PartialSignature.parseFrom(reply));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored message cannot be parsed", e);
    }
  }
}
