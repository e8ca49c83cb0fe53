package io.solidus.dev.processes;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.shard.ShardApplication;
import io.solidus.authority.shard.SplitApplication;
import io.solidus.authority.signer.RecoverApplication;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.platform.boot.ServiceLauncher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One process of an authority: its signer, some of its shards, or both. Says {@code READY} on
 * standard output when all of them serve. Reads commands from standard input, {@code halt STEP} to
 * die like a killed process at the next passing of a failpoint, {@code timers} to print what it
 * measured; at the end of the input it stops in order, so that no process outlives whoever started
 * it.
 */
public final class NodeMain {

  /** The role of a process that splits a range and is ready when that is done. */
  static final String SPLIT = "split";

  /**
   * The role of a process that brings a restored database up to the sign-log and is ready when that
   * is done.
   */
  static final String RECOVER = "recover";

  static final String GATEWAY = "gateway";
  private static final String SIGNER = "signer";

  static final String READY = "READY";
  static final String TIMER = "TIMER";
  static final String END_OF_TIMERS = "END-OF-TIMERS";
  private static final int HALTED = 137;
  private static final AtomicReference<Step> HALT_AT = new AtomicReference<>();

  private NodeMain() {}

  /**
   * @param args one properties file: {@code roles} lists them, each with its properties behind
   *     "ROLE."
   */
  public static void main(String[] args) throws IOException {
    Properties file = new Properties();
    try (var in = Files.newBufferedReader(Path.of(args[0]))) {
      file.load(in);
    }
    List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    for (String role : file.getProperty("roles").split(",")) {
      if (role.equals(SPLIT)) {
        SplitApplication.run(properties(file, role));
      } else if (role.equals(RECOVER)) {
        RecoverApplication.run(properties(file, role));
      } else {
        contexts.add(start(role, properties(file, role)));
      }
    }
    System.out.println(READY);
    obey(contexts);
    contexts.reversed().forEach(ConfigurableApplicationContext::close);
    System.exit(0);
  }

  private static ConfigurableApplicationContext start(String role, Map<String, Object> properties) {
    List<String> args = new ArrayList<>();
    properties.forEach((key, value) -> args.add("--" + key + "=" + value));
    return builder(role)
        .initializers(context ->
            ((GenericApplicationContext) context)
                .registerBean("haltingFailpoints", Failpoints.class, () -> NodeMain::reach))
        .run(args.toArray(String[]::new));
  }

  private static SpringApplicationBuilder builder(String role) {
    return switch (role) {
      case SIGNER -> ServiceLauncher.builder(SignerApplication.class, SIGNER);
      case GATEWAY -> ServiceLauncher.builder(GatewayApplication.class, GATEWAY);
      default -> ServiceLauncher.builder(ShardApplication.class, "validator");
    };
  }

  private static void reach(Step step) {
    if (HALT_AT.compareAndSet(step, null)) {
      Runtime.getRuntime().halt(HALTED);
    }
  }

  private static void obey(List<ConfigurableApplicationContext> contexts) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("halt ")) {
        HALT_AT.set(Step.valueOf(line.substring(5)));
      } else if (line.equals("timers")) {
        printTimers(contexts);
      }
    }
  }

  /**
   * One line for each timer, summary, counter and gauge: name, tags, count, total in seconds or
   * units; then an end mark.
   */
  private static void printTimers(List<ConfigurableApplicationContext> contexts) {
    StringBuilder out = new StringBuilder();
    for (ConfigurableApplicationContext context : contexts) {
      for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
        if (meter instanceof Timer timer) {
          line(out, meter.getId(), timer.count(), timer.totalTime(TimeUnit.SECONDS));
        } else if (meter instanceof DistributionSummary summary) {
          line(out, meter.getId(), summary.count(), summary.totalAmount());
        } else if (meter instanceof Counter counter) {
          line(out, meter.getId(), (long) counter.count(), counter.count());
        } else if (meter instanceof Gauge gauge) {
          line(out, meter.getId(), (long) gauge.value(), gauge.value());
        }
      }
    }
    System.out.println(out.append(END_OF_TIMERS));
  }

  private static void line(StringBuilder out, Meter.Id id, long count, double total) {
    StringBuilder tags = new StringBuilder();
    id.getTags()
        .forEach(tag ->
            tags.append(tags.isEmpty() ? "" : ",")
                .append(tag.getKey())
                .append('=')
                .append(tag.getValue()));
    out.append(TIMER)
        .append('\t')
        .append(id.getName())
        .append('\t')
        .append(tags)
        .append('\t')
        .append(count)
        .append('\t')
        .append(total)
        .append('\n');
  }

  private static Map<String, Object> properties(Properties file, String role) {
    Map<String, Object> map = new TreeMap<>();
    String prefix = role + ".";
    for (String name : file.stringPropertyNames()) {
      if (name.startsWith(prefix)) {
        map.put(name.substring(prefix.length()), file.getProperty(name));
      }
    }
    return map;
  }
}
