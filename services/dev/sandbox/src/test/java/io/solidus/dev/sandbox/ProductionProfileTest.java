package io.solidus.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.complianceissuer.ComplianceIssuerApplication;
import io.solidus.authority.shard.ShardApplication;
import io.solidus.authority.shard.SplitApplication;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.dev.sandbox.cli.SandboxMain;
import io.solidus.dev.testkit.CeremonyClass;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.edge.prover.ProverApplication;
import io.solidus.operator.issuance.IssuanceApplication;
import io.solidus.operator.registration.RegistrationApplication;
import io.solidus.operator.sanctions.SanctionsApplication;
import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.production.ProductionCode;
import io.solidus.platform.production.ProductionRefusedException;
import io.solidus.platform.production.ProductionRefusedException.Reason;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.StandardEnvironment;

/**
 * Every service under the production profile: it refuses development settings and keys, and accepts
 * a ceremony's keys.
 */
@Tag("process")
class ProductionProfileTest {
  private static final String ANY_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private static TestCommittee development;
  private static CeremonyClass ceremony;

  @BeforeAll
  static void keys(@TempDir Path folder) {
    development = TestCommittee.regulated();
    ceremony = CeremonyClass.of(development.keysDir(), folder.resolve("ceremony"));
  }

  /** The services, each with the configuration that its chart sets. */
  enum Service {
    REGISTRATION(RegistrationApplication.class, "registration") {
      @Override
      void more(Map<String, Object> p) {
        rest(p);
        kafka(p);
        seeds(
            p,
            "solidus.audit.note-key-file",
            "solidus.registration.note-key-file",
            "solidus.registration.person-key-file",
            "solidus.registration.pepper-file");
        p.put("solidus.registration.screening.url", "https://sanctions:8082");
      }
    },
    SANCTIONS(SanctionsApplication.class, "sanctions") {
      @Override
      void more(Map<String, Object> p) {
        rest(p);
        kafka(p);
        p.put("solidus.sanctions.network-id", TestCommittee.NETWORK.value());
        seeds(
            p,
            "solidus.audit.note-key-file",
            "solidus.sanctions.note-key-file",
            "solidus.sanctions.policy-note-key-file");
      }
    },
    ISSUANCE(IssuanceApplication.class, "issuance") {
      @Override
      void more(Map<String, Object> p) {
        rest(p);
        kafka(p);
        seeds(
            p,
            "solidus.audit.note-key-file",
            "solidus.issuance.redemption-key-file",
            "solidus.issuance.anchor-file");
        p.put("solidus.issuance.sanctions-url", "https://sanctions:8082");
        p.put("solidus.issuance.screening.url", "https://sanctions:8182");
        p.put("solidus.service-client.id", "issuance");
        p.put("solidus.service-client.secret-file", "/nowhere");
        p.put("solidus.issuance.approvers.anna.public-key", ANY_KEY);
        p.put("solidus.issuance.approvers.anna.subject", "anna");
      }
    },
    GATEWAY(GatewayApplication.class, "gateway") {
      @Override
      void more(Map<String, Object> p) {
        rest(p);
        p.put("solidus.grpc.ssl-bundle", "internal");
        p.put("solidus.gateway.authorities[0].index", "1");
        for (String url : List.of("registration", "sanctions", "issuance")) {
          p.put("solidus.gateway.urls." + url, "https://" + url + ".example");
        }
      }
    },
    PROVER(ProverApplication.class, "prover") {
      @Override
      void more(Map<String, Object> p) {
        grpc(p);
        seeds(p, "solidus.prover.hpke-key-file");
      }
    },
    COMPLIANCE_ISSUER(ComplianceIssuerApplication.class, "compliance-issuer") {
      @Override
      void more(Map<String, Object> p) {
        grpc(p);
        kafka(p);
        p.put("solidus.grpc.ssl-bundle", "internal");
        p.put("solidus.compliance-issuer.authority", "1");
        p.put("solidus.compliance-issuer.signer-address", "signer:9110");
        seeds(p, "solidus.compliance-issuer.internal-token-file");
        p.put("solidus.validator.synchronous-standbys", "1");
      }
    },
    SIGNER(SignerApplication.class, "signer") {
      @Override
      void more(Map<String, Object> p) {
        grpc(p);
        p.put("solidus.signer.authority", "1");
        seeds(
            p,
            "solidus.signer.share-file",
            "solidus.signer.sign-log",
            "solidus.signer.anchor-file");
        p.put("solidus.validator.synchronous-standbys", "1");
      }
    },
    SHARD(ShardApplication.class, "validator") {
      @Override
      void more(Map<String, Object> p) {
        shard(p);
      }
    },
    SPLIT(SplitApplication.class, "validator") {
      @Override
      void more(Map<String, Object> p) {
        shard(p);
        p.put("spring.main.web-application-type", "none");
      }
    };

    private final Class<?> application;
    private final String name;

    Service(Class<?> application, String name) {
      this.application = application;
      this.name = name;
    }

    abstract void more(Map<String, Object> p);

