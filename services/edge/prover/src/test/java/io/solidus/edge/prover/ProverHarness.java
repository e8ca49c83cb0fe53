package io.solidus.edge.prover;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.wire.hpke.ProofEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.v1.GetProverKeyReply;
import io.solidus.wire.v1.GetProverKeyRequest;
import io.solidus.wire.v1.ProveRequest;
import io.solidus.wire.v1.ProverServiceGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ConfigurableApplicationContext;

/** A prover service and a client that seals witnesses to it. */
final class ProverHarness implements AutoCloseable {
  private static final Duration HANG_GUARD = Duration.ofMinutes(2);

  private final ConfigurableApplicationContext context;
  private final ManagedChannel channel;

  ProverHarness(Path dir, Map<String, Object> more) throws IOException {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("management.server.port", -1);
    properties.put("spring.grpc.server.port", 0);
    properties.put("solidus.network.id", TestCommittee.NETWORK.value());
    properties.put("solidus.network.keys-dir", TestCommittee.regulated().keysDir());
    properties.put("solidus.network.manifest-key", TestCommittee.regulated().manifestKeyBase64());
    properties.put("solidus.network.allowed-key-classes", "development");
    properties.put("solidus.prover.hpke-key-file", Files.write(dir.resolve("hpke"), key));
    properties.putAll(more);
    context = ProverApplication.start(properties);
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", ServicePorts.grpc(context))
            .usePlaintext()
            .build();
  }

  int managementPort() {
    return ServicePorts.management(context);
  }

  GetProverKeyReply key() {
    return ProverServiceGrpc.newBlockingStub(channel)
        .getProverKey(GetProverKeyRequest.getDefaultInstance());
  }

  EncryptionKey publicKey() {
    return EncryptionKey.of(key().getPublicKey().toByteArray());
  }

  /** The proof. */
  byte[] prove(Family family, byte[] witness) {
    return prove(family, witness, HANG_GUARD);
  }

  byte[] prove(Family family, byte[] witness, Duration deadline) {
    try (ProofEnvelope.Asked asked =
        ProofEnvelope.seal(publicKey(), TestCommittee.NETWORK, family, witness)) {
      return asked.openProof(send(family.code(), asked.message(), deadline));
    }
  }

  /** The sealed proof. */
  byte[] send(int family, SealedMessage message, Duration deadline) {
    ProveRequest request =
        ProveRequest.newBuilder()
            .setFamily(family)
            .setEncapsulatedKey(ByteString.copyFrom(message.encapsulatedKey()))
            .setSealedWitness(ByteString.copyFrom(message.ciphertext()))
            .build();
    return ProverServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .prove(request)
        .getSealedProof()
        .toByteArray();
  }

  byte[] send(int family, SealedMessage message) {
    return send(family, message, HANG_GUARD);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    context.close();
  }
}
