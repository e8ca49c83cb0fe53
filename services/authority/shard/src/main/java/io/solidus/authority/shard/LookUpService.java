package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.spend.SpendStore.Stored;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.StoredRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers look-ups of serial numbers and cores. Any caller that has the value may look it up, also
 * while the shard accepts no new core.
 */
class LookUpService {

  /** The most recovers of one serial number besides the holder. */
  private static final int MAX_OTHERS = RecoverStore.MAX_SHOWN - 1;

  private final Ownership ownership;
  private final SerialStore serials;
  private final CoreStore cores;
  private final RecoverStore recovers;
  private final HolderRequests holderRequests;

  LookUpService(
      Ownership ownership,
      SerialStore serials,
      CoreStore cores,
      RecoverStore recovers,
      HolderRequests holderRequests) {
    this.ownership = ownership;
    this.serials = serials;
    this.cores = cores;
    this.recovers = recovers;
    this.holderRequests = holderRequests;
  }

  /**
   * The states of serial numbers, in the order of the request. Rejects a serial number of another
   * shard, because an unknown one would read as unspent.
   */
  List<SerialState> serials(List<SerialNumber> wanted) {
    wanted.forEach(ownership::requireOwned);
    Map<SerialNumber, TxCore> holders = serials.holders(wanted);
    Map<SerialNumber, CoreStore.Row> stored = cores.byLeadSerial(holders.keySet());
    Map<SerialNumber, List<CoreStore.Row>> recovered = recovers.byLeadSerial(holders.keySet());
    ownership.requireStillOwned(wanted);
    return wanted.stream()
        .map(s -> state(s, holders.get(s), stored.get(s), recovered.getOrDefault(s, List.of())))
        .toList();
  }

  /** The core that holds a serial number, with its request where this authority has it. */
  StoredRequest holder(TxCore core) {
    return holderRequests.of(core);
  }

  /** The newest answer for a core. One of a former epoch is renewed when the core is submitted. */
  PartialSignature core(TxCore core, SerialNumber leadSerial) {
    ownership.requireOwned(leadSerial);
    Stored<PartialSignature> stored = cores.answers(List.of(core)).get(core);
    if (stored == null) {
      stored = recovers.answers(List.of(core)).get(core);
    }
    ownership.requireStillOwned(List.of(leadSerial));
    if (stored == null) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this core was not signed here");
    }
    return stored.answer();
  }

  private static SerialState state(
      SerialNumber serial,
      @Nullable TxCore holder,
      CoreStore.@Nullable Row stored,
      List<CoreStore.Row> recovers) {
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
      addHolder(state, HolderRequests.message(stored));
    }
    for (CoreStore.Row recover : recovers) {
      StoredRequest message = HolderRequests.message(recover);
      if (recover.core().equals(holder)) {
        addHolder(state, message);
      } else if (state.getOthersCount() < MAX_OTHERS) {
        state.addOthers(message);
      }
    }
    return state.build();
  }

  private static void addHolder(SerialState.Builder state, StoredRequest stored) {
    switch (stored.getRequestCase()) {
      case TRANSFER -> state.setRequest(stored.getTransfer());
      case RECOVER -> state.setRecover(stored.getRecover());
      case REQUEST_NOT_SET -> {}
    }
    if (stored.hasSigned()) {
      state.setStatus(SerialState.Status.STATUS_SIGNED).setSigned(stored.getSigned());
    }
  }
}
