package io.solidus.authority.shard;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.Submitted.Mint;
import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.Spend;
import io.solidus.wire.v1.CheckMintRequest;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SignMintRequest;
import java.util.List;

/** The signer's word on mints, one by one: they are few. */
class MintSigner implements Signer<Mint, PartialSignature> {

  private final SignerCalls signer;

  MintSigner(SignerCalls signer) {
    this.signer = signer;
  }

  @Override
  public List<Outcome<Done>> check(List<Spend<Mint>> spends) {
    return spends.stream().map(this::check).toList();
  }

  @Override
  public List<Outcome<PartialSignature>> sign(List<Spend<Mint>> spends) {
    return spends.stream().map(this::sign).toList();
  }

  private Outcome<Done> check(Spend<Mint> spend) {
    try {
      CheckMintRequest request =
          CheckMintRequest.newBuilder().setRequest(spend.request().message()).build();
      GrpcReplies.requireChecked(signer.call().checkMint(request));
      return Outcome.done(Done.DONE);
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  private Outcome<PartialSignature> sign(Spend<Mint> spend) {
    try {
      SignMintRequest request =
          SignMintRequest.newBuilder().setRequest(spend.request().message()).build();
      return Outcome.done(GrpcReplies.signed(signer.call().signMint(request)));
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
