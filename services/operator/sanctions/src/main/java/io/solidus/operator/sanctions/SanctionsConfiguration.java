package io.solidus.operator.sanctions;

import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The network and the two signing keys of this authority. */
@Configuration(proxyBeanMethods = false)
class SanctionsConfiguration {
  static final String CHECKPOINT_SIGNER = "checkpointSigner";
  static final String POLICY_SIGNER = "policySigner";

  @Bean
  NetworkId networkId(SanctionsProperties properties) {
    return new NetworkId(properties.networkId());
  }

  @Bean(CHECKPOINT_SIGNER)
  NoteSigner checkpointSigner(SanctionsProperties properties) {
    return NoteSigners.load(NoteTrust.SANCTIONS, properties.noteKeyFile());
  }

  /** A separate key, so that the key that signs limits cannot list addresses. */
  @Bean(POLICY_SIGNER)
  NoteSigner policySigner(SanctionsProperties properties, NoteSigner checkpointSigner) {
    NoteSigner signer = NoteSigners.load(NoteTrust.POLICY, properties.policyNoteKeyFile());
    if (signer.publicKey().publicKey().equals(checkpointSigner.publicKey().publicKey())) {
      throw new IllegalStateException("policies and checkpoints need different signing keys");
    }
    return signer;
  }

  @Bean
  PublishedNotes publishedPolicies(
      @Qualifier(POLICY_SIGNER) NoteSigner policySigner, NoteTrust trust) {
    return new PublishedNotes(policySigner, trust.former("policy"));
  }

  @Bean
  PublishedNotes publishedCheckpoints(
      @Qualifier(CHECKPOINT_SIGNER) NoteSigner checkpointSigner, NoteTrust trust) {
    return new PublishedNotes(checkpointSigner, trust.former("sanctions"));
  }
}
