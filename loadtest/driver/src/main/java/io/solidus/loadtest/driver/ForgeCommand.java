package io.solidus.loadtest.driver;

import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.TransferSeries;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a pool of transfers for a running platform. */
@Command(
    name = "forge",
    description = "Makes transfers for a running platform, under the rules it publishes.")
final class ForgeCommand implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private Amount amount = new Amount();

  @Option(names = "--out", required = true, description = "folder to make")
  private Path out = Path.of("");

  @Option(
      names = "--url",
      defaultValue = "http://127.0.0.1:8080",
      description = "the platform's gateway (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("");

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "any text: the same text, the same transfers")
  private String seed = "";

  @Option(
      names = "--first",
      defaultValue = "0",
      description = "index of the first: several machines make parts of one series")
  private long first;

  @Option(
      names = "--keys",
      description =
          "key directory (default: the sandbox's load-test keys; for --proved its development keys)")
  private @Nullable Path keys;

  @Option(names = "--development-keys", hidden = true)
  private @Nullable Path developmentKeys;

  /** The kind and the number of transfers. */
  static final class Amount {
    @Option(
        names = "--count",
        required = true,
        description = "how many transfers with simulated proofs; load-test keys only")
    private long count;

    @Option(
        names = "--proved",
        required = true,
        description = "how many transfers with real proofs, seconds each; development keys only")
    private long proved;
  }

  @Override
  public Integer call() {
    if (amount.proved > 0) {
      Path dir = keys != null ? keys : developmentKeys;
      if (dir == null) {
        throw new IllegalArgumentException(
            "--keys: which development keys? (the file keys-dir beside a sandbox's data says)");
      }
      TransferPools.prove(dir, url, out, seed, amount.proved);
    } else {
      LoadTestKeys source = keys == null ? TransferPools.keys() : LoadTestKeys.at(keys);
      int workers = Runtime.getRuntime().availableProcessors();
      TransferPools.forge(
          source, url, out, new TransferSeries(seed, first, amount.count, 0, workers));
    }
    System.out.println(out);
    return 0;
  }
}
