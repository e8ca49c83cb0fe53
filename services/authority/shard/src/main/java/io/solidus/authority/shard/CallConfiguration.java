package io.solidus.authority.shard;

import io.grpc.ServerInterceptor;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.spend.Siblings;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.grpc.ShardAddresses;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.SignerServiceGrpc;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;

/** The calls between the processes of the authority, in both directions. */
@Configuration(proxyBeanMethods = false)
class CallConfiguration {

  @Bean
  InternalToken internalToken(ShardProperties properties) {
    return InternalToken.read(properties.noteKeyFile());
  }

  @Bean
  ShardAddresses shardAddresses(ShardProperties properties) {
    return properties.addresses();
  }

  @Bean
  SignerStub signerStub(GrpcChannels channels, InternalToken token, ShardProperties properties) {
    return new SignerStub(
        SignerServiceGrpc.newBlockingStub(channels.to(properties.signer()))
            .withInterceptors(InternalCalls.show(token)),
        properties.callDeadline());
  }

  @Bean
  Siblings siblings(
      GrpcChannels channels,
      InternalToken token,
      ShardAddresses addresses,
      ShardProperties properties) {
    return new GrpcSiblings(
        shard ->
            addresses
                .of(shard)
                .map(channels::to)
                .map(channel ->
                    ShardServiceGrpc.newFutureStub(channel)
                        .withInterceptors(InternalCalls.show(token))),
        properties.callDeadline());
  }

  @Bean
  ShardEndpoint shardEndpoint(ShardStores stores, ShardProperties properties) {
    return new ShardEndpoint(
        stores.ownership(), stores.serials(), stores.reservations(), properties.maxSiblingCalls());
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor siblingsOnly(InternalToken token) {
    return InternalCalls.require(
        token,
        Set.of(
            ShardServiceGrpc.getHoldersMethod().getFullMethodName(),
            ShardServiceGrpc.getReserveAllMethod().getFullMethodName()));
  }
}
