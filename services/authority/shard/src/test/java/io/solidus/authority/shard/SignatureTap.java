package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Signs every core deterministically and records every signature that leaves. */
final class SignatureTap implements Signer<Transfer, PartialSignature> {

  final Map<TxCore, PartialSignature> signed = new ConcurrentHashMap<>();

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<Transfer>> requests) {
    return requests.stream().map(s -> Outcome.done(Ok.OK)).toList();
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<SpendRequest<Transfer>> requests) {
    return requests.stream()
        .map(s -> Outcome.done(signed.computeIfAbsent(s.core(), SignatureTap::of)))
        .toList();
  }

  private static PartialSignature of(TxCore core) {
    return PartialSignature.newBuilder()
        .setAuthority(1)
        .setShareEpoch(1)
        .addPoints(ByteString.copyFrom(core.bytes()))
        .build();
  }
}
