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
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.ssl.SslMetricsAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/**
 * Renewal of files that are replaced as a kubelet replaces those of a secret: a new folder, and a
 * symbolic link to it that replaces the old one.
 */
@ExtendWith(OutputCaptureExtension.class)
class WatchedFilesTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final long HANG_GUARD_SECONDS = 120;

  @TempDir Path mount;
  private int version;

  private void write(String certificate, String key, String trust) throws IOException {
    Path folder = Files.createDirectory(mount.resolve("..version_" + ++version));
    Files.writeString(folder.resolve("tls.crt"), certificate);
    Files.writeString(folder.resolve("tls.key"), key);
    Files.writeString(folder.resolve("ca.crt"), trust);
    Path link = mount.resolve("..data_tmp");
    Files.createSymbolicLink(link, folder.getFileName());
    Files.move(
        link,
        mount.resolve("..data"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
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
                MetricsAutoConfiguration.class,
                SslMetricsAutoConfiguration.class,
                SslAutoConfiguration.class,
                TlsAutoConfiguration.class))
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues(
            "spring.ssl.bundle.watch.file.quiet-period=100ms",
            "spring.ssl.bundle.pem.internal.reload-on-update=true",
            "spring.ssl.bundle.pem.internal.keystore.certificate=file:" + mount + "/tls.crt",
            "spring.ssl.bundle.pem.internal.keystore.private-key=file:" + mount + "/tls.key",
            "spring.ssl.bundle.pem.internal.truststore.certificate=file:" + mount + "/ca.crt");
  }

  /** The days until a certificate expires, by the metric. */
  private static double days(ApplicationContext context, BigInteger serial) {
    return context
            .getBean(MeterRegistry.class)
            .get("ssl.chain.expiry")
            .tag("bundle", "internal")
            .tag("certificate", serial.toString(16))
            .gauge()
            .value()
        / Duration.ofDays(1).toSeconds();
  }

  private static boolean hasMetric(ApplicationContext context, BigInteger serial) {
    return context
            .getBean(MeterRegistry.class)
            .find("ssl.chain.expiry")
            .tag("certificate", serial.toString(16))
            .gauge()
        != null;
  }

  private static RenewingBundle state(ApplicationContext context) {
    return Objects.requireNonNull(context.getBean(RenewingBundles.class).all().get("internal"));
  }

  private static void await(ApplicationContext context, Predicate<RenewingBundle> outcome)
      throws InterruptedException {
    RenewingBundle state = state(context);
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_GUARD_SECONDS);
        !outcome.test(state); ) {
      assertThat(System.nanoTime()).as("the renewal was not noticed").isLessThan(end);
      Thread.sleep(20);
    }
  }

  @Test
  void takesEveryRenewalAndTheMetricShowsTheOneInUse() throws IOException {
    Issued first = CA.issue();
    write(first);
    service()
        .run(context -> {
          SslBundles bundles = context.getBean(SslBundles.class);
          SslBundle used = bundles.getBundle("internal");
          BlockingQueue<SslBundle> renewed = new LinkedBlockingQueue<>();
          bundles.addBundleUpdateHandler("internal", renewed::add);
          assertThat(TestBundles.serial(used)).isEqualTo(first.serial());
          assertThat(days(context, first.serial())).isBetween(89.0, 90.0);
          for (int i = 0; i < 3; i++) {
            Issued next = CA.issue();
            write(next);
            SslBundle taken;
            do { // one renewal may cause two events, the first without a change
              taken = renewed.poll(HANG_GUARD_SECONDS, TimeUnit.SECONDS);
              assertThat(taken).as("renewal %d", i).isNotNull();
            } while (!TestBundles.serial(taken).equals(next.serial()));
            assertThat(TestBundles.serial(used)).isEqualTo(next.serial());
            assertThat(days(context, next.serial())).isBetween(89.0, 90.0);
            assertThat(hasMetric(context, first.serial())).isFalse();
          }
        });
  }

  @Test
  void theMetricDoesNotShowARefusedRenewal() throws IOException {
    Issued first = CA.issue();
    write(first);
    service()
        .run(context -> {
          SslBundle used = context.getBean(SslBundles.class).getBundle("internal");
          Issued broken = CA.issue();
          write(broken.certificatePem(), first.keyPem(), CA.pem());
          await(context, RenewingBundle::isStale);
          assertThat(TestBundles.serial(used)).isEqualTo(first.serial());
          assertThat(days(context, first.serial())).isBetween(89.0, 90.0);
          assertThat(hasMetric(context, broken.serial())).isFalse();
          assertThat(
                  context
                      .getBean(MeterRegistry.class)
                      .get("solidus.tls.stale.status")
                      .gauge()
                      .value())
              .isEqualTo(1);
        });
  }

  /** Spring's parser skips a truncated certificate. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesAFileWhoseSecondCertificateIsTruncated(boolean trust, CapturedOutput log)
      throws IOException {
    Issued first = CA.issue();
    write(first);
    service()
        .run(context -> {
          SslBundle used = context.getBean(SslBundles.class).getBundle("internal");
          Issued next = CA.issue();
          String second =
              (trust ? new TestAuthority("other") : CA)
                  .pem(); // a key's certificates must be a chain
          String cut = second.substring(0, second.length() / 2);
          write(
              next.certificatePem() + (trust ? "" : cut),
              next.keyPem(),
              CA.pem() + (trust ? cut : ""));
          await(context, RenewingBundle::isStale);
          assertThat(TestBundles.serial(used)).isEqualTo(first.serial());
          assertThat(log)
              .contains(
                  "of 2 certificates to " + (trust ? "trust" : "show") + " only 1 can be read");

          write(
              next.certificatePem() + (trust ? "" : second),
              next.keyPem(),
              CA.pem() + (trust ? second : ""));
          await(context, state -> !state.isStale());
          assertThat(TestBundles.serial(used)).isEqualTo(next.serial());
          assertThat(log).contains(trust ? "it trusts 2: CN=ca; CN=other" : "it trusts 1: CN=ca");
        });
  }
}
