package io.solidus.operator.console.health;

import io.solidus.operator.console.api.Apis;
import io.solidus.operator.console.frame.ConsolePage;
import io.solidus.operator.console.frame.NavEntry;
import io.solidus.operator.console.frame.Together;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Which services are ready, asked anew every few seconds. */
@Controller
class HealthController implements ConsolePage {
  private final Apis apis;
  private final Clock clock;

  HealthController(Apis apis, Clock clock) {
    this.apis = apis;
    this.clock = clock;
  }

  record ServiceState(String name, boolean ready) {}

  @Override
  public List<NavEntry> navigation() {
    return List.of(new NavEntry("Control", 900, "Health", "/health", Set.of()));
  }

  @GetMapping("/health")
  String page(Model model) {
    fill(model);
    return "health";
  }

  @GetMapping("/live/health")
  String live(Model model) {
    fill(model);
    return "health :: services";
  }

  private void fill(Model model) {
    List<Supplier<ServiceState>> calls =
        new TreeMap<>(apis.health())
            .entrySet().stream()
                .<Supplier<ServiceState>>map(service ->
                    () -> new ServiceState(service.getKey(), apis.isReady(service.getValue())))
                .toList();
    List<ServiceState> services = Together.all(calls);
    long away = services.stream().filter(service -> !service.ready()).count();
    model.addAttribute("services", services);
    model.addAttribute("away", away);
    model.addAttribute("at", clock.instant());
  }
}
