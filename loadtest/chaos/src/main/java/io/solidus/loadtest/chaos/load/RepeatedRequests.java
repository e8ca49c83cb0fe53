package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.TxCore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends finished transfers again to the authorities that signed them; the tap compares the bytes.
 */
public final class RepeatedRequests {

  private static final int AT_A_TIME = 16;
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration EACH = Duration.ofMillis(150);

  private RepeatedRequests() {}

  /**
   * Sends the transfers again.
   *
   * @param incidents gets a line for each transfer that is not signed again
   * @return the number of signatures asked for
   */
  public static long ask(
      Collection<Transfer> transfers,
      SignatureTap tap,
      SigningClient client,
      Collection<String> incidents)
      throws InterruptedException {
    Map<TxCore, Set<Integer>> signers = tap.authorities();
    long end = System.nanoTime() + LIMIT.plus(EACH.multipliedBy(transfers.size())).toNanos();
    List<Future<String>> answers = new ArrayList<>();
    long asked = 0;
    try (ExecutorService executor = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (Transfer transfer : transfers) {
        Set<Integer> authorities = signers.getOrDefault(transfer.core(), Set.of());
        asked += authorities.size();
        answers.add(
            executor.submit(() -> {
              SigningClient.Result result =
                  client.collect(
                      transfer,
                      authorities,
                      soFar ->
                          soFar.signed().size() + soFar.refusals().size() == authorities.size(),
                      () -> System.nanoTime() - end > 0);
              return result.signed().size() == authorities.size()
                  ? ""
                  : missing(transfer, authorities, result);
            }));
      }
      for (Future<String> answer : answers) {
        String missing = answer.get();
        if (!missing.isEmpty()) {
          incidents.add(missing);
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking again failed", e.getCause());
    }
    return asked;
  }

  private static String missing(
      Transfer transfer, Set<Integer> authorities, SigningClient.Result result) {
    List<Integer> silent =
        authorities.stream().filter(index -> !result.signed().containsKey(index)).toList();
    return "authorities "
        + silent
        + " signed "
        + transfer.core()
        + " and do not do so again: "
        + result.refusals();
  }
}
