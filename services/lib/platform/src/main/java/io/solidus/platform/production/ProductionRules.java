package io.solidus.platform.production;

import io.solidus.platform.production.ProductionRefusedException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The rules of the production profile. Every rule reads the values as the service would. */
final class ProductionRules {
  private static final Set<String> DEVELOPMENT_PROFILES =
      Set.of("development", "dev", "load-test", "sandbox", "demo", "test");

  /** A service with one of these properties calls others over gRPC. */
  private static final List<String> CALLERS =
      List.of(
          "solidus.validator.signer",
          "solidus.compliance-issuer.signer-address",
          "solidus.gateway.authorities[0].index");

  /** A process of an authority with its database has one of these properties. */
  private static final List<String> OF_AN_AUTHORITY =
      List.of(
          "solidus.validator.signer",
          "solidus.signer.sign-log",
          "solidus.compliance-issuer.signer-address");

  /** The files that show an old backup, by a property of the service that needs one. */
  private static final Map<String, String> ANCHORS =
      Map.of(
          "solidus.signer.sign-log", "solidus.signer.anchor-file",
          "solidus.issuance.redemption-key-file", "solidus.issuance.anchor-file");

  private static final List<String> URLS =
      List.of(
          "solidus.validator.sanctions-url",
          "solidus.replica.gateway",
          "solidus.registration.screening.url",
          "solidus.issuance.sanctions-url",
          "solidus.issuance.screening.url",
          "solidus.sanctions.public-url",
          "solidus.gateway.sanctions-url",
          "solidus.gateway.urls.registration",
          "solidus.gateway.urls.sanctions",
          "solidus.gateway.urls.issuance",
          "solidus.relay.target",
          "solidus.console.public-url",
          "solidus.console.login.issuer-uri",
          "solidus.console.registration",
          "solidus.console.sanctions",
          "solidus.console.issuance",
          "solidus.security.jwt.issuer-uri",
          "solidus.service-client.token-url");

  /**
   * All other endpoints of the actuator reveal or change internals: memory, settings, log levels.
   */
  private static final Set<String> HARMLESS_ENDPOINTS =
      Set.of("health", "info", "metrics", "prometheus");

  private static final List<String> KAFKA_CLIENTS =
      List.of("", "consumer.", "producer.", "admin.", "streams.");

  /**
   * Properties that override spring.datasource.url with another database or without the check of
   * its certificate.
   */
  private static final List<String> OTHER_DATABASES =
      List.of(
          "spring.datasource.hikari.jdbc-url",
          "spring.datasource.hikari.username",
          "spring.datasource.hikari.password",
          "spring.datasource.hikari.data-source-class-name",
          "spring.datasource.hikari.data-source-properties.sslmode",
          "spring.datasource.hikari.data-source-properties.sslfactory",
          "spring.datasource.hikari.data-source-properties.sslhostnameverifier",
          "spring.flyway.url");

  /** What a rule needs of a webhook's target; not private, so that Spring finds its constructor. */
  record WebhookUrl(@Nullable String url) {}

  private final Environment environment;
  private final List<Reason> reasons = new ArrayList<>();

  private ProductionRules(Environment environment) {
    this.environment = environment;
  }

  /** Returns every violated rule. */
  static List<Reason> violatedBy(Environment environment) {
    ProductionRules rules = new ProductionRules(environment);
    rules.keys();
    rules.profiles();
    rules.servers();
    rules.calls();
    rules.database();
    rules.losses();
    rules.auditNotes();
    rules.kafka();
    rules.tokens();
    rules.screening();
    rules.sessions();
    rules.adminPort();
    rules.management();
    return rules.reasons;
  }

  private void keys() {
    String property = "solidus.network.allowed-key-classes";
    List<String> classes = list(property);
    if (!classes.stream().allMatch("ceremony"::equals)) {
      refuse(ProductionCode.KEY_CLASS, property + " is " + classes + " and must be [ceremony]");
    }
    String transcripts = "solidus.network.transcripts";
    if (!classes.isEmpty()
        && (list(transcripts).isEmpty()
            || !list(transcripts).stream().allMatch(one -> one.matches("[0-9a-f]{64}")))) {
      refuse(
          ProductionCode.TRANSCRIPTS,
          transcripts + " must have the SHA-256 of each ceremony that made the keys");
    }
    String review = "solidus.network.suite-review";
    if (!classes.isEmpty() && !given(review)) {
      refuse(
          ProductionCode.SUITE_REVIEW,
          review + " must name the external review of the cryptographic suite");
    }
  }

  private void profiles() {
    Arrays.stream(environment.getActiveProfiles())
        .filter(DEVELOPMENT_PROFILES::contains)
        .forEach(profile ->
            refuse(ProductionCode.MIXED_PROFILE, "the profile " + profile + " is active as well"));
  }

