package io.solidus.authority.complianceissuer;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Committee;
import io.solidus.protocol.RegisterRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ConfigurableApplicationContext;

/** The issuer of one authority with its database and a fake signer. */
final class IssuerHarness implements AutoCloseable {
  static final int AUTHORITY = 2;

  final Registrations registrations = new Registrations();
  final FakeSigner signer;
  final Committee committee = TestCommittee.regulated().committee();
  final TestDatabase database;
  private final Map<String, Object> properties = new LinkedHashMap<>();
  private ConfigurableApplicationContext context;
  private ManagedChannel channel;

  IssuerHarness(Map<String, Object> more) throws IOException {
    this(TestPostgres.newDatabase(), more);
  }

  IssuerHarness(TestDatabase database, Map<String, Object> more) throws IOException {
    this.database = database;
    this.signer = new FakeSigner(AUTHORITY, committee.epoch());
    properties.putAll(database.springProperties());
    properties.put("management.server.port", -1);
    properties.put("spring.grpc.server.port", 0);
    properties.put("spring.kafka.listener.auto-startup", false);
    properties.put("solidus.trust.registration", registrations.trustKey());
    properties.put("solidus.network.id", TestCommittee.NETWORK.value());
    properties.put("solidus.compliance-issuer.authority", AUTHORITY);
    properties.put("solidus.network.keys-dir", TestCommittee.regulated().keysDir());
    properties.put("solidus.network.manifest-key", TestCommittee.regulated().manifestKeyBase64());
    properties.put("solidus.network.allowed-key-classes", "development");
    properties.put("solidus.compliance-issuer.signer-address", signer.address());
    properties.put("solidus.compliance-issuer.internal-token-file", internalTokenFile());
    properties.putAll(more);
    this.context = ComplianceIssuerApplication.start(properties);
    this.channel = channel(context);
  }

  private static Path internalTokenFile() throws IOException {
    Path file =
        Files.createTempFile(
            "internal",
            ".token",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    file.toFile().deleteOnExit();
    return Files.write(file, InternalToken.bytes(TestCommittee.regulated().noteKeySeed(AUTHORITY)));
  }

  private static ManagedChannel channel(ConfigurableApplicationContext context) {
    return NettyChannelBuilder.forAddress("127.0.0.1", ServicePorts.grpc(context))
        .usePlaintext()
        .build();
  }

  /** Starts a new process on the same database. */
  void restart() {
    stop();
    context = ComplianceIssuerApplication.start(properties);
    channel = channel(context);
  }

  private void stop() {
    channel.shutdownNow();
    context.close();
  }

  SubmitReply issue(RegisterRequest request, String note) {
    return send(
        IssueRequest.newBuilder()
            .setRequest(Codecs.toWire(request))
            .setAttestationNote(note)
            .build());
  }

  SubmitReply send(IssueRequest request) {
    return ComplianceIssuerServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(5, TimeUnit.MINUTES)
        .issue(request);
  }

  int managementPort() {
    return ServicePorts.management(context);
  }

  long count(String table) {
    return database.jdbc().sql("SELECT count(*) FROM issuer." + table).query(Long.class).single();
  }

  @Override
  public void close() {
    stop();
    signer.close();
  }
}
