package io.solidus.authority.shard;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurabilityProperties;
import io.solidus.authority.shard.range.RangeSplit;
import io.solidus.authority.shard.range.SplitStep;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.platform.grpc.GrpcAutoConfiguration;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.notes.NoteSigners;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of the split command, from the configuration of a shard. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  NetworkProperties.class,
  ShardProperties.class,
  SplitProperties.class,
  DurabilityProperties.class
})
@ImportAutoConfiguration({SslAutoConfiguration.class, GrpcAutoConfiguration.class})
public class SplitConfiguration {

  private static final Logger log = LoggerFactory.getLogger(SplitConfiguration.class);
  private static final long STATUS_SECONDS = 5;

  /**
   * The note key is right when the map in force is signed with it; shards compare that key with the
   * manifest.
   */
  @Bean
  RangeSplit rangeSplit(
      DataSource database,
      NetworkProperties network,
      ShardProperties properties,
      DurabilityProperties durability,
      GrpcChannels channels) {
    // a change of owner on one disk alone would leave two owners when that disk is lost
    AuthorityDatabase.open(database, durability.transactions(database));
    NoteSigner signer =
        NoteSigners.load(
            CommitteeMember.noteName(properties.authority()), properties.noteKeyFile());
    return new RangeSplit(
        database,
        durability::transactions,
        new NetworkId(network.id()),
        properties.authority(),
        signer,
        serves(properties, channels),
        new Progress());
  }

  /** Whether the process at the address of a shard reports that it is this shard. */
  private static IntPredicate serves(ShardProperties properties, GrpcChannels channels) {
    return shard ->
        properties
            .addresses()
            .of(shard)
            .map(channels::to)
            .map(ValidatorServiceGrpc::newBlockingStub)
            .filter(stub -> answers(stub, properties.authority(), shard))
            .isPresent();
  }

  private static boolean answers(
      ValidatorServiceGrpc.ValidatorServiceBlockingStub stub, int authority, int shard) {
    try {
      GetStatusReply status =
          stub.withDeadlineAfter(STATUS_SECONDS, TimeUnit.SECONDS)
              .getStatus(GetStatusRequest.getDefaultInstance());
      return status.getAuthority() == authority && status.getShard() == shard;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  /** Logs the progress of a long copy. */
  private static final class Progress implements RangeSplit.Observer {
    private static final long EVERY = 100;
    private long windows;

    @Override
    public void copied(SplitStep towards, String table, long rows) {
      if (++windows % EVERY == 0) {
        log.info("towards {}: {} {}", towards, rows, table);
      }
    }
  }
}
