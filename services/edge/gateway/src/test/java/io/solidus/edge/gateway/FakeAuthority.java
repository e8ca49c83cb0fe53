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
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An authority that signs with its real share behind a real gRPC port, and misbehaves as told. */
final class FakeAuthority implements AutoCloseable {
  static final long SLOW_MILLIS = 1200;

  private final int index;
  private final Signatures signatures;
  private final Map<SerialNumber, SerialState> serials = new ConcurrentHashMap<>();
  private final int port;
  private @Nullable Server server;

  final List<TransferRequest> transfers = new CopyOnWriteArrayList<>();

  /** The hint that came with each transfer. */
  final List<Boolean> doubtful = new CopyOnWriteArrayList<>();

  final List<ByteString> lookUps = new CopyOnWriteArrayList<>();
  final List<String> traces = new CopyOnWriteArrayList<>();
  volatile Behaviour behaviour = Behaviour.HONEST;

  /** When set, refuses with this code... */
  volatile @Nullable RejectionCode refusal;

  /** ...unless the request brings f+1 partial signatures. */
  volatile boolean finishes;

  /** When set, this request's proof is called invalid. */
  volatile @Nullable TransferRequest refuses;

  volatile int shareEpoch;
  volatile GetStatusReply status;

  /** What it says it no longer owns... */
  volatile Predicate<SerialNumber> gaveAway = serial -> false;

  /** ...and the map it sends along. */
  volatile String movedNote = "";

  FakeAuthority(int index) {
    this.index = index;
    this.status = firstStatus();
    this.signatures = new Signatures(TestCommittee.regulated(), index);
    start(0);
    this.port = running().getPort();
  }

  /** As a shard of an authority with two of them answers. */
  private GetStatusReply firstStatus() {
    return GetStatusReply.newBuilder().setShardMapNote(signed(ShardMap.equal(index, 1, 2))).build();
  }

  /** A map as this authority signs it. */
  String signed(ShardMap map) {
    return map.sign(TestCommittee.NETWORK, TestCommittee.regulated().countersigner(index));
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Back to an honest authority that knows nothing. */
  void reset() {
    behaviour = Behaviour.HONEST;
    refusal = null;
    finishes = false;
    refuses = null;
    shareEpoch = 0;
    status = firstStatus();
    gaveAway = serial -> false;
    movedNote = "";
    transfers.clear();
    lookUps.clear();
    serials.clear();
    up();
  }

  /** Takes the authority off the network. */
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

  /** What it will say of a serial number. */
  void says(SerialNumber serial, SerialState state) {
    serials.put(serial, state);
  }

  @Override
  public void close() {
    down();
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
      StreamObserver<SubmitReply> out, List<BlindedCoin> coins, InputDigest d, boolean certified) {
    RejectionCode code = refusal;
    if (code != null && !(finishes && certified)) {
      send(out, Rejections.reply(new ProtocolException(code, "as told")));
      return;
    }
    switch (behaviour) {
      case WITHHOLDS -> {
        return;
      }
      case FAILS -> out.onError(Status.INTERNAL.asRuntimeException());
      case SLOW -> {
        sleep();
        send(out, signatures.reply(Behaviour.HONEST, coins, d, shareEpoch));
      }
      default -> send(out, signatures.reply(behaviour, coins, d, shareEpoch));
    }
  }

  private static void send(StreamObserver<SubmitReply> out, SubmitReply reply) {
    out.onNext(reply);
    out.onCompleted();
  }

  private static void sleep() {
    try {
      Thread.sleep(SLOW_MILLIS);
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
      if (gaveAway.test(request.statement().leadSerial())) {
        send(out, moved());
        return;
      }
      if (request.equals(refuses)) {
        send(out, Rejections.reply(new ProtocolException(RejectionCode.PROOF_INVALID, "as told")));
        return;
      }
      if (behaviour == Behaviour.HONEST && refusal == null) {
        remember(request);
      }
      answer(
          out,
          request.statement().outputs(),
          request.statement().inputDigest(TestCommittee.NETWORK),
          request.certificate().size() >= TestCommittee.regulated().committee().weakQuorum());
    }

    private SubmitReply moved() {
      SubmitReply.Builder reply =
          Rejections.reply(new ProtocolException(RejectionCode.SHARD_MOVED, "as told")).toBuilder();
      reply.getRejectedBuilder().setShardMapNote(movedNote);
      return reply.build();
    }

    private void remember(TransferRequest request) {
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
    public void submitMint(
        io.solidus.wire.v1.MintRequest message, StreamObserver<SubmitReply> out) {
      MintRequest request = Codecs.toDomain(message);
      if (gaveAway.test(request.statement().serial(TestCommittee.NETWORK))) {
        send(out, moved());
        return;
      }
      answer(
          out,
          List.of(request.statement().coin()),
          request.statement().inputDigest(TestCommittee.NETWORK),
          false);
    }

    @Override
    public void lookUpSerials(
        LookUpSerialsRequest request, StreamObserver<LookUpSerialsReply> out) {
      if (behaviour == Behaviour.WITHHOLDS) {
        return;
      }
      if (request.getSerialsList().stream()
          .anyMatch(serial -> gaveAway.test(SerialNumber.of(serial.toByteArray())))) {
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
      out.onNext(reply.build());
      out.onCompleted();
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<GetStatusReply> out) {
      if (behaviour == Behaviour.WITHHOLDS) {
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
      answer(
          out,
          List.of(request.statement().coin()),
          request.statement().inputDigest(TestCommittee.NETWORK),
          false);
    }
  }
}
