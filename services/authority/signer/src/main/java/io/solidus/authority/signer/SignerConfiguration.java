package io.solidus.authority.signer;

import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.common.Issuers;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.common.facts.FactNotes;
import io.solidus.authority.common.facts.FactStore;
import io.solidus.authority.common.facts.RootCheck;
import io.solidus.authority.custody.Binding;
import io.solidus.authority.custody.ShareFile;
import io.solidus.authority.signer.log.LogAnchor;
import io.solidus.authority.signer.log.LogAudit;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.production.Production;
import io.solidus.platform.time.Periodically;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeySet;
import io.solidus.prover.Share;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import io.solidus.wire.v1.SignerServiceGrpc;
import java.time.Clock;
import java.util.Arrays;
import java.util.Set;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.GlobalServerInterceptor;

/** Puts the signer together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SignerProperties.class)
public class SignerConfiguration {

  /**
   * A registration needs no token: it is bound to an attestation, and signed only when the
   * authority's issuer has reserved it.
   */
  private static final Set<String> SHARDS_ONLY =
      Set.of(
          SignerServiceGrpc.getCheckTransfersMethod().getFullMethodName(),
          SignerServiceGrpc.getCheckMintMethod().getFullMethodName(),
          SignerServiceGrpc.getSignTransfersMethod().getFullMethodName(),
          SignerServiceGrpc.getSignMintMethod().getFullMethodName());

  private static final int WORK_QUEUE = 512;

  /** A thread apart for certificates, which can be long and come from anybody. */
  record Certificates(NativePool pool) implements AutoCloseable {
    @Override
    public void close() {
      pool.close();
    }
  }

  /**
   * What the share file gives: the share in native memory, and the token derived from the note key.
   */
  record Secrets(Share share, InternalToken token) implements AutoCloseable {
    @Override
    public void close() {
      share.close();
    }
  }

  @Bean
  Issuers issuers(NoteTrust trust) {
    return Issuers.of(trust);
  }

  @Bean
  SignerNetwork signerNetwork(NetworkId id, NetworkKind kind) {
    return new SignerNetwork(id, kind);
  }

  @Bean(destroyMethod = "close")
  Verifier verifier(KeySet keys, Committee committee) {
    return Verifier.open(keys, committee);
  }

  @Bean(destroyMethod = "close")
  Secrets secrets(
      SignerProperties properties, KeySet keys, Committee committee, Environment environment) {
    Binding binding = Binding.of(keys, properties.authority());
    try (ShareFile file = ShareFile.read(properties.shareFile(), properties.token(), binding)) {
      if (Production.isOn(environment)) {
        file.requireCeremony();
      }
      Share share = file.open(properties.authority());
      if (!share.matches(committee.member(properties.authority()))) {
        share.close();
        throw new IllegalStateException(
            "the key share does not belong to the committee in the manifest");
      }
      byte[] seed = file.noteKeySeed();
      InternalToken token = InternalToken.derive(seed);
      Arrays.fill(seed, (byte) 0);
      return new Secrets(share, token);
    }
  }

  @Bean
  FactBook factBook(
      AuthorityDatabase database,
      SignerNetwork network,
      Issuers issuers,
      SignerProperties properties,
      Clock clock) {
    FactBook book =
        new FactBook(
            new FactStore(database.jdbc()),
            new FactNotes(network.id(), issuers.policy(), issuers.sanctions()),
            new RootCheck(network.id()),
            windows(properties),
            clock);
    book.refresh();
    return book;
  }

  @Bean
  Periodically factRefresh(FactBook book, SignerProperties properties) {
    return new Periodically("fact-refresh", properties.refreshInterval(), book::refresh);
  }

  @Bean
  AdmissionRule admissionRule(SignerNetwork network, SignerProperties properties) {
    return new AdmissionRule(network.kind(), windows(properties));
  }

  /**
   * Threads for everything native but the verification of transfers, so that a signature does not
   * wait for a batch of those.
   */
  @Bean(destroyMethod = "close")
  NativePool nativePool(SignerProperties properties) {
    return new NativePool(properties.threads(), WORK_QUEUE, properties.deadline());
  }

  @Bean(destroyMethod = "close")
  Certificates certificates(SignerProperties properties) {
    return new Certificates(new NativePool(1, WORK_QUEUE, properties.deadline()));
  }

  @Bean(destroyMethod = "close")
  VerificationPool verificationPool(
      Verifier verifier,
      SignerNetwork network,
      SignerProperties properties,
      SignerMetrics metrics) {
    return new VerificationPool(
        new NativeTransfers(verifier, network.kind()), properties.verification(), metrics);
  }

  @Bean
  TransferMemory transferMemory(VerdictCache verdicts, SignerProperties properties) {
    return new TransferMemory(verdicts, properties.verdicts());
  }

  @Bean
  VerdictCache verdictCache(SignerProperties properties) {
    return new VerdictCache(properties.verdicts());
  }

  @Bean
  SpentRows spentRows(AuthorityDatabase database) {
    return new SpentRows(database.jdbc());
  }

  @Bean
  LogHolder logHolder(
      AuthorityDatabase database,
      SpentRows spent,
      SignerProperties properties,
      SignerNetwork network) {
    LogAnchor anchor = new LogAnchor(database);
    LogAudit audit =
        new LogAudit(network.id(), properties.authority(), anchor, spent, properties.anchorFile());
    return new LogHolder(audit, properties.signLog());
  }

  @Bean
  TransferCheck transferCheck(
      SignerNetwork network,
      Suite suite,
      Committee committee,
      FactBook book,
      AdmissionRule rule,
      Certificates certificates,
      VerificationPool verifications,
      TransferMemory memory,
      SignerProperties properties,
      Clock clock) {
    FinishRule finish = new FinishRule(suite, committee);
    return new TransferCheck(
        network,
        book,
        rule,
        finish,
        certificates.pool(),
        verifications,
        memory,
        clock,
        properties.deadline());
  }

  @Bean
  MintCheck mintCheck(
      SignerNetwork network,
      Issuers issuers,
      FactBook book,
      AdmissionRule rule,
      Verifier verifier,
      VerdictCache verdicts,
      NativePool pool,
      Clock clock) {
    return new MintCheck(network, issuers.approvers(), book, rule, verifier, verdicts, pool, clock);
  }

  @Bean
  Signing signing(
      SignerNetwork network,
      Committee committee,
      Secrets secrets,
      SpentRows reserved,
      LogHolder signLog,
      NativePool pool,
      SignerProperties properties,
      SignerMetrics metrics) {
    return new Signing(
        network,
        committee,
        secrets.share(),
        reserved,
        signLog,
        pool,
        properties.deadline(),
        metrics);
  }

  @Bean
  TransferBatches transferBatches(
      SignerNetwork network,
      TransferCheck check,
      VerificationPool verifications,
      TransferMemory memory,
      Signing signing,
      LogHolder signLog) {
    return new TransferBatches(network, check, verifications, memory, signing, signLog);
  }

  @Bean
  SignerEndpoint signerEndpoint(
      SignerNetwork network,
      TransferBatches batches,
      MintCheck mints,
      Issuers issuers,
      Verifier verifier,
      NativePool pool,
      Signing signing,
      LogHolder signLog,
      SignerMetrics metrics) {
    RegistrationCheck registrations =
        new RegistrationCheck(network, issuers.registration(), verifier, pool);
    return new SignerEndpoint(network, batches, mints, registrations, signing, signLog, metrics);
  }

  @Bean
  SignerMetrics signerMetrics(MeterRegistry registry, Spans spans) {
    return new SignerMetrics(registry, spans);
  }

  @Bean
  SignerGauges signerGauges(
      NativePool pool,
      VerificationPool verifications,
      VerdictCache verdicts,
      TransferMemory memory) {
    return new SignerGauges(pool, verifications, verdicts, memory);
  }

  @Bean
  LogGauges logGauges(LogHolder signLog) {
    return new LogGauges(signLog);
  }

  @Bean
  SignLogDisk signLogDisk(SignerProperties properties) {
    return new SignLogDisk(properties.signLog());
  }

  @Bean
  SignerHealth signerHealth(LogHolder signLog) {
    return new SignerHealth(signLog);
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor shardsOnly(Secrets secrets) {
    return InternalCalls.require(secrets.token(), SHARDS_ONLY);
  }

  private static AdmissionWindows windows(SignerProperties p) {
    return new AdmissionWindows(p.policyGrace(), p.periodGrace(), p.heartbeatMaxAge());
  }
}
