package io.solidus.dev.sandbox.services;

import io.solidus.authority.complianceissuer.ComplianceIssuerApplication;
import io.solidus.authority.replica.ReplicaApplication;
import io.solidus.authority.shard.ShardApplication;
import io.solidus.authority.signer.SignerApplication;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One authority: its signer, its shards, its replica of the mailbox and, in a regulated network,
 * its compliance issuer, each in a context of its own. A load test has no replicas.
 */
final class Authority implements AutoCloseable {
  private final int index;
  private final SandboxOptions options;
  private final ServiceProperties properties;
  private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

  Authority(int index, SandboxOptions options, ServiceProperties properties) {
    this.index = index;
    this.options = options;
    this.properties = properties;
  }

  synchronized void start() throws Exception {
    if (!contexts.isEmpty()) {
      return;
    }
    try {
      contexts.add(SignerApplication.start(properties.signer(index)));
      for (int shard = 0; shard < options.shards(); shard++) {
        contexts.add(ShardApplication.start(properties.shard(index, shard)));
      }
      if (options.isRegulated()) {
        contexts.add(ComplianceIssuerApplication.start(properties.issuer(index)));
      }
      if (!options.loadTest()) {
        contexts.add(ReplicaApplication.start(properties.replica(index)));
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    contexts.reversed().forEach(ConfigurableApplicationContext::close);
    contexts.clear();
  }
}
