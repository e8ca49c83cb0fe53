package io.solidus.platform.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.tls.RenewingBundles;
import io.solidus.platform.tls.TestAuthority;
import io.solidus.platform.tls.TestAuthority.Issued;
import io.solidus.platform.tls.TestBundles;
import io.solidus.platform.tracing.Spans;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;

/**
 * Renewals while a service runs and is called, with the handshakes of both sides as in production.
 */
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
class RenewalTest {
  private static final Duration HANG_GUARD = Duration.ofMinutes(2);
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final TestAuthority OTHER = new TestAuthority("other");
  private static final Issued SERVER = CA.issue();
  private static final GrpcProperties PROPERTIES =
      new GrpcProperties("internal", false, HANG_GUARD, DataSize.ofMegabytes(1));

  @TempDir private static Path folder;
  private static RenewalServer server;

  private final Issued first = CA.issue();
  private final RenewingBundles bundles = TestBundles.registry(TestBundles.bundle(first, CA));
  private final GrpcChannels channels = channels(bundles);
  private final HttpClient http =
      new HttpClients(bundles.getBundle(TestBundles.NAME)).open(HANG_GUARD);

  @BeforeAll
  static void start() throws Exception {
    server = new RenewalServer(folder, SERVER, CA);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void restoreServerCertificate() {
    server.renew(TestBundles.bundle(SERVER, CA));
  }

  @AfterEach
  void close() {
    channels
        .to(server.grpcAddress())
        .shutdownNow(); // an idle channel would keep its connections for five seconds
    channels.close();
    http.shutdownNow();
  }

  private static GrpcChannels channels(RenewingBundles bundles) {
    return new GrpcChannels(PROPERTIES, bundles.getBundle(TestBundles.NAME), Spans.none());
  }

  /** The serial numbers of the certificates that each side saw. */
  private record Seen(BigInteger byServer, BigInteger byClient) {}

  private static Seen call(GrpcChannels channels) {
    AtomicReference<BigInteger> shown = new AtomicReference<>();
    Channel channel =
        ClientInterceptors.intercept(
            channels.to(server.grpcAddress()), new CertificateRecorder(shown));
    long mine =
        ValidatorServiceGrpc.newBlockingStub(channel)
            .getStatus(GetStatusRequest.getDefaultInstance())
            .getSignedCount();
    return new Seen(BigInteger.valueOf(mine), Objects.requireNonNull(shown.get()));
  }

  /** Makes the next call open a connection. Calls in progress continue. */
  private static void reconnect(GrpcChannels channels) {
    ManagedChannel channel = channels.to(server.grpcAddress());
    channel.enterIdle();
  }

  /** Uses a new channel, because a refused one fails without another try. */
  private static void assertRefused(RenewingBundles bundles) {
    try (GrpcChannels fresh = channels(bundles)) {
      assertThatExceptionOfType(StatusRuntimeException.class)
          .isThrownBy(() -> call(fresh))
          .satisfies(refused ->
              assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }
  }

  private static Seen fresh(RenewingBundles bundles) {
    try (GrpcChannels fresh = channels(bundles)) {
      return call(fresh);
    }
  }

  private void renew(SslBundle renewed) {
    bundles.updateBundle(TestBundles.NAME, renewed);
  }

  @Test
  void newConnectionsShowACallersRenewedCertificate() {
    Issued second = CA.issue();
    assertThat(call(channels)).isEqualTo(new Seen(first.serial(), SERVER.serial()));
    renew(TestBundles.bundle(second, CA));
    assertThat(call(channels))
        .as("on the connection there is")
        .isEqualTo(new Seen(first.serial(), SERVER.serial()));
    reconnect(channels);
    assertThat(call(channels)).isEqualTo(new Seen(second.serial(), SERVER.serial()));
    Issued third = CA.issue();
    renew(TestBundles.bundle(third, CA));
    reconnect(channels);
    assertThat(call(channels)).isEqualTo(new Seen(third.serial(), SERVER.serial()));
  }

  @Test
  void newConnectionsShowAServersRenewedCertificate() {
    assertThat(call(channels).byClient()).isEqualTo(SERVER.serial());
    Issued second = CA.issue();
    server.renew(TestBundles.bundle(second, CA));
    assertThat(fresh(TestBundles.registry(TestBundles.bundle(first, CA))))
        .isEqualTo(new Seen(first.serial(), second.serial()));
    assertThat(call(channels).byServer())
        .as("on the connection there is")
        .isEqualTo(first.serial());
  }

  @Test
  void anUnusableRenewalChangesNothingOnEitherSide() throws IOException {
    Issued second = CA.issue();
    Path half =
        Files.writeString(folder.resolve("half.crt"), second.certificatePem().substring(0, 99));
    renew(TestBundles.bundle(second.certificatePem(), first.keyPem(), CA.pem()));
    server.renew(TestBundles.bundle("file:" + half, second.keyPem(), CA.pem()));
    assertThat(call(channels)).isEqualTo(new Seen(first.serial(), SERVER.serial()));
    reconnect(channels);
    assertThat(call(channels)).isEqualTo(new Seen(first.serial(), SERVER.serial()));
    renew(TestBundles.bundle(second, CA));
    reconnect(channels);
    assertThat(call(channels)).isEqualTo(new Seen(second.serial(), SERVER.serial()));
  }

  @Test
  void anUntrustedCallerIsRefusedBeforeAndAfterARenewal() {
    RenewingBundles untrusted = TestBundles.registry(TestBundles.bundle(OTHER.issue(), CA));
    assertRefused(untrusted);
    server.renew(TestBundles.bundle(CA.issue(), CA));
    assertRefused(untrusted);
    untrusted.updateBundle(TestBundles.NAME, TestBundles.bundle(OTHER.issue(), CA));
    assertRefused(untrusted);
    untrusted.updateBundle(TestBundles.NAME, TestBundles.bundle(first, CA));
    assertThat(fresh(untrusted).byServer()).isEqualTo(first.serial());
  }

  @Test
  void anUntrustedServerOrAnotherHostIsRefusedBeforeAndAfterARenewal() {
    server.renew(TestBundles.bundle(OTHER.issue(), CA));
    assertRefused(bundles);
    renew(TestBundles.bundle(CA.issue(), CA));
    assertRefused(bundles);
    server.renew(
        TestBundles.bundle(CA.issue("elsewhere", Instant.now().plus(Duration.ofDays(9))), CA));
    assertRefused(bundles);
    server.renew(TestBundles.bundle(SERVER, CA));
    assertThat(fresh(bundles).byClient()).isEqualTo(SERVER.serial());
  }

  /**
   * Changes the certificate authority without a failed call: trust in both, certificates of the new
   * one, no trust in the old one.
   */
  @Test
  void theCertificateAuthorityIsReplacedWhileCallsContinue() {
    assertThat(call(channels).byServer()).isEqualTo(first.serial());
    server.renew(TestBundles.bundle(SERVER, CA, OTHER));
    renew(TestBundles.bundle(first, CA, OTHER));
    reconnect(channels);
    assertThat(call(channels).byServer()).isEqualTo(first.serial());

    Issued moved = OTHER.issue();
    renew(TestBundles.bundle(moved, CA, OTHER));
    reconnect(channels);
    assertThat(call(channels).byServer()).isEqualTo(moved.serial());
    Issued movedServer = OTHER.issue();
    server.renew(TestBundles.bundle(movedServer, OTHER));
    renew(TestBundles.bundle(moved, OTHER));
    reconnect(channels);
    assertThat(call(channels)).isEqualTo(new Seen(moved.serial(), movedServer.serial()));

    assertRefused(TestBundles.registry(TestBundles.bundle(first, CA, OTHER)));
  }

  /**
   * A resumed TLS session skips the check of the certificate for a day. Only a resuming caller gets
   * as far as the filter.
   */
  @Test
  void aCallerThatIsNoLongerTrustedCannotResume(CapturedOutput log) throws InterruptedException {
    assertThat(call(channels).byServer()).isEqualTo(first.serial());
    server.renew(TestBundles.bundle(SERVER, OTHER));
    reconnect(channels);
    assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> call(channels));
    for (long end = System.nanoTime() + HANG_GUARD.toNanos();
        !log.getAll().contains(PeerTrustFilter.RESUMED); ) {
      assertThat(System.nanoTime())
          .as("the caller did not resume, or the filter accepted it")
          .isLessThan(end);
      Thread.sleep(20);
    }
  }

  private BigInteger certificateOfRest() throws IOException, InterruptedException {
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(server.restAddress() + "/actuator/health/liveness"))
            .timeout(HANG_GUARD)
            .build();
    HttpResponse<Void> answer = http.send(question, HttpResponse.BodyHandlers.discarding());
    assertThat(answer.statusCode()).isEqualTo(200);
    return ((X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0])
        .getSerialNumber();
  }

