package io.solidus.platform.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.stub.StreamObserver;
import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.platform.tls.RenewingBundles;
import io.solidus.platform.tls.TestAuthority;
import io.solidus.platform.tls.TestAuthority.Issued;
import io.solidus.platform.tls.TestBundles;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.server.GlobalServerInterceptor;

/**
 * A service configured as by the charts: gRPC with certificates of both sides, REST with the
 * server's.
 */
final class RenewalServer implements AutoCloseable {
  private static final Context.Key<BigInteger> CALLER = Context.key("caller");

  private final ConfigurableApplicationContext context;

  RenewalServer(Path folder, Issued own, TestAuthority trusted) throws Exception {
    Files.writeString(folder.resolve("tls.crt"), own.certificatePem());
    Files.writeString(folder.resolve("tls.key"), own.keyPem());
    Files.writeString(folder.resolve("ca.crt"), trusted.pem());
    Map<String, Object> properties = new HashMap<>();
    properties.put("solidus.platform.database", false);
    properties.put("solidus.platform.kafka", false);
    properties.put(
        "spring.ssl.bundle.pem.internal.keystore.certificate", "file:" + folder + "/tls.crt");
    properties.put(
        "spring.ssl.bundle.pem.internal.keystore.private-key", "file:" + folder + "/tls.key");
    properties.put(
        "spring.ssl.bundle.pem.internal.truststore.certificate", "file:" + folder + "/ca.crt");
    properties.put("spring.ssl.bundle.pem.internal.reload-on-update", true);
    properties.put("spring.grpc.server.address", "127.0.0.1");
    properties.put("spring.grpc.server.port", 0);
    properties.put("spring.grpc.server.ssl.bundle", TestBundles.NAME);
    properties.put("spring.grpc.server.ssl.client-auth", "require");
    properties.put("server.address", "127.0.0.1");
    properties.put("server.port", 0);
    properties.put("server.ssl.bundle", TestBundles.NAME);
    properties.put("solidus.admin.port", 0);
    context = ServiceLauncher.start(Service.class, "renewal", properties);
  }

  String grpcAddress() {
    return "localhost:" + ServicePorts.grpc(context);
  }

  String restAddress() {
    return "https://localhost:" + ServicePorts.http(context);
  }

  String adminAddress() {
    return "https://localhost:" + ServicePorts.admin(context);
  }

  /** Renews the bundle as the watcher of its files does. */
  void renew(SslBundle renewed) {
    context.getBean(RenewingBundles.class).updateBundle(TestBundles.NAME, renewed);
  }

  @Override
  public void close() {
    context.close();
  }

  /** Returns the serial number of the caller's certificate. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {
    @Bean
    ValidatorServiceGrpc.ValidatorServiceImplBase status() {
      return new ValidatorServiceGrpc.ValidatorServiceImplBase() {
        @Override
        public void getStatus(GetStatusRequest question, StreamObserver<GetStatusReply> answer) {
          answer.onNext(
              GetStatusReply.newBuilder().setSignedCount(CALLER.get().longValueExact()).build());
          answer.onCompleted();
        }
      };
    }

    @Bean
    @GlobalServerInterceptor
    ServerInterceptor caller() {
      return new ServerInterceptor() {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
          try {
            X509Certificate shown =
                (X509Certificate)
                    call.getAttributes()
                        .get(Grpc.TRANSPORT_ATTR_SSL_SESSION)
                        .getPeerCertificates()[0];
            return Contexts.interceptCall(
                Context.current().withValue(CALLER, shown.getSerialNumber()), call, headers, next);
          } catch (SSLPeerUnverifiedException e) {
            throw new AssertionError("a call without a certificate came in", e);
          }
        }
      };
    }
  }
}