  /**
   * A service listens for gRPC or for REST. A gRPC service has only probes and metrics on its other
   * port.
   */
  private void servers() {
    if (flag("spring.grpc.server.enabled", true) && given("spring.grpc.server.port")) {
      if (!given("spring.grpc.server.ssl.bundle")
          || !flag("spring.grpc.server.ssl.enabled", true)) {
        refuse(ProductionCode.PLAINTEXT_GRPC, "spring.grpc.server.ssl.bundle is missing");
      }
      if (!"require".equals(text("spring.grpc.server.ssl.client-auth").toLowerCase(Locale.ROOT))) {
        refuse(ProductionCode.PLAINTEXT_GRPC, "spring.grpc.server.ssl.client-auth must be require");
      }
      if (!flag("spring.grpc.server.ssl.secure", true)) {
        refuse(
            ProductionCode.PLAINTEXT_GRPC,
            "spring.grpc.server.ssl.secure is off: callers' certificates would not be checked");
      }
    } else if (!"none".equals(text("spring.main.web-application-type").toLowerCase(Locale.ROOT))
        && !(flag("server.ssl.enabled", true)
            && (given("server.ssl.bundle")
                || given("server.ssl.certificate")
                || given("server.ssl.key-store")))) {
      refuse(ProductionCode.PLAINTEXT_REST, "server.ssl.bundle is missing");
    }
  }

  private void calls() {
    for (String property :
        List.of("solidus.grpc.allow-plaintext", "solidus.tracing.allow-plaintext")) {
      if (flag(property, false)) {
        refuse(ProductionCode.PLAINTEXT_GRPC, property + " is set");
      }
    }
    if (CALLERS.stream().anyMatch(this::given) && !given("solidus.grpc.ssl-bundle")) {
      refuse(ProductionCode.PLAINTEXT_GRPC, "solidus.grpc.ssl-bundle is missing");
    }
    for (String property : URLS) {
      if (text(property).toLowerCase(Locale.ROOT).startsWith("http:")) {
        refuse(ProductionCode.PLAINTEXT_URL, property + " must start with https");
      }
    }
    webhooks();
  }

  private void webhooks() {
    Binder.get(environment)
        .bind("solidus.webhooks.targets", Bindable.mapOf(String.class, WebhookUrl.class))
        .orElse(Map.of())
        .forEach((name, target) -> {
          if (target.url() == null
              || !target.url().strip().toLowerCase(Locale.ROOT).startsWith("https:")) {
            refuse(
                ProductionCode.PLAINTEXT_URL,
                "solidus.webhooks.targets." + name + ".url must start with https");
          }
        });
  }

  private void database() {
    if (!flag("solidus.platform.database", true)) {
      return;
    }
    String url = text("spring.datasource.url");
    if (!url.isEmpty() && !verifiesTheServer(url)) {
      refuse(
          ProductionCode.PLAINTEXT_DATABASE,
          "spring.datasource.url must contain sslmode=verify-full, once, and neither sslfactory nor"
              + " sslhostnameverifier");
    }
    OTHER_DATABASES.stream()
        .filter(this::given)
        .forEach(property ->
            refuse(
                ProductionCode.PLAINTEXT_DATABASE,
                property + " overrides spring.datasource.url; it must not be set"));
    String password = text("spring.datasource.password");
    if (!password.isEmpty() && password.equals(text("spring.datasource.username"))) {
      refuse(ProductionCode.FIXED_PASSWORD, "spring.datasource.password is the user's name");
    }
  }

  /** Requires exactly one sslmode, because the last of several is used. */
  private static boolean verifiesTheServer(String url) {
    List<String> settings = Arrays.asList(url.substring(url.indexOf('?') + 1).split("&"));
    List<String> modes =
        settings.stream().filter(setting -> setting.startsWith("sslmode=")).toList();
    return modes.equals(List.of("sslmode=verify-full"))
        && settings.stream()
            .noneMatch(setting ->
                setting.startsWith("sslfactory") || setting.startsWith("sslhostnameverifier"));
  }

  /** Standbys may be none, where the storage itself is replicated. Somebody has to say so. */
  private void losses() {
    String standbys = "solidus.validator.synchronous-standbys";
    if (OF_AN_AUTHORITY.stream().anyMatch(this::given) && !given(standbys)) {
      refuse(ProductionCode.UNNOTICED_LOSS, standbys + " must say how many a commit waits for");
    }
    ANCHORS.forEach((of, anchor) -> {
      if (given(of) && !given(anchor)) {
        refuse(
            ProductionCode.UNNOTICED_LOSS,
            anchor + " is missing: an old backup would not be noticed");
      }
    });
  }

