package io.solidus.edge.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.CountersignTokenKeysReply;
import io.solidus.wire.v1.CountersignTokenKeysRequest;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An authority behind a real gRPC port. It signs with its real share and misbehaves as its {@link
 * AuthorityBehaviour} says.
 */
final class FakeAuthority implements AutoCloseable {
  static final StateFloors FLOORS = new StateFloors(3, 4, new Period(202611));

  private final int index;
  private final FakeSignatures signatures;
  private final Map<SerialNumber, SerialState> serials = new ConcurrentHashMap<>();
  private final int port;
  private @Nullable Server server;

  final List<TransferRequest> transfers = new CopyOnWriteArrayList<>();

  /** The doubtful flag of each transfer. */
  final List<Boolean> doubtful = new CopyOnWriteArrayList<>();

  final List<RecoverRequest> recovers = new CopyOnWriteArrayList<>();

  /** When set, the refusal of every recover. */
  volatile @Nullable Rejection recoverRefusal;

  final List<RegisterRequest> registrations = new CopyOnWriteArrayList<>();
  final List<ByteString> lookUps = new CopyOnWriteArrayList<>();
  final List<String> traces = new CopyOnWriteArrayList<>();
  volatile AuthorityBehaviour behaviour = AuthorityBehaviour.HONEST;

  /** When set, the authority refuses with this code... */
  volatile @Nullable RejectionCode refusal;

  /** ...unless this is set and the request has a certificate of f+1 partial signatures. */
  volatile boolean acceptsCertificate;

  /** When set, the authority refuses the proof of this request. */
  volatile @Nullable TransferRequest refusedRequest;

  volatile int shareEpoch;
  volatile GetStatusReply status;

  /** Serial numbers that the authority's shards do not own... */
  volatile Predicate<SerialNumber> notOwned = serial -> false;

  /** ...and the map that it returns for them. */
  volatile String movedNote = "";

  /** Changes what the authority signs about serial numbers. */
  volatile UnaryOperator<SignedStates> signedStates = UnaryOperator.identity();

  /** Changes the note of token keys that the authority countersigned. */
  volatile UnaryOperator<String> countersigned = UnaryOperator.identity();

  private final List<StreamObserver<?>> withheld = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch released = new CountDownLatch(1);

  FakeAuthority(int index) {
    this.index = index;
    this.status = firstStatus();
    this.signatures = new FakeSignatures(TestCommittee.regulated(), index);
    start(0);
    this.port = running().getPort();
  }

  /** The status of a shard of an authority with two shards. */
  private GetStatusReply firstStatus() {
    return GetStatusReply.newBuilder().setShardMapNote(signed(ShardMap.equal(index, 1, 2))).build();
  }

  /** The map as a note with this authority's signature. */
  String signed(ShardMap map) {
    return map.sign(TestCommittee.NETWORK, TestCommittee.regulated().countersigner(index));
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Makes the authority honest and reachable, without stored requests and open calls. */
  void reset() {
    behaviour = AuthorityBehaviour.HONEST;
    refusal = null;
    acceptsCertificate = false;
    refusedRequest = null;
    shareEpoch = 0;
    status = firstStatus();
    notOwned = serial -> false;
    movedNote = "";
    signedStates = UnaryOperator.identity();
    failWithheld();
    release();
    transfers.clear();
    recovers.clear();
    recoverRefusal = null;
    doubtful.clear();
    registrations.clear();
    lookUps.clear();
    serials.clear();
    up();
  }

  /** Whether a call waits for an answer. */
  boolean isWithholding() {
    return !withheld.isEmpty();
  }

  /** Ends the calls that the authority withheld with an error. */
  void failWithheld() {
    List<StreamObserver<?>> calls = List.copyOf(withheld);
    withheld.removeAll(calls);
    calls.forEach(call -> call.onError(Status.UNAVAILABLE.asRuntimeException()));
  }

  /** Lets the calls continue that the authority holds. */
  void release() {
    released.countDown();
    released = new CountDownLatch(1);
  }

  /** The requests received for this transfer, without and with a certificate. */
  List<TransferRequest> received(TransferRequest request) {
    return transfers.stream().filter(sent -> sent.statement().equals(request.statement())).toList();
  }

  /** Stops the server. */
  synchronized void down() {
    Server now = server;
    if (now != null) {
      now.shutdownNow();
      try {
        now.awaitTermination();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      server = null;
    }
  }

  synchronized void up() {
    if (server == null) {
      start(port);
    }
  }

  /** Sets the answer for a serial number. */
  void answers(SerialNumber serial, SerialState state) {
    serials.put(serial, state);
  }

  @Override
  public void close() {
    down();
    release();
    signatures.close();
  }

  private synchronized void start(int at) {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), at))
              .executor(Executors.newVirtualThreadPerTaskExecutor())
              .intercept(new TraceRecorder())
              .addService(new Validator())
              .addService(new Issuer())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized Server running() {
    if (server == null) {
      throw new IllegalStateException("not running");
    }
    return server;
  }

