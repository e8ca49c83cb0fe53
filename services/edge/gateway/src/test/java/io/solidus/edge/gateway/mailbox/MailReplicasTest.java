package io.solidus.edge.gateway.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MailReading;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailboxReplicas;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkServices;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.wire.v1.CountersignReply;
import io.solidus.wire.v1.CountersignRequest;
import io.solidus.wire.v1.ReplicaServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.transaction.PlatformTransactionManager;

/** Replicas that sign lists, one of them with another key than the network's services name. */
@Tag("process")
class MailReplicasTest {
  private static final Ed25519PrivateKey MANIFEST_KEY = key(77);
  private static final URI OFFICE = URI.create("https://office.example");
  private static final ExchangeProperties NO_PEERS =
      new ExchangeProperties(List.of(), Duration.ofSeconds(1), 100);

  private static final String TABLES = "/v1/mailbox/tables/70/headers";

  @TempDir private Path folder;
  private static final long NOW = 1_000_100;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private GatewayFixture gateway;
  private MailTables tables;
  private final List<Replica> replicas = new ArrayList<>();

  /** A replica that signs whatever list it is asked for. */
  private final class Replica extends ReplicaServiceGrpc.ReplicaServiceImplBase {
    private final Server server;
    private volatile NoteSigner signer;
    private volatile boolean up = true;

    /** It has taken on lists of other times only; 0 for all. */
    private volatile long only;

    /** Of another mailbox: what its lists say besides. */
    private volatile String more = "";

    Replica(int authority) throws IOException {
      this.signer = signer(authority, authority);
      this.server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(this)
              .build()
              .start();
    }

    String address() {
      return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void countersign(CountersignRequest request, StreamObserver<CountersignReply> answer) {
      if (!up) {
        answer.onError(Status.UNAVAILABLE.asRuntimeException());
        return;
      }
      boolean known = only == 0 || only == request.getClosed();
      answer.onNext(
          CountersignReply.newBuilder()
              .setNote(
                  known ? SignedNote.sign(text(request.getClosed()) + more, signer).encode() : "")
              .build());
      answer.onCompleted();
    }
  }

  private String text(long closed) {
    return tables.signable(100).stream()
        .filter(list -> list.closed() == closed)
        .findFirst()
        .orElseThrow()
        .text();
  }

  /** Replicas need longer for a list than the interval, so there is always a newer one. */
  @Test
  void aListIsSignedAlsoWhenThereIsANewerOne() {
    MailReplicas collector = collector(folder, List.of(1, 2, 3, 4));
    for (int i = 0; i < 3; i++) {
      tables.close(Instant.ofEpochSecond(1_000_000 + 10 * i));
    }
    replicas.forEach(replica -> replica.only = 1_000_010);
    replicas.get(0).only = 1_000_020;
    replicas.get(3).up = false;
    collector.collect();
    assertThat(catchThrowableOfType(ProtocolException.class, collector::countersigned)).isNotNull();
    assertThat(signatureAge(1)).isEqualTo(80);
    assertThat(signatureAge(2)).isEqualTo(90);
    replicas.get(0).only = 1_000_010;
    collector.collect();
    SignedNote signed = SignedNote.parse(collector.countersigned());
    assertThat(signed.text()).isEqualTo(text(1_000_010));
    assertThat(signed.signatures()).hasSize(3);
    assertThat(age("list")).isEqualTo(90);
    assertThat(signatureAge(1)).as("of the newest one").isEqualTo(80);
    // what is older than a list that counts is of no use any more
    replicas.forEach(replica -> replica.only = 1_000_000);
    collector.collect();
    assertThat(tables.signers(1_000_000)).isEmpty();
  }

  private static NoteSigner signer(int authority, int key) {
    return new NoteSigner(CommitteeMember.replicaName(authority), key(key));
  }

