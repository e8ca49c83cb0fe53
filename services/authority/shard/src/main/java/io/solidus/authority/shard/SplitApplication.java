package io.solidus.authority.shard;

import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.platform.boot.ServiceLauncher;
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
 * The command that splits a shard's range while payments go on. It runs with the configuration of
 * any shard of the authority and
 *
 * <pre>
 * --solidus.split.shard=0 --solidus.split.new-shard=2 [--solidus.split.at=middle|median|SERIAL]
 * </pre>
 *
 * The same command finishes a split that was interrupted.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration(DataSourceAutoConfiguration.class)
@Import(SplitConfiguration.class)
public class SplitApplication {

  private static final Logger log = LoggerFactory.getLogger(SplitApplication.class);

  public static void main(String[] args) {
    run(Map.of(), args);
  }

  /**
   * Runs the split.
   *
   * @param properties override solidus-validator.yml
   * @throws RuntimeException when the split is not finished; its progress is in the authority's
   *     database
   */
  public static RangeSplit.Result run(Map<String, Object> properties, String... args) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("spring.main.web-application-type", "none");
    try (ConfigurableApplicationContext context =
        ServiceLauncher.start(SplitApplication.class, "validator", all, args)) {
      SplitProperties split = context.getBean(SplitProperties.class);
      RangeSplit.Result result =
          context.getBean(RangeSplit.class).run(split.shard(), split.newShard(), split.point());
      log.info(
          "shard map {} is in force: shard {} is split", result.map().version(), result.shard());
      return result;
    }
  }
}
