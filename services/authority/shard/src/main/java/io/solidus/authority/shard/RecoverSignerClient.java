package io.solidus.authority.shard;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.SubmittedRequest.Recover;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.wire.v1.CheckRecoverRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SignRecoverRequest;
import java.util.List;
import java.util.function.Supplier;

/** Calls the signer for recovers, one call each: recovers are rare. */
class RecoverSignerClient implements Signer<Recover, PartialSignature> {

  private final SignerStub signer;

  RecoverSignerClient(SignerStub signer) {
    this.signer = signer;
  }

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<Recover>> requests) {
    return requests.stream()
        .map(request ->
            outcome(() -> {
              CheckRecoverRequest call =
                  CheckRecoverRequest.newBuilder().setRequest(request.content().message()).build();
              GrpcReplies.requireChecked(signer.call().checkRecover(call));
              return Ok.OK;
            }))
        .toList();
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<SpendRequest<Recover>> requests) {
    return requests.stream()
        .map(request ->
            outcome(() -> {
              SignRecoverRequest call =
                  SignRecoverRequest.newBuilder().setRequest(request.content().message()).build();
              return GrpcReplies.signed(signer.call().signRecover(call));
            }))
        .toList();
  }

  private static <T> Outcome<T> outcome(Supplier<T> call) {
    try {
      return Outcome.done(call.get());
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