  @Test
  void restAndItsCallersUseTheRenewal() throws Exception {
    assertThat(certificateOfRest()).isEqualTo(SERVER.serial());
    Issued second = OTHER.issue();
    server.renew(TestBundles.bundle(second, CA));
    try (HttpClient later = new HttpClients(bundles.getBundle(TestBundles.NAME)).open(HANG_GUARD)) {
      HttpRequest question =
          HttpRequest.newBuilder(URI.create(server.restAddress() + "/actuator/health/liveness"))
              .build();
      assertThatExceptionOfType(SSLHandshakeException.class)
          .isThrownBy(() -> later.send(question, HttpResponse.BodyHandlers.discarding()));
      renew(TestBundles.bundle(first, CA, OTHER));
      HttpResponse<Void> answer = later.send(question, HttpResponse.BodyHandlers.discarding());
      assertThat(
              ((X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0])
                  .getSerialNumber())
          .isEqualTo(second.serial());
      HttpResponse<Void> admin =
          later.send(
              HttpRequest.newBuilder(URI.create(server.adminAddress() + "/admin/v1/any")).build(),
              HttpResponse.BodyHandlers.discarding());
      assertThat(admin.statusCode()).isEqualTo(401);
      assertThat(
              ((X509Certificate) admin.sslSession().orElseThrow().getPeerCertificates()[0])
                  .getSerialNumber())
          .isEqualTo(second.serial());
    }
  }

  /** Records the serial number of the server's certificate. */
  private record CertificateRecorder(AtomicReference<BigInteger> shown)
      implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(
              new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onHeaders(Metadata answered) {
                  try {
                    Certificate[] chain =
                        getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION).getPeerCertificates();
                    shown.set(((X509Certificate) chain[0]).getSerialNumber());
                  } catch (SSLPeerUnverifiedException e) {
                    throw new AssertionError(e);
                  }
                  super.onHeaders(answered);
                }
              },
              headers);
        }
      };
    }
  }
}
