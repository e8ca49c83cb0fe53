package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.ApiTap;
import io.solidus.dev.testkit.HappyPaths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Taps between the persons of the story and the services, which compare every answer with
 * docs/reference/api.
 */
final class DescribedApis implements AutoCloseable {
  private static final int BESIDE = 40;

  private final SandboxOptions options;
  private final HappyPaths paths = new HappyPaths();
  private final List<ApiTap> taps = new ArrayList<>();

  DescribedApis(SandboxOptions options) throws IOException {
    this.options = options;
    Ports real = options.ports();
    Ports tapped = tapped().ports();
    tap("gateway", tapped.gateway(), real.gateway());
    tap("registration", tapped.registration(), real.registration());
    tap("registration", tapped.registrationAdmin(), real.registrationAdmin());
    tap("sanctions", tapped.sanctions(), real.sanctions());
    tap("sanctions", tapped.sanctionsAdmin(), real.sanctionsAdmin());
    tap("issuance", tapped.issuance(), real.issuance());
    tap("issuance", tapped.issuanceAdmin(), real.issuanceAdmin());
  }

  private void tap(String service, int port, int target) throws IOException {
    taps.add(new ApiTap(port, target, paths.of(service)));
  }

  /** The sandbox as its clients see it through the taps. */
  SandboxOptions tapped() {
    return options.withPorts(options.ports().inFront(BESIDE));
  }

  /**
   * Fails when an answer differs from its description, or when a call that the story makes never
   * succeeded.
   */
  void answeredAsDescribed() throws IOException {
    paths.succeeded().forEach(call -> System.out.println("story succeeded: " + call));
    assertThat(taps.stream().flatMap(tap -> tap.findings().stream()))
        .as("answers that docs/reference/api describes otherwise")
        .isEmpty();
    paths.requireSucceeded("story");
  }

  @Override
  public void close() {
    taps.forEach(ApiTap::close);
  }
}