  private static Ed25519PrivateKey key(int number) {
    byte[] seed = new byte[32];
    seed[0] = (byte) number;
    return Ed25519PrivateKey.fromSeed(seed);
  }

  @BeforeEach
  void start() throws IOException {
    gateway = new GatewayFixture();
    tables =
        new MailTables(
            gateway.bean(MailboxStore.class),
            gateway.bean(JdbcClient.class),
            gateway.bean(PlatformTransactionManager.class),
            TestCommittee.NETWORK,
            new MailTableProperties(Duration.ofSeconds(10), List.of(), List.of(), ""),
            Clock.systemUTC(),
            new SimpleMeterRegistry());
    for (int authority = 1; authority <= TestCommittee.N; authority++) {
      replicas.add(new Replica(authority));
    }
  }

  @AfterEach
  void stop() {
    replicas.forEach(replica -> replica.server.shutdownNow());
    gateway.close();
  }

  private MailReplicas collector(Path keys, List<Integer> named) {
    return collector(keys, named, "", NO_PEERS);
  }

  private MailReplicas collector(
      Path keys, List<Integer> named, String address, ExchangeProperties exchange) {
    MailTableProperties properties =
        new MailTableProperties(
            Duration.ofSeconds(10),
            replicas.stream().map(Replica::address).toList(),
            named.stream().map(number -> key(number).publicKey().base64()).toList(),
            address);
    return new MailReplicas(
        tables,
        gateway.bean(Committee.class),
        gateway.bean(GrpcChannels.class),
        properties,
        signers(keys, properties, exchange),
        Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC),
        metrics);
  }

  private static ReplicaSigners signers(
      Path keys, MailTableProperties properties, ExchangeProperties exchange) {
    NetworkProperties network =
        new NetworkProperties(
            TestCommittee.NETWORK.value(),
            TestCommittee.regulated().kind(),
            keys,
            MANIFEST_KEY.publicKey().base64(),
            Set.of(KeyClass.DEVELOPMENT),
            List.of(),
            "");
    return new ReplicaSigners(network, TestCommittee.NETWORK, properties, exchange);
  }

  /** Wallets would refuse the list, and there would be no other one for five minutes. */
  @Test
  @Spec("F-52")
  void aSignatureOfAnotherKeyFillsNoPlaceOfAList() {
    MailReplicas collector = collector(folder, List.of(1, 2, 3, 4));
    replicas.get(3).signer = signer(4, 9);
    replicas.get(2).up = false;
    tables.close(Instant.ofEpochSecond(1_000_000));
    collector.collect();
    ProtocolException none =
        catchThrowableOfType(ProtocolException.class, collector::countersigned);
    assertThat(none.code()).isEqualTo(RejectionCode.NOT_FOUND);
    // one replica's key under the name of another does not count either
    replicas.get(3).signer = signer(4, 1);
    collector.collect();
    assertThat(catchThrowableOfType(ProtocolException.class, collector::countersigned)).isNotNull();
    replicas.get(2).up = true;
    collector.collect();
    assertThat(SignedNote.parse(collector.countersigned()).signatures())
        .extracting(line -> line.name())
        .containsExactly("solidus-replica-1", "solidus-replica-2", "solidus-replica-3");
    assertThat(age("list")).isEqualTo(100);
    assertThat(signatureAge(3)).isEqualTo(100);
    assertThat(signatureAge(4)).as("since the start").isZero();
    assertThat(refused(4, "wrong-key")).isEqualTo(3);
    replicas.get(3).signer = signer(4, 4);
    collector.collect();
    assertThat(SignedNote.parse(collector.countersigned()).signatures()).hasSize(4);
    assertThat(signatureAge(4)).isEqualTo(100);
  }