  private void answer(
      StreamObserver<SubmitReply> out, TxCore core, Outputs outputs, boolean certified) {
    RejectionCode code = refusal;
    if (code != null && !(acceptsCertificate && certified)) {
      send(out, Rejections.reply(new ProtocolException(code, "as set by the test")));
      return;
    }
    switch (behaviour) {
      case WITHHOLDS -> withheld.add(out);
      case FAILS -> out.onError(Status.INTERNAL.asRuntimeException());
      case HELD -> {
        awaitRelease();
        send(out, signatures.reply(AuthorityBehaviour.HONEST, core, outputs, shareEpoch));
      }
      default -> send(out, signatures.reply(behaviour, core, outputs, shareEpoch));
    }
  }

  private static void send(StreamObserver<SubmitReply> out, SubmitReply reply) {
    out.onNext(reply);
    out.onCompleted();
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class TraceRecorder implements ServerInterceptor {
    private static final Metadata.Key<String> PARENT =
        Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      traces.add(String.valueOf(headers.get(PARENT)));
      return next.startCall(call, headers);
    }
  }

  private final class Validator extends ValidatorServiceGrpc.ValidatorServiceImplBase {
    @Override
    public void submitTransfer(
        io.solidus.wire.v1.TransferRequest message, StreamObserver<SubmitReply> out) {
      TransferRequest request = Codecs.toDomain(message);
      transfers.add(request);
      doubtful.add(message.getDoubtful());
      if (notOwned.test(request.statement().leadSerial())) {
        send(out, moved());
        return;
      }
      if (request.equals(refusedRequest)) {
        send(
            out,
            Rejections.reply(
                new ProtocolException(RejectionCode.PROOF_INVALID, "as set by the test")));
        return;
      }
      if (behaviour == AuthorityBehaviour.HONEST && refusal == null) {
        store(request);
      }
      answer(
          out,
          request.statement().core(TestCommittee.NETWORK),
          Outputs.of(TestCommittee.NETWORK, request.statement()),
          request.certificate().size() >= TestCommittee.regulated().committee().weakQuorum());
    }

    private boolean withholdsOrFails(StreamObserver<?> out) {
      switch (behaviour) {
        case WITHHOLDS -> withheld.add(out);
        case FAILS -> out.onError(Status.INTERNAL.asRuntimeException());
        default -> {
          return false;
        }
      }
      return true;
    }

    private SubmitReply moved() {
      SubmitReply.Builder reply =
          Rejections.reply(new ProtocolException(RejectionCode.SHARD_MOVED, "as set by the test"))
              .toBuilder();
      reply.getRejectedBuilder().setShardMapNote(movedNote);
      return reply.build();
    }

    private void store(TransferRequest request) {
      for (SerialNumber serial : request.statement().serials()) {
        SerialState.Builder state =
            SerialState.newBuilder()
                .setSerial(ByteString.copyFrom(serial.bytes()))
                .setStatus(SerialState.Status.STATUS_SIGNED)
                .setCore(
                    ByteString.copyFrom(request.statement().core(TestCommittee.NETWORK).bytes()));
        if (serial.equals(request.statement().leadSerial())) {
          state.setRequest(Codecs.toWire(request));
        }
        serials.put(serial, state.build());
      }
    }

