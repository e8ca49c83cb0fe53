package io.solidus.operator.sanctions;

import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.webhook.WaitingWork;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import java.time.Clock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

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
  WaitingWork waitingWork(JdbcClient jdbc, Clock clock) {
    String proposals =
        "SELECT count(*) FROM proposal WHERE state = 'pending' AND expires_at > :now AND kind ";
    return new WaitingWork(jdbc, clock)
        .with("import.waiting", proposals + "= 'list-import'")
        .with("proposal.waiting", proposals + "<> 'list-import'");
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
