package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code drill}: rehearses restores, upgrades, refreshes and changes of keys of real processes
 * under load. Exits with 1 if a requirement is not met.
 */
@Command(
    name = "drill",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    description = "Rehearses restores, upgrades, refreshes and changes of keys under load.")
public final class DrillMain {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @Option(
      names = "--seed",
      scope = CommandLine.ScopeType.INHERIT,
      description = "of the wallets' decisions; random and printed by default")
  private @Nullable Long seed;

  @Option(
      names = "--json",
      scope = CommandLine.ScopeType.INHERIT,
      description = "writes the figures")
  private @Nullable Path json;

  @Option(
      names = "--keep",
      scope = CommandLine.ScopeType.INHERIT,
      description = "keeps databases and logs even without a violation")
  private boolean keep;

  /** The committee and the payments of a drill. */
  static final class Load {
    @Option(
        names = "--per-second",
        defaultValue = "4",
        description = "payments that arrive (default ${DEFAULT-VALUE})")
    private double perSecond;

    @Option(
        names = "--wallets",
        defaultValue = "150",
        description = "that pay (default ${DEFAULT-VALUE})")
    private int wallets;

    @Option(
        names = "--apart",
        split = ",",
        description = "authorities with a process for the signer and each shard (default 1)")
    private @Nullable Set<Integer> apart;

    Set<Integer> apart() {
      return apart == null ? Set.of(1) : apart;
    }
  }

  private DrillMain() {}

  public static void main(String[] args) {
    // not a logback.xml on the class path: the processes that are started share it
    System.setProperty("logback.configurationFile", "solidus-chaos-logback.xml");
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new DrillMain());
  }

  @Command(
      name = "restore",
      description =
          "One authority of four loses its database and gets it back from each kind of backup.")
  int restore(
      @Option(
              names = "--cases",
              split = ",",
              description = "old-backup, archive, latest, dump; all by default")
          @Nullable List<String> cases,
      @Option(
              names = "--postgres",
              description =
                  "PostgreSQL installation with bin/pg_dump to use instead of the embedded one")
          @Nullable Path postgres,
      @Option(
              names = "--fresh",
              defaultValue = "100",
              description = "signatures between a backup and the loss (default ${DEFAULT-VALUE})")
          int fresh)
      throws IOException, InterruptedException {
    if (postgres != null) {
      System.setProperty("solidus.postgres", postgres.toString());
    }
    List<RestoreCase> chosen =
        cases == null
            ? List.of(RestoreCase.values())
            : cases.stream().map(RestoreCase::of).toList();
    Path folder = Files.createTempDirectory("solidus-drill");
    return report(
        RestoreDrill.run(new RestoreDrill.Options(chosenSeed(), chosen, fresh, 20, 200, folder)),
        folder);
  }

  @Command(
      name = "upgrade",
      description = "Every process is replaced by one of the next build while payments continue.")
  int upgrade(
      @Mixin Load load,
      @Option(
              names = "--from",
              description =
                  "class path of the previous build, e.g. \"OLD/loadtest/chaos/target/*:OLD/loadtest/chaos/target/lib/*\"; by default"
                      + " this one, with the schemas of the next")
          @Nullable String from)
      throws IOException, InterruptedException {
    if (from != null) {
      System.setProperty(AuthorityProcesses.CLASS_PATH, from);
    }
    Path folder = Files.createTempDirectory("solidus-drill");
    UpgradeDrill.Options options =
        new UpgradeDrill.Options(
            chosenSeed(), Set.of(1, 2, 3, 4), load.apart(), load.perSecond, load.wallets, folder);
    return report(UpgradeDrill.run(options), folder);
  }

  @Command(
      name = "refresh",
      description =
          "The shares of a committee are refreshed, one authority after the other, while payments continue.")
  int refresh(
      @Mixin Load load,
      @Option(
              names = "--lost",
              defaultValue = "20",
              description =
                  "phones that are lost before and restored after (default ${DEFAULT-VALUE})")
          int lost,
      @Option(
              names = "--overlap",
              defaultValue = "PT5M",
              description = "how long both epochs sign (default ${DEFAULT-VALUE})")
          Duration overlap)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("solidus-drill");
    RefreshDrill.Options options =
        new RefreshDrill.Options(
            chosenSeed(), load.apart(), load.perSecond, load.wallets, lost, overlap, true, folder);
    return report(RefreshDrill.run(options), folder);
  }

  @Command(
      name = "keys",
      description =
          "An authority's note key, the policy key and the sanctions key change, one after the other, while payments continue.")
  int keys(
      @Mixin Load load,
      @Option(
              names = "--lost",
              defaultValue = "20",
              description =
                  "phones that are lost before and restored after each change (default ${DEFAULT-VALUE})")
          int lost,
      @Option(
              names = "--overlap",
              defaultValue = "PT5M",
              description =
                  "how long each former key counts; its roll-out has to end before (default ${DEFAULT-VALUE})")
          Duration overlap,
      @Option(
              names = "--together",
              description = "change all keys in one roll-out, and do not wait for --overlap")
          boolean together)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("solidus-drill");
    KeysDrill.Options options =
        new KeysDrill.Options(
            chosenSeed(),
            load.apart(),
            load.perSecond,
            load.wallets,
            lost,
            overlap,
            together,
            folder);
    return report(KeysDrill.run(options), folder);
  }

  private long chosenSeed() {
    return seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
  }

  private int report(DrillReport report, Path folder) throws IOException {
    String text = JSON.writeValueAsString(report.json());
    System.out.println(text);
    if (json != null) {
      Files.writeString(json, text + "\n");
    }
    boolean ok = report.verdict().ok();
    if (ok && !keep) {
      FileSystemUtils.deleteRecursively(folder);
    } else {
      System.out.println("databases and logs are kept in " + folder);
    }
    return ok ? 0 : 1;
  }
}