  /** An audit log without notes outside it can be emptied or written anew unnoticed. */
  private void auditNotes() {
    String key = "solidus.audit.note-key-file";
    if (given("solidus.audit.table") && !given(key)) {
      refuse(
          ProductionCode.UNNOTICED_LOSS,
          key + " is missing: nothing would say how many events there were");
    }
  }

  private void kafka() {
    if (!flag("solidus.platform.kafka", true) || !given("spring.kafka.bootstrap-servers")) {
      return;
    }
    if (!encrypted(text("spring.kafka.security.protocol"))) {
      refuse(
          ProductionCode.PLAINTEXT_KAFKA, "spring.kafka.security.protocol must be SSL or SASL_SSL");
    }
    for (String client : KAFKA_CLIENTS) {
      for (String own : List.of("security.protocol", "properties.security.protocol")) {
        String property = "spring.kafka." + client + own;
        if (given(property) && !encrypted(text(property))) {
          refuse(ProductionCode.PLAINTEXT_KAFKA, property + " must be SSL or SASL_SSL");
        }
      }
      String names = "spring.kafka." + client + "properties.ssl.endpoint.identification.algorithm";
      if (environment.containsProperty(names) && !"https".equals(text(names))) {
        refuse(
            ProductionCode.PLAINTEXT_KAFKA,
            names + " must be https: the broker's host name would not be verified");
      }
    }
  }

  private static boolean encrypted(String protocol) {
    return Set.of("SSL", "SASL_SSL").contains(protocol);
  }

  private void tokens() {
    if (given("solidus.security.jwt.public-key")) {
      refuse(
          ProductionCode.STATIC_TOKEN_KEY,
          "solidus.security.jwt.public-key is for the sandbox; production uses"
              + " solidus.security.jwt.issuer-uri");
    }
    for (String property :
        List.of(
            "solidus.registration.screening.token-file", "solidus.issuance.screening.token-file")) {
      if (given(property)) {
        refuse(
            ProductionCode.STATIC_SERVICE_TOKEN,
            property + " is for the sandbox; production uses solidus.service-client");
      }
    }
  }

  /** Without its client the issuance would pay out to everybody, and say so nowhere. */
  private void screening() {
    if (!given("solidus.issuance.sanctions-url")) {
      return;
    }
    for (String property : List.of("solidus.issuance.screening.url", "solidus.service-client.id")) {
      if (!given(property)) {
        refuse(
            ProductionCode.UNSCREENED_MONEY,
            property + " is missing: nobody would screen who pays in and who is paid out");
      }
    }
  }

  /** The console's cookie is its people's login: whoever reads it acts for them. */
  private void sessions() {
    if (given("solidus.console.public-url")
        && !(flag("server.servlet.session.cookie.secure", false)
            && flag("server.servlet.session.cookie.http-only", true)
            && text("server.servlet.session.cookie.name").startsWith("__Host-"))) {
      refuse(
          ProductionCode.OPEN_COOKIE,
          "server.servlet.session.cookie must be secure and http-only, and its name must begin with"
              + " __Host-");
    }
  }

  /** Anything but a port, such as false, takes the listener away and leaves its routes behind. */
  private void adminPort() {
    String property = "solidus.admin.port";
    String port = text(property);
    if (environment.containsProperty(property)
        && (!port.matches("[1-9][0-9]{0,4}") || port.equals(text("server.port")))) {
      refuse(
          ProductionCode.OPEN_ADMIN,
          property + " must be a port of its own: the admin API would be on the wallets' port");
    }
  }

  private void management() {
    for (String endpoint : list("management.endpoints.web.exposure.include")) {
      // the actuator accepts heap-dump and HEAP_DUMP for heapdump
      if (!HARMLESS_ENDPOINTS.contains(endpoint.replaceAll("[^a-z0-9*]", ""))) {
        refuse(
            ProductionCode.OPEN_MANAGEMENT,
            "management.endpoints.web.exposure.include has " + endpoint);
      }
    }
  }

  private void refuse(ProductionCode code, String detail) {
    reasons.add(new Reason(code, detail));
  }

  private boolean given(String property) {
    return !text(property).isEmpty();
  }

  private String text(String property) {
    return environment.getProperty(property, "").strip();
  }

  private boolean flag(String property, boolean otherwise) {
    return environment.getProperty(property, Boolean.class, otherwise);
  }

  /** Returns a list property, in any form that Spring accepts, in lower case and with dashes. */
  private List<String> list(String property) {
    return Binder.get(environment)
        .bind(property, Bindable.listOf(String.class))
        .orElse(List.of())
        .stream()
        .map(value -> value.strip().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }
}