    @Override
    public void submitRecover(
        io.solidus.wire.v1.RecoverRequest message, StreamObserver<SubmitReply> out) {
      RecoverRequest request = Codecs.toDomain(message);
      recovers.add(request);
      Rejection refused = recoverRefusal;
      if (refused != null) {
        send(out, SubmitReply.newBuilder().setRejected(refused).build());
        return;
      }
      ResolvedRecover resolved = request.resolve(TestCommittee.NETWORK);
      answer(out, resolved.core(), resolved.signed(), false);
    }

    @Override
    public void submitMint(
        io.solidus.wire.v1.MintRequest message, StreamObserver<SubmitReply> out) {
      MintRequest request = Codecs.toDomain(message);
      if (notOwned.test(request.statement().serial(TestCommittee.NETWORK))) {
        send(out, moved());
        return;
      }
      answer(
          out,
          request.statement().core(TestCommittee.NETWORK),
          Outputs.of(TestCommittee.NETWORK, request.statement()),
          false);
    }

    @Override
    public void lookUpSerials(
        LookUpSerialsRequest request, StreamObserver<LookUpSerialsReply> out) {
      if (withholdsOrFails(out)) {
        return;
      }
      if (request.getSerialsList().stream()
          .anyMatch(serial -> notOwned.test(SerialNumber.of(serial.toByteArray())))) {
        out.onError(
            Status.FAILED_PRECONDITION
                .withDescription(RejectionCode.SHARD_MOVED.code())
                .asRuntimeException());
        return;
      }
      lookUps.addAll(request.getSerialsList());
      LookUpSerialsReply.Builder reply = LookUpSerialsReply.newBuilder();
      for (ByteString serial : request.getSerialsList()) {
        SerialState unspent =
            SerialState.newBuilder()
                .setSerial(serial)
                .setStatus(SerialState.Status.STATUS_UNSPENT)
                .build();
        reply.addStates(serials.getOrDefault(SerialNumber.of(serial.toByteArray()), unspent));
      }
      if (!request.getNonce().isEmpty()) {
        reply.setSigned(Codecs.toWire(signedStates.apply(signed(request, reply))));
      }
      out.onNext(reply.build());
      out.onCompleted();
    }

    private SignedStates signed(LookUpSerialsRequest request, LookUpSerialsReply.Builder reply) {
      return SignedStates.sign(
          TestCommittee.regulated().countersigner(index),
          index,
          TestCommittee.NETWORK,
          Digest32.of(request.getNonce().toByteArray()),
          new SerialStates(
              1, FLOORS, reply.getStatesList().stream().map(Validator::said).toList()));
    }

    private static SerialStates.State said(SerialState state) {
      SerialNumber serial = SerialNumber.of(state.getSerial().toByteArray());
      return state.getCore().size() == Digest32.BYTES
          ? SerialStates.State.held(
              serial, TxCore.of(state.getCore().toByteArray()), Optional.empty())
          : SerialStates.State.free(serial);
    }

    @Override
    public void countersignTokenKeys(
        CountersignTokenKeysRequest request, StreamObserver<CountersignTokenKeysReply> out) {
      if (withholdsOrFails(out)) {
        return;
      }
      String text = SignedNote.parse(request.getNote()).text();
      NoteSigner signer = TestCommittee.regulated().countersigner(index);
      out.onNext(
          CountersignTokenKeysReply.newBuilder()
              .setNote(countersigned.apply(SignedNote.sign(text, signer).encode()))
              .build());
      out.onCompleted();
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> out) {
      if (withholdsOrFails(out)) {
        return;
      }
      out.onNext(status.toBuilder().setAuthority(index).build());
      out.onCompleted();
    }
  }

  private final class Issuer extends ComplianceIssuerServiceGrpc.ComplianceIssuerServiceImplBase {
    @Override
    public void issue(IssueRequest message, StreamObserver<SubmitReply> out) {
      RegisterRequest request = Codecs.toDomain(message.getRequest());
      registrations.add(request);
      answer(
          out,
          request.statement().core(TestCommittee.NETWORK),
          Outputs.of(TestCommittee.NETWORK, request.statement()),
          false);
    }
  }
}
