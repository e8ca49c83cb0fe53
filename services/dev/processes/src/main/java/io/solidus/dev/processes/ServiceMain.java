package io.solidus.dev.processes;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.platform.boot.ServiceLauncher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Runs services, each as a context of its own, in one process: a signer, some shards, both, or a
 * gateway. Prints {@code READY} when all serve. Reads commands from standard input: {@code halt
 * STEP} ends the process as a kill does when it next passes that failpoint, {@code timers} prints
 * what was measured. At the end of the input it stops in order, so that it never outlives the
 * process that started it.
 */
public final class ServiceMain {

  static final String ROLES = "roles";
  static final String READY = "READY";
  static final String TIMER = "TIMER";
  static final String END_OF_TIMERS = "END-OF-TIMERS";
  private static final int HALTED = 137;
  private static final AtomicReference<Step> HALT_AT = new AtomicReference<>();

  private ServiceMain() {}

  /**
   * Runs the roles of a properties file.
   *
   * @param args the file: {@code roles} lists them, and "ROLE." begins the names of the properties
   *     of each
   */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    Properties file = new Properties();
    try (var in = Files.newBufferedReader(Path.of(args[0]))) {
      file.load(in);
    }
    List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    for (String label : file.getProperty(ROLES).split(",", -1)) {
      ServiceRole role = ServiceRole.of(label);
      Class<?> application = Class.forName(role.application());
      String[] arguments = arguments(file, label);
      if (role.isCommand()) {
        application.getMethod("main", String[].class).invoke(null, (Object) arguments);
      } else {
        contexts.add(start(application, role, arguments));
      }
    }
    System.out.println(READY);
    obey(contexts);
    contexts.reversed().forEach(ConfigurableApplicationContext::close);
    System.exit(0);
  }

  private static ConfigurableApplicationContext start(
      Class<?> application, ServiceRole role, String[] arguments) {
    return ServiceLauncher.builder(application, role.configuration())
        .initializers(context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "haltingFailpoints", Failpoints.class, () -> ServiceMain::haltIfAsked))
        .run(arguments);
  }

  private static void haltIfAsked(Step step) {
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
   * Prints one line for each timer, summary, counter and gauge: name, tags, count, total in seconds
   * or units; then an end mark.
   */
  private static void printTimers(List<ConfigurableApplicationContext> contexts) {
    StringBuilder out = new StringBuilder();
    for (ConfigurableApplicationContext context : contexts) {
      for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
        if (meter instanceof Timer timer) {
          append(out, meter.getId(), timer.count(), timer.totalTime(TimeUnit.SECONDS));
        } else if (meter instanceof DistributionSummary summary) {
          append(out, meter.getId(), summary.count(), summary.totalAmount());
        } else if (meter instanceof Counter counter) {
          append(out, meter.getId(), (long) counter.count(), counter.count());
        } else if (meter instanceof Gauge gauge) {
          append(out, meter.getId(), (long) gauge.value(), gauge.value());
        }
      }
    }
    System.out.println(out.append(END_OF_TIMERS));
  }

  private static void append(StringBuilder out, Meter.Id id, long count, double total) {
    String tags =
        id.getTags().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(","));
    out.append(
        String.join(
            "\t", TIMER, id.getName(), tags, Long.toString(count), Double.toString(total) + "\n"));
  }

  private static String[] arguments(Properties file, String label) {
    String prefix = label + ".";
    return file.stringPropertyNames().stream()
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .map(name -> "--" + name.substring(prefix.length()) + "=" + file.getProperty(name))
        .toArray(String[]::new);
  }
}
