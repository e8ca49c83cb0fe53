package io.solidus.authority.signer;

import io.solidus.authority.common.InternalToken;
import io.solidus.authority.custody.Binding;
import io.solidus.authority.custody.ShareFile;
import io.solidus.platform.production.Production;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.prover.KeySet;
import io.solidus.prover.Verifier;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The key share and the verifying keys. */
@Configuration(proxyBeanMethods = false)
class KeyConfiguration {

  @Bean(destroyMethod = "close")
  Verifier verifier(KeySet keys, Committee committee) {
    return Verifier.open(keys, committee);
  }

  @Bean(destroyMethod = "close")
  SignerSecrets signerSecrets(
      SignerProperties properties,
      KeySet keys,
      Committee committee,
      Environment environment,
      Clock clock) {
    try (Opening opening = new Opening(properties, Production.isOn(environment))) {
      HeldShare present =
          opening.open(properties.shareFile(), Binding.of(keys, properties.authority()), committee);
      Optional<SigningShares.Former> former =
          committee.former().stream()
              .findFirst()
              .filter(was -> clock.instant().isBefore(was.sharesUntil()))
              .flatMap(was ->
                  Optional.ofNullable(properties.formerShareFile())
                      .map(file ->
                          new SigningShares.Former(
                              opening.open(
                                  file,
                                  Binding.of(keys, was, properties.authority()),
                                  was.committee()),
                              was.sharesUntil())));
      return opening.keep(
          new SignerSecrets(new SigningShares(present, former, clock), opening.token()));
    }
  }

  /** Opens share files. Closes what it opened unless it is kept. */
  private static final class Opening implements AutoCloseable {
    private final SignerProperties properties;
    private final boolean production;
    private final List<HeldShare> opened = new ArrayList<>();
    private @Nullable InternalToken token;

    Opening(SignerProperties properties, boolean production) {
      this.properties = properties;
      this.production = production;
    }

    HeldShare open(Path path, Binding binding, Committee committee) {
      try (ShareFile file = ShareFile.read(path, properties.token(), binding)) {
        if (production) {
          file.requireCeremony();
        }
        byte[] seed = file.noteKeySeed();
        try {
          if (token == null) {
            token = InternalToken.derive(seed);
          }
          HeldShare held =
              new HeldShare(
                  committee.epoch(),
                  file.open(binding.authority()),
                  Ed25519PrivateKey.fromSeed(seed));
          opened.add(held);
          held.requireMember(committee.member(binding.authority()));
          return held;
        } finally {
          Arrays.fill(seed, (byte) 0);
        }
      }
    }

    /** Derived from the note key that was opened first. */
    InternalToken token() {
      return Objects.requireNonNull(token);
    }

    SignerSecrets keep(SignerSecrets secrets) {
      opened.clear();
      return secrets;
    }

    @Override
    public void close() {
      opened.forEach(HeldShare::close);
    }
  }
}
