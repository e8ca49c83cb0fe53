package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.platform.tls.TestAuthority.Issued;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.ssl.SslMetricsAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Files that change as a kubelet changes those of a secret: a new folder, and a link that is put in the place of the old one. */
class WatchedFilesTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final long PATIENCE_SECONDS = 30;

  @TempDir Path mount;
  private int version;

  private void write(String certificate, String key, String trust) throws IOException {
    Path folder = Files.createDirectory(mount.resolve("..version_" + ++version));
    Files.writeString(folder.resolve("tls.crt"), certificate);
    Files.writeString(folder.resolve("tls.key"), key);
    Files.writeString(folder.resolve("ca.crt"), trust);
    Path link = mount.resolve("..data_tmp");
    Files.createSymbolicLink(link, folder.getFileName());
    Files.move(link, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    for (String file : new String[] {"tls.crt", "tls.key", "ca.crt"}) {
      if (version == 1) {
        Files.createSymbolicLink(mount.resolve(file), Path.of("..data", file));
      }
    }
  }

  private void write(Issued issued) throws IOException {
    write(issued.certificatePem(), issued.keyPem(), CA.pem());
  }

  private ApplicationContextRunner service() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                MetricsAutoConfiguration.class, SslMetricsAutoConfiguration.class, SslAutoConfiguration.class, TlsAutoConfiguration.class))
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues(
            "spring.ssl.bundle.watch.file.quiet-period=100ms",
            "spring.ssl.bundle.pem.internal.reload-on-update=true",
            "spring.ssl.bundle.pem.internal.keystore.certificate=file:" + mount + "/tls.crt",
            "spring.ssl.bundle.pem.internal.keystore.private-key=file:" + mount + "/tls.key",
            "spring.ssl.bundle.pem.internal.truststore.certificate=file:" + mount + "/ca.crt");
  }

  /** How long the metric says that a certificate is good for. */
  private static double days(ApplicationContext context, BigInteger serial) {
    return context.getBean(MeterRegistry.class).get("ssl.chain.expiry").tag("bundle", "internal").tag("certificate", serial.toString(16))
        .gauge().value() / Duration.ofDays(1).toSeconds();
  }

  private static boolean told(ApplicationContext context, BigInteger serial) {
    return context.getBean(MeterRegistry.class).find("ssl.chain.expiry").tag("certificate", serial.toString(16)).gauge() != null;
  }

  private static RenewingBundle state(ApplicationContext context) {
    return context.getBean(RenewingBundles.class).all().get("internal");
  }

  @Test
  void renewalsAreSeenOneAfterTheOtherAndTheMetricTellsOfTheOneInUse() throws IOException {
    Issued first = CA.issue();
    write(first);
    service()
        .run(
            context -> {
              SslBundles bundles = context.getBean(SslBundles.class);
              SslBundle used = bundles.getBundle("internal");
              BlockingQueue<SslBundle> renewed = new LinkedBlockingQueue<>();
              bundles.addBundleUpdateHandler("internal", renewed::add);
              assertThat(TestBundles.serial(used)).isEqualTo(first.serial());
              assertThat(days(context, first.serial())).isBetween(89.0, 90.0);
              for (int i = 0; i < 3; i++) {
                Issued next = CA.issue();
                write(next);
                assertThat(renewed.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("renewal %d", i).isNotNull();
                assertThat(TestBundles.serial(used)).isEqualTo(next.serial());
                assertThat(days(context, next.serial())).isBetween(89.0, 90.0);
                assertThat(told(context, first.serial())).isFalse();
              }
            });
  }

  @Test
  void aRenewalThatCannotBeUsedIsNotWhatTheMetricTells() throws IOException {
    Issued first = CA.issue();
    write(first);
    service()
        .run(
            context -> {
              SslBundle used = context.getBean(SslBundles.class).getBundle("internal");
              Issued broken = CA.issue();
              write(broken.certificatePem(), first.keyPem(), CA.pem());
              RenewingBundle state = state(context);
              for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS); !state.isStale(); ) {
                assertThat(System.nanoTime()).as("the renewal was not noticed").isLessThan(end);
                Thread.sleep(20);
              }
              assertThat(TestBundles.serial(used)).isEqualTo(first.serial());
              assertThat(days(context, first.serial())).isBetween(89.0, 90.0);
              assertThat(told(context, broken.serial())).isFalse();
              assertThat(context.getBean(MeterRegistry.class).get("solidus.tls.stale.status").gauge().value()).isEqualTo(1);
            });
  }
}
