package io.solidus.gateway.committee;

import io.grpc.Channel;
import io.solidus.gateway.GatewayProperties;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Stubs of every authority, with a deadline on each call. */
@Component
public class Authorities {
  private final Map<Integer, Member> members = new TreeMap<>();
  private final GrpcChannels channels;
  private final long timeoutMillis;

  private record Member(ShardMap map, List<String> shards, String issuer) {}

  Authorities(GatewayProperties properties, GrpcChannels channels) {
    this.channels = channels;
    this.timeoutMillis = properties.callTimeout().toMillis();
    for (GatewayProperties.Authority authority : properties.authorities()) {
      int shards = authority.shards().size();
      members.put(
          authority.index(),
          new Member(ShardMap.equal(authority.index(), 1, shards), authority.shards(), authority.issuer()));
    }
  }

  /** 1 to N, in order. */
  public List<Integer> indexes() {
    return List.copyOf(members.keySet());
  }

  /** The shard of an authority that owns a serial number. */
  public ValidatorServiceGrpc.ValidatorServiceBlockingStub validator(int authority, SerialNumber serial) {
    Member member = member(authority);
    return stub(member.shards().get(member.map().owner(serial)));
  }

  /** The first shard of an authority, for questions that any shard answers. */
  public ValidatorServiceGrpc.ValidatorServiceBlockingStub anyShard(int authority) {
    return stub(member(authority).shards().getFirst());
  }

  /** Which shard owns a serial number: callers group by it. */
  public int owner(int authority, SerialNumber serial) {
    return member(authority).map().owner(serial);
  }

  public ComplianceIssuerServiceGrpc.ComplianceIssuerServiceBlockingStub issuer(int authority) {
    String address = member(authority).issuer();
    if (address.isEmpty()) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "an authority has no compliance issuer configured");
    }
    return ComplianceIssuerServiceGrpc.newBlockingStub(channel(address))
        .withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  private ValidatorServiceGrpc.ValidatorServiceBlockingStub stub(String address) {
    return ValidatorServiceGrpc.newBlockingStub(channel(address))
        .withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  private Channel channel(String address) {
    return channels.to(address);
  }

  private Member member(int authority) {
    Member member = members.get(authority);
    if (member == null) {
      throw ProtocolException.malformed("no such authority");
    }
    return member;
  }
}
