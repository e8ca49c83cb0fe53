package io.solidus.loadtest.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.loadtest.forge.RequestPool;
import io.solidus.loadtest.forge.RestTransfer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class TransferFeederTest {
  private static final int COUNT = 50;

  @TempDir private Path temporary;

  private static HttpResponse<String> get(HttpClient http, URI feeder, String query)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(feeder.resolve("/next" + query)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void manyReadersGetEveryTransferOnce() throws Exception {
    try (RequestPool pool =
            RequestPool.open(TestPools.forge(temporary.resolve("pool"), "feeder", COUNT));
        TransferFeeder feeder = TransferFeeder.start(pool, 0);
        HttpClient http = HttpClient.newHttpClient();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      Callable<List<String>> reader =
          () -> {
            List<String> lines = new ArrayList<>();
            for (HttpResponse<String> answer = get(http, feeder.url(), "?count=3");
                answer.statusCode() == 200;
                answer = get(http, feeder.url(), "?count=3")) {
              lines.addAll(answer.body().lines().toList());
            }
            return lines;
          };
      List<String> cores = new ArrayList<>();
      for (Future<List<String>> lines :
          threads.invokeAll(List.of(reader, reader, reader, reader))) {
        lines.get().forEach(line -> cores.add(RestTransfer.parse(line).core()));
      }
      assertThat(cores).hasSize(COUNT).doesNotHaveDuplicates();
      assertThat(get(http, feeder.url(), "").statusCode()).isEqualTo(410);
      assertThat(get(http, feeder.url(), "?count=many").statusCode()).isEqualTo(400);
      assertThat(get(http, feeder.url(), "?count=0").statusCode()).isEqualTo(400);
    }
  }
}
