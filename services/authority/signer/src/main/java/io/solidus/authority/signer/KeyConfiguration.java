package io.solidus.authority.signer;

import io.solidus.authority.common.InternalToken;
import io.solidus.authority.custody.Binding;
import io.solidus.authority.custody.ShareFile;
import io.solidus.platform.production.Production;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.prover.KeySet;
import io.solidus.prover.Verifier;
import java.util.Arrays;
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
      SignerProperties properties, KeySet keys, Committee committee, Environment environment) {
    Binding binding = Binding.of(keys, properties.authority());
    try (ShareFile file = ShareFile.read(properties.shareFile(), properties.token(), binding)) {
      if (Production.isOn(environment)) {
        file.requireCeremony();
      }
      SignerSecrets secrets = open(file, properties.authority());
      try {
        requireMember(secrets, committee.member(properties.authority()));
        return secrets;
      } catch (RuntimeException e) {
        secrets.close();
        throw e;
      }
    }
  }

  private static SignerSecrets open(ShareFile file, int authority) {
    byte[] seed = file.noteKeySeed();
    try {
      InternalToken token = InternalToken.derive(seed);
      return new SignerSecrets(file.open(authority), Ed25519PrivateKey.fromSeed(seed), token);
    } finally {
      Arrays.fill(seed, (byte) 0);
    }
  }

  private static void requireMember(SignerSecrets secrets, CommitteeMember member) {
    if (!secrets.share().matches(member)) {
      throw new IllegalStateException(
          "the key share does not belong to the committee in the manifest");
    }
    if (!secrets.noteKey().publicKey().equals(member.noteKey())) {
      throw new IllegalStateException(
          "the note key does not belong to the committee in the manifest");
    }
  }
}
