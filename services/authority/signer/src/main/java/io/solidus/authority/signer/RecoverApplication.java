package io.solidus.authority.signer;

import io.solidus.authority.signer.log.LogRecovery;
import io.solidus.platform.boot.ServiceLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * The command that updates a database restored from an old backup to the state of the authority's
 * sign-log. It runs with the configuration of the signer, and the signer must not run. Running it
 * again changes nothing.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration(DataSourceAutoConfiguration.class)
@Import(RecoverConfiguration.class)
public class RecoverApplication {

  private static final Logger log = LoggerFactory.getLogger(RecoverApplication.class);

  public static void main(String[] args) {
    run(Map.of(), args);
  }

  /**
   * Runs the recovery.
   *
   * @param properties override solidus-signer.yml
   * @throws RuntimeException when nothing may be signed on this database; rows that were written
   *     are correct and stay
   */
  public static LogRecovery.Result run(Map<String, Object> properties, String... args) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("spring.main.web-application-type", "none");
    try (ConfigurableApplicationContext context =
        ServiceLauncher.start(RecoverApplication.class, "signer", all, args)) {
      SignerProperties signer = context.getBean(SignerProperties.class);
      boolean logIsNewest = context.getBean(RecoverProperties.class).logIsNewest();
      LogRecovery.Result result =
          context.getBean(LogRecovery.class).run(signer.signLog(), logIsNewest);
      log.info(
          "recovered: {} records, {} serial numbers were missing; the signer may start{}",
          result.records(),
          result.serials(),
          result.mints()
              ? ". Mints were among them: this authority mints nothing more on this UTC day"
              : "");
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the sign-log or the anchor file cannot be read; does a signer have it open?", e);
    }
  }
}
