package io.solidus.authority.shard;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.SubmittedRequest.Mint;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.wire.v1.CheckMintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SignMintRequest;
import java.util.List;

/** Calls the signer for mints, one call each: mints are rare. */
class MintSignerClient implements Signer<Mint, PartialSignature> {

  private final SignerStub signer;

  MintSignerClient(SignerStub signer) {
    this.signer = signer;
  }

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<Mint>> requests) {
    return requests.stream().map(this::check).toList();
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<SpendRequest<Mint>> requests) {
    return requests.stream().map(this::sign).toList();
  }

  private Outcome<Ok> check(SpendRequest<Mint> request) {
    try {
      CheckMintRequest call =
          CheckMintRequest.newBuilder().setRequest(request.content().message()).build();
      GrpcReplies.requireChecked(signer.call().checkMint(call));
      return Outcome.done(Ok.OK);
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  private Outcome<PartialSignature> sign(SpendRequest<Mint> request) {
    try {
      SignMintRequest call =
          SignMintRequest.newBuilder().setRequest(request.content().message()).build();
      return Outcome.done(GrpcReplies.signed(signer.call().signMint(call)));
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