  /** A stranger who could take them would keep lists from being signed. */
  @Test
  @Spec("F-56")
  void onlyAReplicaHasItsPlaces() {
    MailTableProperties properties =
        new MailTableProperties(
            Duration.ofSeconds(10),
            replicas.stream().map(Replica::address).toList(),
            Stream.of(1, 2, 3, 4).map(number -> key(number).publicKey().base64()).toList(),
            "");
    ReplicaReads reads =
        new ReplicaReads(
            signers(folder, properties, NO_PEERS),
            TestCommittee.NETWORK,
            gateway.bean(Admission.class),
            Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC),
            metrics);
    String target = TABLES + "?after=1&upto=2";
    String right = header(TestCommittee.NETWORK, 1, 1, NOW, target);
    for (@Nullable String header :
        Arrays.asList(
            null,
            "",
            "1 2 3",
            right + " ",
            right.replaceFirst("1", "2"),
            header(TestCommittee.NETWORK, 1, 2, NOW, target),
            header(TestCommittee.NETWORK, 5, 5, NOW, target),
            header(TestCommittee.NETWORK, 1, 1, NOW, TABLES),
            header(TestCommittee.NETWORK, 1, 1, NOW - 121, target),
            header(TestCommittee.NETWORK, 1, 1, NOW + 121, target),
            header(new NetworkId("another-network"), 1, 1, NOW, target))) {
      assertThat(reads.run(request(header), () -> "served")).isEqualTo("served");
      assertThat(metrics.find("solidus.gateway.mail.replica.reads").counters())
          .as("header %s", header)
          .isEmpty();
    }
    for (int authority = 1; authority <= 4; authority++) {
      String own = header(TestCommittee.NETWORK, authority, authority, NOW - 120, target);
      assertThat(reads.run(request(own), () -> "served")).isEqualTo("served");
      assertThat(
              metrics
                  .get("solidus.gateway.mail.replica.reads")
                  .tag("authority", Integer.toString(authority))
                  .counter()
                  .count())
          .isEqualTo(1);
    }
  }

  private static String header(
      NetworkId network, int authority, int key, long time, String target) {
    return new MailReading(authority, time, target).header(network, signer(authority, key));
  }

  private static MockHttpServletRequest request(@Nullable String header) {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", TABLES);
    request.setQueryString("after=1&upto=2");
    if (header != null) {
      request.addHeader(MailReading.HEADER, header);
    }
    return request;
  }

  private double age(String of) {
    return metrics.get("solidus.gateway.mail." + of + ".age.seconds").gauge().value();
  }

  private double signatureAge(int authority) {
    return metrics
        .get("solidus.gateway.mail.signature.age.seconds")
        .tag("authority", Integer.toString(authority))
        .gauge()
        .value();
  }

  private double refused(int authority, String reason) {
    return metrics
        .get("solidus.gateway.mail.signatures.refused")
        .tags("authority", Integer.toString(authority), "reason", reason)
        .counter()
        .count();
  }

  /** A second gateway with a mailbox of its own never gets a signed list, and says why. */
  @Test
  void replicasOfAnotherMailboxAreLoggedOnce() {
    Logger logger = (Logger) LoggerFactory.getLogger(MailReplicas.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      MailReplicas collector = collector(folder, List.of(1, 2, 3, 4));
      replicas.get(1).more = "9 9 9\n";
      for (int i = 1; i < 4; i++) {
        tables.close(Instant.ofEpochSecond(1_000_000 + 10 * i));
        collector.collect();
        assertThat(SignedNote.parse(collector.countersigned()).signatures()).hasSize(3);
      }
    } finally {
      logger.detachAppender(log);
    }
    assertThat(refused(2, "other-list")).isEqualTo(3);
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "the replica of authority 2 signs another list than this gateway's: it follows another"
                + " mailbox");
  }

  /** Wallets have these keys, so the settings of a gateway do not count beside them. */
  @Test
  @Spec("F-64")
  void theSignedServicesNameTheKeys() throws IOException {
    write(services(1, 2, 3, 4), MANIFEST_KEY);
    MailReplicas collector = collector(folder, List.of(5, 6, 7, 8));
    tables.close(Instant.ofEpochSecond(1_000_000));
    collector.collect();
    assertThat(SignedNote.parse(collector.countersigned()).signatures()).hasSize(4);
    write(services(), MANIFEST_KEY);
    assertThat(collector(folder, List.of(1, 2, 3, 4)).isOn()).isTrue();
    for (List<Integer> wrong :
        List.<List<Integer>>of(List.of(), List.of(1, 2, 3), List.of(1, 2, 3, 3))) {
      assertThatIllegalStateException().isThrownBy(() -> collector(folder, wrong));
    }
    write(services(1, 2, 3, 4), key(78));
    assertThatIllegalStateException().isThrownBy(() -> collector(folder, List.of(1, 2, 3, 4)));
    Files.writeString(folder.resolve("services.note"), "x".repeat(70_000));
    assertThatIllegalStateException().isThrownBy(() -> collector(folder, List.of(1, 2, 3, 4)));
  }

  /** With the replicas of another mailbox, or of none that is its own, a gateway has no list. */
  @Test
  @Spec("F-64")
  void aGatewayThatExchangesMailHasReplicasOfItsOwn() throws IOException {
    ExchangeProperties peers =
        new ExchangeProperties(
            List.of(new ExchangeProperties.Peer("b", "127.0.0.1:1")), Duration.ofSeconds(1), 100);
    write(services(1, 2, 3, 4), MANIFEST_KEY);
    assertThatIllegalStateException()
        .isThrownBy(() -> collector(folder, List.of(), "", peers))
        .withMessageContaining("one mailbox");
    URI other = URI.create("https://other.example");
    NetworkServices both =
        services(
            List.of(OFFICE, other),
            List.of(
                new MailboxReplicas(List.of(other), keys(1, 2, 3, 4)),
                new MailboxReplicas(List.of(OFFICE), keys(5, 6, 7, 8))));
    write(both, MANIFEST_KEY);
    for (String unknown : List.of("", "https://third.example")) {
      assertThatIllegalStateException()
          .isThrownBy(() -> collector(folder, List.of(), unknown, peers))
          .withMessageContaining("mail-tables.gateway");
    }
    MailReplicas collector = collector(folder, List.of(), OFFICE.toString(), peers);
    tables.close(Instant.ofEpochSecond(1_000_000));
    collector.collect();
    assertThat(catchThrowableOfType(ProtocolException.class, collector::countersigned))
        .as("they sign with the keys of the other mailbox")
        .isNotNull();
    MailReplicas others = collector(folder, List.of(), other.toString(), peers);
    others.collect();
    assertThat(SignedNote.parse(others.countersigned()).signatures()).hasSize(4);
  }

  private static NetworkServices services(Integer... replicas) {
    return services(
        List.of(OFFICE),
        replicas.length == 0 ? List.of() : List.of(new MailboxReplicas(List.of(), keys(replicas))));
  }

  private static List<MailReplica> keys(Integer... replicas) {
    return Stream.of(replicas)
        .map(number -> new MailReplica(usable(number + 20), key(number).publicKey()))
        .toList();
  }

  private static NetworkServices services(List<URI> gateways, List<MailboxReplicas> replicas) {
    return new NetworkServices(
        1,
        new CurrencyCode("EUR"),
        gateways,
        OFFICE,
        OFFICE,
        OFFICE,
        usable(9),
        List.of(Digest32.sha256()),
        0,
        Optional.empty(),
        replicas);
  }

  private static EncryptionKey usable(int number) {
    byte[] key = new byte[32];
    key[0] = (byte) number;
    return new EncryptionKey(key);
  }

  private void write(NetworkServices services, Ed25519PrivateKey key) throws IOException {
    SignedNote note =
        SignedNote.sign(
            services.toNoteText(TestCommittee.NETWORK),
            new NoteSigner(NetworkServices.SIGNER, key));
    Files.writeString(folder.resolve("services.note"), note.encode());
  }
}