    Map<String, Object> chart() {
      Map<String, Object> p = new LinkedHashMap<>();
      p.put("spring.profiles.active", "production");
      p.put(
          "spring.datasource.url",
          "jdbc:postgresql://db:5432/solidus?sslmode=verify-full&sslrootcert=/ca.crt");
      p.put("spring.datasource.username", "solidus");
      p.put("spring.datasource.password", "a long random one");
      for (String trusted : List.of("registration", "sanctions", "policy")) {
        p.put("solidus.trust." + trusted, ANY_KEY);
      }
      if (this != SANCTIONS) {
        p.put("solidus.network.id", TestCommittee.NETWORK.value());
        p.put("solidus.network.kind", "regulated");
        p.put("solidus.network.keys-dir", ceremony.directory());
        p.put("solidus.network.manifest-key", ceremony.manifestKey());
        p.put("solidus.network.allowed-key-classes", "ceremony");
        p.put("solidus.network.suite-review", "a review by name");
        p.put("solidus.network.transcripts", ceremony.transcripts());
      }
      more(p);
      return p;
    }

    static void rest(Map<String, Object> p) {
      p.put("server.ssl.bundle", "internal");
      p.put("solidus.security.jwt.issuer-uri", "https://issuer.example");
    }

    static void grpc(Map<String, Object> p) {
      p.put("spring.grpc.server.ssl.bundle", "internal");
      p.put("spring.grpc.server.ssl.client-auth", "require");
    }

    static void kafka(Map<String, Object> p) {
      p.put("spring.kafka.bootstrap-servers", "broker:9093");
      p.put("spring.kafka.security.protocol", "SASL_SSL");
    }

    static void shard(Map<String, Object> p) {
      grpc(p);
      kafka(p);
      p.put("solidus.grpc.ssl-bundle", "internal");
      p.put("solidus.validator.authority", "1");
      p.put("solidus.validator.shard", "0");
      p.put("solidus.validator.signer", "signer:9110");
      p.put("solidus.validator.sanctions-url", "https://sanctions:8082");
      p.put("solidus.validator.synchronous-standbys", "1");
      seeds(p, "solidus.validator.note-key-file");
    }

    static void seeds(Map<String, Object> p, String... properties) {
      for (String property : properties) {
        p.put(property, "/nowhere");
      }
    }
  }

  /** Thrown when a service has passed the production checks. */
  private static final class Passed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Thrown when a service has opened its keys. */
  private static final class Opened extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final KeyClass keyClass;

    Opened(KeyClass keyClass) {
      this.keyClass = keyClass;
    }
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void passesTheGuardAsTheChartConfiguresIt(Service service) {
    assertThatThrownBy(() -> guarded(service, service.chart())).isInstanceOf(Passed.class);
  }

  @ParameterizedTest
  @EnumSource(value = Service.class, names = "SANCTIONS", mode = Mode.EXCLUDE)
  void refusesEveryOtherClassOfKeys(Service service) {
    for (String classes :
        List.of(
            "development",
            "load-test",
            "ceremony,development",
            "DEVELOPMENT",
            "LOAD_TEST,CEREMONY")) {
      Map<String, Object> p = service.chart();
      p.put("solidus.network.allowed-key-classes", classes);
      assertThat(refusal(service, p)).as(classes).containsExactly(ProductionCode.KEY_CLASS);
    }
  }

  /**
   * The sandbox's configuration is refused for several reasons, so removing any one setting does
   * not make it acceptable.
   */
  @ParameterizedTest
  @EnumSource(Service.class)
  void refusesWhatTheSandboxDoes(Service service) {
    Map<String, Object> p = service.chart();
    p.put("spring.datasource.url", "jdbc:postgresql://127.0.0.1:5432/solidus");
    p.put("spring.datasource.username", "postgres");
    p.put("spring.datasource.password", "postgres");
    p.put("spring.kafka.security.protocol", "PLAINTEXT");
    p.put("spring.grpc.server.ssl.bundle", "");
    p.put("server.ssl.bundle", "");
    p.put("solidus.security.jwt.public-key", "a development key");
    List<ProductionCode> codes = refusal(service, p);
    assertThat(codes)
        .contains(ProductionCode.STATIC_TOKEN_KEY)
        .containsAnyOf(ProductionCode.PLAINTEXT_GRPC, ProductionCode.PLAINTEXT_REST);
    if (service != Service.PROVER) {
      assertThat(codes).contains(ProductionCode.PLAINTEXT_DATABASE, ProductionCode.FIXED_PASSWORD);
    }
  }

  /** After the production checks, the native library checks the manifest. */
  @ParameterizedTest
  @EnumSource(
      value = Service.class,
      names = {"SANCTIONS", "SPLIT"},
      mode = Mode.EXCLUDE)
  void refusesAManifestOfDevelopmentKeys(Service service) {
    Map<String, Object> p = service.chart();
    p.put("solidus.network.keys-dir", development.keysDir());
    p.put("solidus.network.manifest-key", development.manifestKeyBase64());
    assertThat(catchThrowable(() -> openingKeys(service, p)))
        .hasRootCauseInstanceOf(NativeException.class)
        .rootCause()
        .satisfies(
            e -> assertThat(((NativeException) e).code()).isEqualTo(NativeErrorCode.KEYS_CLASS));
  }

