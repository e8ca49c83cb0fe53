package io.solidus.loadtest.byzantine;

import com.google.protobuf.ByteString;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Share;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A correct authority in memory: it verifies, holds each serial number for one core, and signs with
 * its share.
 */
final class HonestAuthority implements AutoCloseable {
  /** The policy that every authority has countersigned. */
  static final Policy POLICY =
      new Policy(
          5,
          ForgedNetwork.RULES.period(),
          ForgedNetwork.RULES.limits().maxPerTransfer(),
          ForgedNetwork.RULES.limits().maxPerPeriod(),
          ForgedNetwork.RULES.limits().maxHeld(),
          ForgedNetwork.RULES.limits().maxEscrow(),
          ForgedNetwork.RULES.limits().maxTransfersPerPeriod(),
          ForgedNetwork.RULES.limits().maxHeld(),
          60);

  final int index;
  final Share share;
  final NoteSigner notes;
  final Ed25519PrivateKey noteKey;
  private final ForgedNetwork network;
  private final Map<SerialNumber, TxCore> held = new HashMap<>();
  private final Map<TxCore, SubmitReply> answered = new HashMap<>();
  private final Map<TxCore, TransferRequest> stored = new HashMap<>();

  HonestAuthority(ForgedNetwork network, int index) {
    this.network = network;
    this.index = index;
    this.share = network.keys.share(index);
    this.notes = network.keys.noteSigner(index);
    this.noteKey = network.keys.noteKey(index);
  }

  SubmitReply submit(TransferRequest request) {
    SubmitReply before = before(request);
    if (before != null) {
      return before;
    }
    return network.valid(request) ? record(request) : refusal(RejectionCode.PROOF_INVALID);
  }

  private synchronized @Nullable SubmitReply before(TransferRequest request) {
    return answered.get(request.statement().core(ForgedNetwork.NETWORK));
  }

  private synchronized SubmitReply record(TransferRequest request) {
    TxCore core = request.statement().core(ForgedNetwork.NETWORK);
    SubmitReply before = answered.get(core);
    if (before != null) {
      return before;
    }
    if (request.statement().serials().stream().anyMatch(held::containsKey)) {
      return refusal(RejectionCode.SERIAL_CONFLICT);
    }
    request.statement().serials().forEach(serial -> held.put(serial, core));
    stored.put(core, request);
    SubmitReply reply = sign(request.statement());
    answered.put(core, reply);
    return reply;
  }

  /** A partial signature, whatever was signed before. */
  SubmitReply sign(TransferStatement statement) {
    Outputs outputs = Outputs.of(ForgedNetwork.NETWORK, statement);
    return Rejections.reply(
        Answer.of(
            PartialSignature.voted(
                index,
                network.committee.epoch(),
                statement.core(ForgedNetwork.NETWORK),
                share.signAll(ForgedNetwork.NETWORK, List.of(outputs)).getFirst().orThrow(),
                noteKey)));
  }

  synchronized LookUpSerialsReply lookUp(LookUpSerialsRequest question) {
    LookUpSerialsReply.Builder reply = LookUpSerialsReply.newBuilder();
    question.getSerialsList().forEach(serial -> reply.addStates(state(serial)));
    return reply.build();
  }

  /** The answer with this authority's signature over what it says, true or not. */
  LookUpSerialsReply signed(LookUpSerialsRequest question, LookUpSerialsReply answer) {
    if (question.getNonce().isEmpty() || answer.getStatesCount() == 0) {
      return answer;
    }
    List<SerialStates.State> said =
        answer.getStatesList().stream().map(HonestAuthority::said).toList();
    SignedStates signed =
        SignedStates.sign(
            notes,
            index,
            ForgedNetwork.NETWORK,
            Digest32.of(question.getNonce().toByteArray()),
            new SerialStates(1, StateFloors.NONE, said));
    return answer.toBuilder().setSigned(Codecs.toWire(signed)).build();
  }

  private static SerialStates.State said(SerialState state) {
    SerialNumber serial = SerialNumber.of(state.getSerial().toByteArray());
    return state.getCore().isEmpty()
        ? SerialStates.State.free(serial)
        : SerialStates.State.held(
            serial,
            TxCore.of(state.getCore().toByteArray()),
            state.hasRequest()
                ? Optional.of(Digest32.sha256(state.getRequest().toByteArray()))
                : Optional.empty());
  }

  private SerialState state(ByteString bytes) {
    SerialNumber serial = SerialNumber.of(bytes.toByteArray());
    SerialState.Builder state = SerialState.newBuilder().setSerial(bytes);
    TxCore core = held.get(serial);
    if (core == null) {
      return state.setStatus(SerialState.Status.STATUS_UNSPENT).build();
    }
    TransferRequest request = stored.get(core);
    state.setStatus(SerialState.Status.STATUS_SIGNED).setCore(ByteString.copyFrom(core.bytes()));
    if (request.statement().leadSerial().equals(serial)) {
      state.setRequest(Codecs.toWire(request)).setSigned(answered.get(core).getSigned());
    }
    return state.build();
  }

  GetStatusReply status() {
    return status(POLICY, ShardMap.equal(index, 1, 2));
  }

  GetStatusReply status(Policy policy, ShardMap map) {
    return GetStatusReply.newBuilder()
        .setAuthority(index)
        .setAccepting(true)
        .setPolicyVersion(policy.version())
        .setPolicyNote(SignedNote.sign(policy.toNoteText(ForgedNetwork.NETWORK), notes).encode())
        .setShardMapNote(map.sign(ForgedNetwork.NETWORK, notes))
        .build();
  }

  static SubmitReply refusal(RejectionCode code) {
    return Rejections.reply(new ProtocolException(code, code.code()));
  }

  /** Whether all serial numbers of a request are held for its core. */
  synchronized boolean holds(TransferRequest request) {
    TxCore core = request.statement().core(ForgedNetwork.NETWORK);
    return List.copyOf(request.statement().serials()).stream()
        .allMatch(serial -> core.equals(held.get(serial)));
  }

  @Override
  public void close() {
    share.close();
    noteKey.close();
  }
}