  /** Attack: whoever has the manifest's key relabels keys that one dealer made. */
  @ParameterizedTest
  @CsvSource({
    "of another transcript, KEYS_TRANSCRIPTS",
    "beside shares, KEYS_CLASS",
    "beside a simulator, KEYS_CLASS",
    "with a malformed entry, KEYS_MANIFEST",
  })
  @Spec("K-12")
  void refusesKeysThatADealerRelabelled(String how, NativeErrorCode refusal, @TempDir Path folder)
      throws IOException {
    CeremonyClass relabelled =
        switch (how) {
          case "of another transcript" ->
              CeremonyClass.of(development.keysDir(), folder.resolve("keys"), "another");
          case "with a malformed entry" ->
              CeremonyClass.naming(development.keysDir(), folder.resolve("keys"), "setup", "00");
          default -> CeremonyClass.of(development.keysDir(), folder.resolve("keys"));
        };
    if (how.endsWith("shares")) {
      Files.createSymbolicLink(
          relabelled.directory().resolve("shares"), development.keysDir().resolve("shares"));
    } else if (how.endsWith("simulator")) {
      Files.createFile(relabelled.directory().resolve("simulator.json"));
    }
    Map<String, Object> p = Service.SIGNER.chart();
    p.put("solidus.network.keys-dir", relabelled.directory());
    p.put("solidus.network.manifest-key", relabelled.manifestKey());
    assertThat(catchThrowable(() -> openingKeys(Service.SIGNER, p)))
        .rootCause()
        .isInstanceOfSatisfying(
            NativeException.class, e -> assertThat(e.code()).isEqualTo(refusal));
  }

  /** The library compares pins that the guard did not see, and outside production too. */
  @Test
  void bothSidesAskForPins() {
    Map<String, Object> p = Service.SIGNER.chart();
    p.remove("solidus.network.transcripts");
    assertThat(refusal(Service.SIGNER, p)).containsExactly(ProductionCode.TRANSCRIPTS);
    assertThatThrownBy(() ->
            KeySet.open(
                ceremony.directory(),
                TestCommittee.NETWORK,
                NetworkKind.REGULATED,
                Set.of(KeyClass.CEREMONY),
                ceremony.manifestKeyBytes(),
                true,
                List.of()))
        .isInstanceOfSatisfying(
            NativeException.class,
            e -> assertThat(e.code()).isEqualTo(NativeErrorCode.KEYS_TRANSCRIPTS));
  }

  @ParameterizedTest
  @EnumSource(
      value = Service.class,
      names = {"SANCTIONS", "SPLIT"},
      mode = Mode.EXCLUDE)
  void opensKeysOfTheCeremonyClass(Service service) {
    assertThat(catchThrowable(() -> openingKeys(service, service.chart())))
        .isInstanceOfSatisfying(
            Opened.class, opened -> assertThat(opened.keyClass).isEqualTo(KeyClass.CEREMONY));
  }

  /** It does not even look at its arguments. */
  @Test
  void theSandboxDoesNothing() {
    StandardEnvironment environment = new StandardEnvironment();
    assertThat(SandboxMain.run(environment, "no-such-command")).isEqualTo(64);
    environment.setActiveProfiles("production");
    assertThat(SandboxMain.run(environment, "no-such-command")).isEqualTo(70);
  }

  /** Starts a service until the guard has spoken. */
  private static void guarded(Service service, Map<String, Object> p) {
    run(
        ServiceLauncher.builder(service.application, service.name)
            .initializers(context -> {
              throw new Passed();
            }),
        p);
  }

  /** Starts a service until it has opened its keys, before it connects to anything. */
  private static void openingKeys(Service service, Map<String, Object> p) {
    run(
        ServiceLauncher.builder(service.application, service.name)
            .initializers(context ->
                context.addBeanFactoryPostProcessor(beans -> {
                  // the properties bind through this one, whose turn would come later
                  beans
                      .getBean(PropertySourcesPlaceholderConfigurer.class)
                      .postProcessBeanFactory(beans);
                  try (KeySet keys = beans.getBean("keySet", KeySet.class)) {
                    throw new Opened(keys.keyClass());
                  }
                })),
        p);
  }

  private static List<ProductionCode> refusal(Service service, Map<String, Object> p) {
    Throwable refused = catchThrowable(() -> guarded(service, p));
    assertThat(refused).isInstanceOf(ProductionRefusedException.class);
    return ((ProductionRefusedException) refused)
        .reasons().stream().map(Reason::code).distinct().toList();
  }

  private static void run(SpringApplicationBuilder builder, Map<String, Object> p) {
    List<String> args = new ArrayList<>();
    p.forEach((key, value) -> args.add("--" + key + "=" + value));
    builder.registerShutdownHook(false).run(args.toArray(String[]::new)).close();
  }
}
